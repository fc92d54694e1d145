// SPDX-License-Identifier: MIT
//
// `genmark generations` on real recordings: counts are exact, the table has Instruments' columns.

import Foundation
import Testing

@Suite("The generations table")
struct GenerationsTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.record("once repeat 10 leak leak cache 4 churn 50 mark cycle end", trace: "a.genmark")
  }

  @Test("JSON: exact blocks and bytes of every generation")
  func counts() throws {
    let outcome = try workshop.genmark("generations", "a.genmark", "--by", "call-site", "--json")
    #expect(outcome.status == 0)
    let report: GenerationsReport = try outcome.report()
    #expect(report.schema == "genmark.generations/1")
    #expect(report.trace.program.hasSuffix("/actor"))
    #expect(report.trace.file.hasSuffix("a.genmark"))
    #expect(report.trace.losses.isEmpty)
    #expect(report.generations.map(\.generation) == Array(0...10))

    // The first cycle is generation 0, where the program began; the pages of the last four cycles are alive.
    for g in report.generations[1...9] {
      let pages = g.generation >= 6 ? 1 : 0
      #expect(g.bornBlocks == 53)
      #expect(g.persistentBlocks == 2 + pages)
      #expect(g.growthBytes == 2 * 48 + 1000 * pages)
      #expect(g.transientBlocks == g.bornBlocks - g.persistentBlocks)
      #expect(g.transientBytes == g.bornBytes - g.growthBytes)
      #expect(g.blocks(in: "leak_record") == 2)
      #expect(g.blocks(in: "cache_page") == pages)
      #expect(g.openedBy.value == "cycle" && g.closedBy.value == "cycle")
    }
    for (before, after) in zip(report.generations, report.generations.dropFirst()) {
      #expect(before.startedAt + before.duration == after.startedAt)
    }
    #expect(report.generations.reduce(0) { $0 + $1.persistentBlocks } == report.generations[10].liveBlocks)
    #expect(report.generations.reduce(0) { $0 + $1.growthBytes } == report.generations[10].liveBytes)
  }

  @Test("frames are innermost first, with file and line")
  func frames() throws {
    let report: GenerationsReport = try workshop.genmark("generations", "a.genmark", "--by", "call-site", "--json")
      .report()
    let site = try #require(report.generations[3].callSites?.first { $0.functions.contains("leak_record") })
    let names = site.functions
    let leak = try #require(names.firstIndex(of: "leak_record"))
    let main = try #require(names.firstIndex(of: "main"))
    #expect(leak < main)
    let frame = try #require(site.frames.first { $0.function.value == "leak_record" })
    #expect(frame.file.value?.hasSuffix("actor.c") == true)
    let line = try #require(frame.line.value)
    let source = try String(
      contentsOfFile: Genmark.root.appendingPathComponent("Tests/Programs/actor.c").path, encoding: .utf8)
    let text = source.split(separator: "\n", omittingEmptySubsequences: false)[line - 1]
    #expect(text.contains("malloc(RECORD_SIZE)"))
  }

  @Test("text: Instruments' columns and a row for each generation")
  func table() throws {
    let text = try workshop.genmark("generations", "a.genmark").text
    for column in [
      "Generation", "Label", "Time", "Duration", "Growth", "# Persistent", "# Transient", "Live heap", "RSS",
    ] {
      #expect(text.contains(column), "no column \(column)")
    }
    #expect(text.matches(of: /cycle/).count >= 10)
  }

  @Test("nothing but JSON on standard output", arguments: ["generations", "diff", "growth", "check"])
  func jsonAlone(verb: String) throws {
    let outcome = try workshop.genmark(verb, "a.genmark", "--json")
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect((object?["schema"] as? String)?.hasPrefix("genmark.") == true)
    #expect(object?["trace"] is [String: Any])
  }
}
