// SPDX-License-Identifier: MIT
//
// The demo: what `make demo` shows to a newcomer is true. Exactly the leaking call sites are named.

import Foundation
import Testing

@Suite("The demo")
struct DemoTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  @Test("make demo")
  func demo() throws {
    let script = Genmark.root.appendingPathComponent("Tests/Demo/run").path
    let shown = try Running([script, Genmark.command, workshop.folder.path], in: workshop.folder).finish()
    try #require(shown.status == 0, "\(shown.errors)")
    expectText(shown)
    try expectNavigation()
    try expectCircles()
  }

  private func growth(_ trace: String) throws -> GrowthReport {
    try workshop.genmark("growth", trace, "--json").report()
  }

  /// The Swift program: the two screens that are kept, and nothing of the other three.
  private func expectNavigation() throws {
    let report = try growth("navigation.genmark")
    #expect(report.cycles.marked == 20)
    let names = report.findings.flatMap(\.callSites).map { $0.functions.joined(separator: " ") }
    #expect(!names.isEmpty)
    #expect(names.contains { $0.contains("ClockScreen") })
    #expect(names.contains { $0.contains("InboxScreen") })
    for name in names {
      #expect(name.contains("ClockScreen") || name.contains("InboxScreen"), "\(name)")
    }
    for healthy in ["StopwatchScreen", "SearchScreen", "GalleryScreen", "ImageCache"] {
      #expect(!names.contains { $0.contains(healthy) }, "\(healthy) is named")
    }
    #expect(report.findings.allSatisfy { $0.verdict == "leak" && $0.certainty == "certain" })
  }

  /// perl: what the circular structure is made of.
  private func expectCircles() throws {
    let report = try growth("circles.genmark")
    #expect(report.cycles.label.value == "cycle")
    #expect(report.cycles.marked == 20)
    let leaks = report.findings.flatMap(\.callSites).filter { $0.verdict == "leak" }
    #expect(!leaks.isEmpty)
    #expect(leaks.allSatisfy { $0.functions.contains { $0.hasPrefix("Perl_") } })
  }

  /// Both tables are shown, and what to type next.
  private func expectText(_ shown: Outcome) {
    #expect(shown.text.matches(of: /# Persistent/).count >= 2)
    #expect(shown.text.contains("genmark run -o app.genmark -- ./app"))
    #expect(shown.text.contains("genmark growth app.genmark"))
    #expect(shown.errors.isEmpty)
  }
}
