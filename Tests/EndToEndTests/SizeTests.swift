// SPDX-License-Identifier: MIT
//
// The size of a trace follows call sites and generations, not events. What time things take is for make bench.

import Foundation
import Testing

@Suite("The size of a trace")
struct SizeTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func size(_ script: String, trace: String) throws -> Int {
    try workshop.record(script, trace: trace)
    return try workshop.contents(trace).count
  }

  @Test("ten times the events: at most 1.1 times the bytes")
  func events() throws {
    let few = try size("repeat 10 churn 10000 leak mark cycle end", trace: "few.genmark")
    let many = try size("repeat 10 churn 100000 leak mark cycle end", trace: "many.genmark")
    #expect(Double(many) <= 1.1 * Double(few))
    #expect(few < 4 << 20)
  }

  @Test("a hundred times the marks: not a hundred times the bytes, and the same verdict")
  func marks() throws {
    let few = try size("repeat 100 leak churn 3 mark cycle end", trace: "few.genmark")
    let many = try size("repeat 10000 leak churn 3 mark cycle end", trace: "many.genmark")
    #expect(many < 20 * few)
    for trace in ["few.genmark", "many.genmark"] {
      let report: GrowthReport = try workshop.genmark("growth", trace, "--json").report()
      #expect(report.findings.map(\.verdict) == ["leak"])
      #expect(report.findings.first?.blocksPerCycle == 1)
    }
  }
}
