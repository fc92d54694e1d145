// SPDX-License-Identifier: MIT
//
// The trace format stands once, in CShims/TraceFormat: no other file has its numbers, and only the reader
// and its tests see the C types.

import Testing

@Suite("The trace format stands once")
struct FormatTests {
  static let header = "CShims/TraceFormat/include/genmark_trace.h"

  /// Numbers that mean the format wherever they stand.
  @Test("no magic number elsewhere")
  func magicNumbers() throws {
    let text = try Repository.text(of: Self.header)
    let numbers = text.split { " ;,=()\n\t".contains($0) }
      .filter { $0.hasPrefix("0x") && $0.count >= 10 && !$0.hasPrefix("0xffffffff") }
      .map { $0.lowercased().filter { !"ul".contains($0) } }
    #expect(numbers.count >= 3, "the header's magic numbers were not found")
    for file in Self.code where file.path != Self.header {
      let code = file.text.lowercased().filter { $0 != "_" && $0 != "'" }
      for number in numbers {
        #expect(!code.contains(number), "\(file.path) repeats \(number)")
      }
    }
  }

  @Test("no GM_ constant is defined elsewhere")
  func constants() throws {
    let names = try Repository.text(of: Self.header).split { !($0.isLetter || $0.isNumber || $0 == "_") }
      .filter { $0.hasPrefix("GM_") }
    #expect(names.count > 40)
    for file in Self.code where file.path != Self.header {
      for line in file.lines {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        guard let keyword = words.dropLast().firstIndex(where: { $0 == "define" || $0 == "let" }) else { continue }
        #expect(!names.contains(words[keyword + 1]), "\(file.path) defines \(words[keyword + 1])")
      }
    }
  }

  @Test("only the reader and what is tested with it import the C types")
  func imports() {
    for file in Repository.files(under: "Sources", extensions: ["swift"]) {
      for module in ImportTests.imports(of: file) where module == "CTraceFormat" || module == "CMark" {
        #expect(file.path.hasPrefix("Sources/GenmarkTrace/"), "\(file.path) imports \(module)")
        let line = file.lines.first { $0.contains("import \(module)") } ?? ""
        #expect(!line.contains("public"), "\(file.path) shows \(module) to others")
      }
    }
  }

  private static let code =
    Repository.files(under: "CShims", extensions: ["c", "h"])
    + Repository.files(under: "Sources", extensions: ["swift"])
}
