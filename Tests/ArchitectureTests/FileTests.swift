// SPDX-License-Identifier: MIT
//
// What holds of every file: a head that says its subject, a size that one person can read, no path of one machine.

import Testing

@Suite("Every file")
struct FileTests {
  private static let code =
    Repository.files(under: "CShims", extensions: ["c", "h"])
    + Repository.files(under: "Sources", extensions: ["swift"])
    + Repository.files(under: "Tests", extensions: ["swift", "c", "cc", "cpp", "h", "py", "pl", "sh"])

  @Test("begins with its licence and its subject")
  func heads() {
    #expect(Self.code.count > 100)
    for file in Self.code {
      let head = file.lines.prefix(6)
      #expect(head.prefix(2).contains { $0.contains("SPDX-License-Identifier: MIT") }, "\(file.path)")
      let words = head.joined(separator: " ").split { !$0.isLetter }.filter {
        !["SPDX", "License", "Identifier", "MIT"].contains($0)
      }
      #expect(words.count >= 4, "\(file.path) does not say its subject")
    }
  }

  @Test("of Sources and CShims can be read in one go: most have at most 300 lines, few over 500, none 800")
  func sizes() {
    let counts = Self.code.filter { !$0.path.hasPrefix("Tests/") }.map(\.lines.count)
    #expect(counts.count { $0 <= 300 } * 10 >= counts.count * 8)
    #expect(counts.count { $0 > 500 } * 20 <= counts.count)
    for file in Self.code where !file.path.hasPrefix("Tests/") {
      #expect(file.lines.count < 800, "\(file.path) has \(file.lines.count) lines")
    }
  }

  @Test("of Sources is free of traps and open promises")
  func traps() throws {
    for file in Repository.files(under: "Sources", extensions: ["swift"]) {
      for trap in ["try!", "as!", "fatalError(", "TODO", "FIXME"] {
        #expect(!file.text.contains(trap), "\(file.path) has \(trap)")
      }
    }
  }

  @Test("names no path of one machine")
  func paths() throws {
    let places = ["work", "farm", "root"].map { "/" + $0 + "/" }
    for file in Repository.files(under: "") where !file.path.hasSuffix(".csv") {
      for place in places {
        let found = file.text.ranges(of: place).contains { range in
          guard range.lowerBound > file.text.startIndex else { return true }
          let before = file.text[file.text.index(before: range.lowerBound)]
          return !(before.isLetter || before.isNumber || "_./-~}".contains(before))
        }
        #expect(!found, "\(file.path) names \(place)")
      }
    }
  }
}
