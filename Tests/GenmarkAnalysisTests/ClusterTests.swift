// SPDX-License-Identifier: MIT
//
// What is one finding: objects with what is made for them, containers with what fills them, and what only takes over.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

@Suite struct ClusterTests {
  /// Rows for one block that is as long as twice what it has to hold, in powers of two of its first length.
  private func doubling(_ cycles: Int, holding each: Int, first: Int = 64) -> [[Amount]] {
    var length = first
    return SurvivalMatrix(
      lengths: (1...cycles).map { cycle in
        while length < 8 * each * cycle { length *= 2 }
        return length
      }
    ).rows
  }

  @Test func whatAnObjectMakesSomeCallsBelowItIsOneFindingWithIt() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > visit > openClock > [swift_allocObject]", survivors: every(1, cycles: 20), bytes: 48)
        .site("main > visit > openClock > push > appear > show > [malloc]", survivors: every(1, cycles: 20), bytes: 40)
        .site("main > visit > openClock > push > appear > start > [malloc]", survivors: every(1, cycles: 20), bytes: 32)
        .site("main > visit > openInbox > [swift_allocObject]", survivors: every(1, cycles: 20), bytes: 56)
        .site("main > visit > openInbox > push > appear > show > [malloc]", survivors: every(1, cycles: 20), bytes: 40))
    #expect(report.findings.map(\.headline?.function) == ["openClock", "openInbox"])
    #expect(report.findings.map(\.bytesPerCycle) == [120, 96])
    #expect(report.findings.map(\.callSites.count) == [3, 2])
  }

  @Test func whatOnlyMainHasInCommonStaysApart() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > first > [malloc]", survivors: every(1, cycles: 20), bytes: 16)
        .site("main > second > [malloc]", survivors: every(1, cycles: 20), bytes: 16)
        .site("main > [malloc]", survivors: every(1, cycles: 20), bytes: 16))
    #expect(report.findings.count == 3)
  }

  @Test func whatGrowsAtAnotherRateStaysApart() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > open > [malloc]", survivors: every(1, cycles: 20), bytes: 16)
        .site("main > open > log > [malloc]", survivors: (0..<20).map { 1 + $0 % 3 } + [0], bytes: 16))
    #expect(report.findings.count == 2)
  }

  @Test(arguments: ["main > add > grow > [realloc]", "main > add > [realloc]", "main > [realloc]"])
  func aContainerBelongsToWhatFillsIt(_ container: String) throws {
    let report = try growth(
      RecordingBuilder(marks: 30)
        .site("main > add > [malloc]", survivors: every(5, cycles: 30), bytes: 30)
        .site(container, amounts: doubling(30, holding: 5)))
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.verdict == .leak)
    #expect(finding.headline?.function == "add")
    #expect(finding.blocksPerCycle == 5)
    #expect(finding.bytesPerCycle == 150)
    #expect(finding.callSites.map(\.isContainer).sorted { !$0 && $1 } == [false, true])
    #expect(finding.why.contains("container"))
  }

  @Test func aBlockThatStaysAsItIsIsNoContainer() throws {
    let report = try growth(
      RecordingBuilder(marks: 12)
        .site("main > add > [malloc]", survivors: every(5, cycles: 12), bytes: 30)
        .site("main > add > table > [malloc]", amounts: SurvivalMatrix(lengths: Array(repeating: 768, count: 12)).rows))
    #expect(report.findings.flatMap(\.callSites).allSatisfy { !$0.isContainer })
  }

  /// Filled by one way before the first cycle, and from then on by another.
  @Test func aWindowThatIsOnlyHandedOverIsNoLeak() throws {
    var old = SurvivalMatrix(cycles: 12)
    for mark in 0..<12 { old.alive[0][mark] = Amount(blocks: Int64(100 - 7 * mark), bytes: Int64(512 * (100 - 7 * mark))) }
    let builder = RecordingBuilder(marks: 12)
      .site("main > fill > add > [malloc]", amounts: old.rows)
      .site("main > run > add > [malloc]", survivors: [0] + Array(repeating: 7, count: 11) + [0], bytes: 512)
    #expect(try growth(builder).findings.isEmpty)
    let all = try growth(builder, GrowthOptions(all: true)).findings
    #expect(all.contains { $0.verdict == .turnover && $0.why.contains("another way") })
    // Of another function that loses as much, nothing follows.
    let apart = RecordingBuilder(marks: 12)
      .site("main > fill > other > [malloc]", amounts: old.rows)
      .site("main > run > add > [malloc]", survivors: [0] + Array(repeating: 7, count: 11) + [0], bytes: 512)
    #expect(try growth(apart).findings.map(\.verdict) == [.leak])
  }
}

@Suite struct ExplanationTests {
  private func explain(_ builder: RecordingBuilder, columns: Int = 24) throws -> (Finding, FindingExplanation) {
    let finding = try #require(try growth(builder, GrowthOptions(all: true)).findings.first)
    return (finding, try Growth.explain(finding, of: builder.recording, columns: columns))
  }

  @Test func theTableIsTheSurvivalMatrix() throws {
    var random = Random(3)
    var matrix = SurvivalMatrix(cycles: 10)
    for birth in 0..<10 {
      var count = 3 + Int.random(in: 0...4, using: &random)
      for mark in birth..<10 {
        matrix.alive[birth][mark] = Amount(blocks: Int64(count), bytes: Int64(8 * count))
        if count > 3 { count -= 1 }
      }
    }
    let (_, explanation) = try explain(RecordingBuilder(marks: 10).site("main > f", amounts: matrix.rows))
    #expect(explanation.table.cycles == Array(1...10))
    #expect(explanation.table.alive == matrix.alive.enumerated().map { Array($1[$0...]) })
    #expect(explanation.table.live == matrix.series.live)
  }

  @Test(arguments: [1, 4, 7, 24]) func aWideTableIsPutTogether(_ columns: Int) throws {
    let (_, explanation) = try explain(
      RecordingBuilder(marks: 50).site("main > f", survivors: every(2, cycles: 50)), columns: columns)
    let table = explanation.table
    #expect(table.cycles.count == columns)
    #expect(table.cycles.last == 50)
    #expect(table.live.last?.blocks == Blocks(100))
    #expect(table.alive.compactMap(\.last).reduce(Amount.zero, +).blocks == Blocks(100))
    #expect(table.live.map(\.blocks.count) == table.cycles.map { Int64(2 * $0) })
  }

  @Test func everyVerdictSaysWhyAndWhatWouldChangeIt() throws {
    for matrix in [
      SurvivalMatrix(kept: Array(repeating: 1, count: 20)),
      SurvivalMatrix(kept: (1...20).map { $0 % 3 == 0 ? 1 : 0 }),
      SurvivalMatrix(kept: (1...20).map { $0 < 9 ? 1 : 0 }),
      SurvivalMatrix(fifo: Array(repeating: 2, count: 20), capacity: 6),
      SurvivalMatrix(kept: (1...20).map { $0 == 9 ? 1 : 0 }),
      SurvivalMatrix(kept: (1...20).map { $0 == 9 || $0 == 18 ? 1 : 0 }),
    ] {
      let (finding, explanation) = try explain(RecordingBuilder(marks: 20).site("main > f", amounts: matrix.rows))
      #expect(!explanation.notNeighbours.isEmpty, "\(finding.verdict)")
      #expect(!explanation.wouldChange.isEmpty)
      #expect(!finding.why.isEmpty)
    }
  }
}
