// SPDX-License-Identifier: MIT
//
// Labels, names and paths that attack a terminal or a file format stay text, in every report.

import Foundation
import Testing

@Suite("Hostile text stays text")
struct HostileTextTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  /// Labels as bytes: terminal codes, newlines, markup, quotes, invalid UTF-8, an override of the direction of writing.
  static let hostileLabels: [[UInt8]] = [
    Array("\u{1b}[31mred\u{1b}]0;title\u{7}".utf8), Array("two\nlines\r\n".utf8), Array("</script><b>&amp;".utf8),
    Array("\"quote\\,;'".utf8), [0xff, 0xfe, 0x20, 0xc3], Array("\u{202e}backwards\u{9b}2J".utf8),
    [UInt8](repeating: 0x6e, count: 1800),
  ]

  private func script(for label: [UInt8]) -> String {
    "repeat 8 leak mark-bytes \(label.map { String(format: "%02x", $0) }.joined()) end"
  }

  @Test("labels", arguments: hostileLabels)
  func labels(label: [UInt8]) throws {
    try workshop.record(script(for: label), trace: "a.genmark")
    for words in [["generations"], ["marks"], ["diff"], ["growth"], ["check"]] {
      let text = try workshop.genmark(words[0], "a.genmark")
      #expect(text.status < 3, "\(words): \(text.errors)")
      #expect(!Self.controls(text.output), "\(words) sends control bytes")
      #expect(!Self.controls(Data(text.errors.utf8)))
    }
    for verb in ["generations", "marks", "diff", "growth", "check"] {
      let outcome = try workshop.genmark(verb, "a.genmark", "--json")
      #expect((try? JSONSerialization.jsonObject(with: outcome.output)) != nil, "\(verb) --json is not JSON")
    }
  }

  @Test("a label that does not exist comes back escaped")
  func unknownLabel() throws {
    try workshop.record("repeat 8 leak mark cycle end", trace: "a.genmark")
    let outcome = try workshop.genmark("growth", "a.genmark", "--label", "\u{1b}[31m\nno")
    #expect(outcome.status == 3)
    #expect(outcome.complaints.count == 1)
    #expect(!Self.controls(Data(outcome.errors.utf8)))
  }

  @Test("the name of the trace comes back escaped")
  func path() throws {
    try workshop.record("repeat 8 leak mark cycle end", trace: "a.genmark")
    let name = "\u{1b}[2Ja\nb.genmark"
    try FileManager.default.copyItem(atPath: workshop.path("a.genmark"), toPath: workshop.path(name))
    for verb in ["generations", "growth"] {
      let outcome = try workshop.genmark(verb, name)
      #expect(outcome.status == 0)
      #expect(!Self.controls(outcome.output))
    }
  }

  /// Whether there is a byte that a terminal obeys: a control character but newline, or one that is not UTF-8.
  static func controls(_ data: Data) -> Bool {
    guard let text = String(data: data, encoding: .utf8) else { return true }
    return text.unicodeScalars.contains {
      ($0.value < 0x20 && $0 != "\n") || (0x7f...0x9f).contains($0.value) || (0x202a...0x202e).contains($0.value)
        || (0x2066...0x2069).contains($0.value)
    }
  }
}
