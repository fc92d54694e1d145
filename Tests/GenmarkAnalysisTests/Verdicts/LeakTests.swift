// SPDX-License-Identifier: MIT
//
// Leak: growth in every cycle, from the start or later, alone or beside blocks of the same call site that come and go.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct LeakTests {
  @Test(arguments: Cycles.lengths) func linearLeak(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: Array(repeating: 2, count: cycles), bytes: 48).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.certainty == .certain)
    #expect(judgement.rate == Rate(blocks: 2, bytes: 96))
  }

  @Test(arguments: Cycles.lengths) func blockLengthenedEveryCycle(_ cycles: Int) {
    let judgement = SurvivalMatrix(lengths: (1...cycles).map { 256 * $0 }).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate == Rate(blocks: 0, bytes: 256))
  }

  @Test func leakThatBeginsInCycleNine() {
    let judgement = SurvivalMatrix(kept: (1...40).map { $0 < 9 ? 0 : 4 }, bytes: 104).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.fromCycle == 9)
    #expect(judgement.rate == Rate(blocks: 4, bytes: 416))
  }

  @Test(arguments: [15, 40, 200]) func leakUnderAQueueOfTheSameCallSite(_ cycles: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = Random(seed)
      var noise = SurvivalMatrix(cycles: cycles)
      for mark in 0..<cycles {
        for birth in [mark, mark - 1] where birth >= 0 {
          noise.alive[birth][mark] = Amount(blocks: Int64.random(in: 0...3, using: &random), bytes: 16)
        }
      }
      let judgement = (noise + SurvivalMatrix(kept: Array(repeating: 3, count: cycles))).judge()
      #expect(judgement.verdict == .leak)
      #expect(abs(judgement.rate.blocks - 3) < 0.3)
    }
  }

  @Test(arguments: [3, 4, 5]) func threeJudgedCyclesAreEnough(_ judged: Int) {
    let judgement = SurvivalMatrix(kept: Array(repeating: 1, count: judged + 2)).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.certainty == (judged >= 5 ? .certain : .high))
  }

  @Test(arguments: Cycles.lengths) func thatRises(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: Array(1...cycles), bytes: 40).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate.blocks == Double(cycles + 1) / 2)
  }

  /// One of eight blocks stays, the others go three cycles later: the newest births must not count.
  @Test(arguments: Cycles.lengths) func beneathBlocksThatGoLater(_ cycles: Int) {
    var matrix = SurvivalMatrix(kept: Array(repeating: 1, count: cycles), bytes: 240)
    for birth in 0..<cycles {
      for mark in birth..<min(cycles, birth + 3) { matrix.alive[birth][mark] += Amount(blocks: 7, bytes: 7 * 240) }
    }
    let judgement = matrix.judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate == Rate(blocks: 1, bytes: 240))
  }

  @Test func thatBeginsInTheMiddleOfACycle() {
    let judgement = SurvivalMatrix(kept: (1...60).map { $0 < 30 ? 0 : $0 == 30 ? 3 : 4 }).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate.blocks == 4)
    #expect(judgement.fromCycle == 31)
  }

  @Test func aContainerThatIsMadeAnewAndBiggerEachTime() {
    // Not there in the first two cycles.
    var matrix = SurvivalMatrix(cycles: 20)
    for mark in 2..<20 { matrix.alive[mark][mark] = Amount(blocks: 1, bytes: Int64(100 * mark)) }
    let judgement = matrix.judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate.blocks == 0)
    #expect(judgement.rate.bytes == 100)
  }

  @Test(arguments: [15, 40, 200]) func thinnedHistory(_ kept: Int) {
    let matrix = SurvivalMatrix(kept: Array(repeating: 16, count: kept), bytes: 24)
    let evidence = Evidence(matrix.series, matrix.window(weights: Array(repeating: 8, count: kept)))
    let judgement = VerdictRules.judge(evidence)
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate == Rate(blocks: 2, bytes: 48))
  }
}
