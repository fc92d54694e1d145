// SPDX-License-Identifier: MIT
//
// `genmark diff` on real recordings: what was born between two marks and lives, by number, by label, by mark and later.

import Foundation
import Testing

@Suite("diff")
struct DiffTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.record(
      "leak mark A leak leak cache 1 mark B leak leak leak cache 1 mark C repeat 4 leak mark cycle end",
      trace: "a.genmark")
  }

  private func diff(_ words: String...) throws -> DiffReport {
    let outcome = try Running([Genmark.command, "diff", "a.genmark", "--json"] + words, in: workshop.folder).finish()
    try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    return try outcome.report()
  }

  private func blocks(_ report: DiffReport, _ function: String) -> Int {
    report.callSites.filter { $0.functions.contains(function) }.reduce(0) { $0 + $1.blocks }
  }

  @Test(
    "born in (A, B] and alive at B, by label, number and the how-many-eth",
    arguments: [
      ("A..B", 2), ("B..C", 3), ("A..C", 5), ("1..2", 2), ("1..3", 5), ("0..A", 1), ("A..cycle#1", 6),
      ("cycle#1..cycle#3", 2), ("C..cycle#4", 4),
    ])
  func ranges(range: String, leaks: Int) throws {
    #expect(try blocks(diff(range), "leak_record") == leaks)
  }

  @Test("without a range: the last two marks")
  func lastTwo() throws {
    let report = try diff()
    #expect(report.schema == "genmark.diff/1")
    #expect(blocks(report, "leak_record") == 1)
    #expect(report.bornBlocks == 1)
    #expect(report.bornBytes == 48)
  }

  @Test("alive at a later mark, and what was freed since")
  func aliveAt() throws {
    #expect(try blocks(diff("A..B"), "cache_page") == 1)
    #expect(try blocks(diff("A..B", "--alive-at", "C"), "cache_page") == 0)
    #expect(try blocks(diff("A..B", "--alive-at", "end"), "leak_record") == 2)
    let report = try diff("B..C")
    #expect(report.freedBlocks == 1)
    #expect(report.freedBytes == 1000)
    for site in report.callSites {
      #expect(site.netBlocks == site.blocks - site.freedBlocks)
      #expect(site.netBytes == site.bytes - site.freedBytes)
    }
  }

  @Test("grouped, sorted and cut", arguments: ["call-site", "function", "module", "tree"])
  func groupings(by: String) throws {
    let outcome = try workshop.genmark("diff", "a.genmark", "A..C", "--by", by)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains(by == "module" ? "actor" : "leak_record"))
    let report = try diff("A..C", "--by", by, "--sort", "blocks", "--top", "1")
    #expect(report.callSites.count <= 1 || by == "tree")
    if by != "module" && by != "tree" { #expect(report.callSites.first?.functions.contains("leak_record") == true) }
  }

  @Test("two recordings: growth per cycle then and now")
  func recordings() throws {
    try workshop.record("repeat 12 leak mark cycle end", trace: "old.genmark")
    try workshop.record("repeat 12 leak leak leak cache 3 mark cycle end", trace: "new.genmark")
    let outcome = try workshop.genmark("diff", "old.genmark", "new.genmark", "--json")
    #expect(outcome.status == 0)
    let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.contains { $0["newBlocksPerCycle"] as? Double == 3 || $0["blocksPerCycle"] as? Double == 2 })
    #expect(try workshop.genmark("diff", "old.genmark", "new.genmark").text.contains("leak_record"))
  }

  @Test("an unknown label says what is there")
  func unknownLabel() throws {
    let outcome = try workshop.genmark("diff", "a.genmark", "A..cycles")
    #expect(outcome.status == 3)
    #expect(outcome.complaints.count == 1)
    #expect(outcome.errors.contains("cycles"))
    #expect(outcome.output.isEmpty)
  }
}
