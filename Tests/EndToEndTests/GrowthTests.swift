// SPDX-License-Identifier: MIT
//
// `genmark growth` and `genmark check` on real recordings: what grows is said with its exact rate, what does not grow
// is not, and the exit status is what a CI job needs.

import Foundation
import Testing

@Suite("growth and check")
struct GrowthTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func growth(_ script: String, _ options: String...) throws -> GrowthReport {
    try workshop.record(script, trace: "a.genmark")
    let outcome = try Running([Genmark.command, "growth", "a.genmark", "--json"] + options, in: workshop.folder)
      .finish()
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try outcome.report()
  }

  @Test("a linear leak: one finding, its exact rate, certain")
  func leak() throws {
    let report = try growth("repeat 20 leak leak churn 100 cache 5 once mark cycle end")
    #expect(report.schema == "genmark.growth/1")
    #expect(report.cycles.marked == 20)
    #expect(report.cycles.judged == 20 - report.cycles.warmUp - report.cycles.settling)
    #expect(report.findings.count == 1)
    let finding = try #require(report.findings.first)
    #expect(finding.verdict == "leak")
    #expect(finding.certainty == "certain")
    #expect(finding.blocksPerCycle == 2)
    #expect(finding.bytesPerCycle == 96)
    #expect(finding.headline.function.value == "leak_record")
    #expect(finding.callSites.allSatisfy { $0.functions.contains("leak_record") })
    #expect(finding.callSites.reduce(0) { $0 + $1.blocks } == 40)
    #expect(!finding.fingerprint.isEmpty)
  }

  @Test("the same leak has the same fingerprint in the next recording")
  func fingerprints() throws {
    let first = try growth("repeat 12 leak mark cycle end")
    try FileManager.default.removeItem(atPath: workshop.path("a.genmark"))
    let second = try growth("repeat 30 churn 7 leak mark cycle end")
    #expect(first.findings.map(\.fingerprint) == second.findings.map(\.fingerprint))
    #expect(first.findings.count == 1)
  }

  @Test("a bounded cache, a one-off, churn: nothing grows")
  func healthy() throws {
    let report = try growth("repeat 20 cache 5 once churn 100 mark cycle end")
    #expect(report.findings.isEmpty)
    let all = try workshop.genmark("growth", "a.genmark", "--all", "--json").report(GrowthReport.self)
    #expect(all.findings.contains { $0.headline.function.value == "cache_page" && $0.verdict == "turnover" })
    #expect(all.findings.allSatisfy { $0.verdict != "leak" && $0.verdict != "stepwise" })
  }

  @Test("a leak in every third cycle is stepwise, with its mean rate")
  func stepwise() throws {
    let report = try growth("repeat 40 leak-every 3 mark cycle end")
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.verdict == "stepwise")
    #expect(abs(finding.blocksPerCycle - 1 / 3) < 0.05)
  }

  @Test("--label judges the marks of one label only")
  func label() throws {
    let report = try growth("repeat 15 leak mark push churn 3 mark pop end", "--label", "pop")
    #expect(report.cycles.label.value == "pop")
    #expect(report.cycles.marked == 15)
    #expect(report.findings.first?.blocksPerCycle == 1)
  }

  @Test("--warm-up and --settling are taken as said")
  func warmUp() throws {
    let report = try growth("repeat 20 leak mark cycle end", "--warm-up", "5", "--settling", "3")
    #expect(report.cycles.warmUp == 5)
    #expect(report.cycles.settling == 3)
    #expect(report.cycles.judged == 12)
  }

  @Test("text names the function, its place and the rate")
  func text() throws {
    try workshop.record("repeat 20 leak mark cycle end", trace: "a.genmark")
    let text = try workshop.genmark("growth", "a.genmark").text
    #expect(text.contains("leak_record"))
    #expect(text.contains("actor.c"))
    #expect(text.contains("48"))
    #expect(text.contains("leak"))
  }

  // MARK: check

  private func check(_ script: String, _ options: String...) throws -> Outcome {
    try workshop.record(script, trace: "a.genmark")
    return try Running([Genmark.command, "check", "a.genmark"] + options, in: workshop.folder).finish()
  }

  @Test("0: within the budget")
  func passes() throws {
    #expect(try check("repeat 20 cache 5 churn 50 mark cycle end", "--max-growth", "0B").status == 0)
    #expect(try workshop.genmark("check", "a.genmark", "--json").report(GrowthReport.self).outcome == "pass")
  }

  @Test("0: growth that the budget allows")
  func allowed() throws {
    #expect(try check("repeat 20 leak mark cycle end", "--max-growth", "48B").status == 0)
    #expect(try workshop.genmark("check", "a.genmark", "--max-growth", "47B").status == 1)
    #expect(try workshop.genmark("check", "a.genmark", "--max-growth", "1KiB").status == 0)
  }

  @Test("1: growth over the budget, and what of it")
  func exceeds() throws {
    #expect(try check("repeat 20 leak mark cycle end", "--max-growth", "0B").status == 1)
    let report = try workshop.genmark("check", "a.genmark", "--max-growth", "0B", "--json").report(GrowthReport.self)
    #expect(report.outcome == "fail")
    #expect(report.exceeded?.isEmpty == false)
  }

  @Test("2: too few cycles is never a pass", arguments: ["mark cycle", "repeat 3 leak mark cycle end"])
  func inconclusive(script: String) throws {
    #expect(try check(script, "--max-growth", "0B").status == 2)
    #expect(try workshop.genmark("check", "a.genmark", "--json").report(GrowthReport.self).outcome == "inconclusive")
  }

  @Test("2: a recording with losses is never a pass")
  func losses() throws {
    try workshop.record(
      "repeat 40 climb 800 mark cycle end", trace: "a.genmark", environment: ["GENMARK_MAX_MEMORY": "1MiB"])
    let report = try workshop.genmark("generations", "a.genmark", "--json").report(GenerationsReport.self)
    #expect(!report.trace.losses.isEmpty)
    #expect(try workshop.genmark("check", "a.genmark", "--max-growth", "0B").status == 2)
  }

  @Test("3: the trace or the call is wrong")
  func wrong() throws {
    #expect(try workshop.genmark("check", "nothing.genmark").status == 3)
    try workshop.record("repeat 20 leak mark cycle end", trace: "a.genmark")
    #expect(try workshop.genmark("check", "a.genmark", "--max-growth", "much").status == 3)
  }

  @Test("a suppression excuses a finding, with its reason")
  func suppression() throws {
    try workshop.write("# known since May\nleak:leak_record\nleak:nobody\n", to: "known.supp")
    let outcome = try check(
      "repeat 20 leak mark cycle end", "--max-growth", "0B", "--suppressions", "known.supp", "--json")
    #expect(outcome.status == 0)
    let report: GrowthReport = try outcome.report()
    #expect(report.excused?.count == 1)
    #expect(report.unused == ["leak:nobody"] || report.unused == ["nobody"])
  }
}
