// SPDX-License-Identifier: MIT
//
// Stepwise: growth that does not come in every cycle: each n-th, in a pattern, by chance, or by doubling.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct StepwiseTests {
  @Test(arguments: [15, 40, 200]) func everyThirdCycle(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % 3 == 0 ? 1 : 0 }, bytes: 96).judge()
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.rate == Rate(blocks: 1.0 / 3, bytes: 32))
    #expect(judgement.period == 3)
  }

  @Test(arguments: [15, 40, 200]) func threeCyclesInFour(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % 4 == 0 ? 0 : 1 }, bytes: 544).judge()
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.rate == Rate(blocks: 0.75, bytes: 408))
  }

  @Test(arguments: [40, 200]) func vectorThatDoublesWithoutEnd(_ cycles: Int) {
    var capacity = 8
    let lengths = (1...cycles).map { cycle in
      while capacity < 100 * cycle { capacity *= 2 }
      return capacity * 4
    }
    #expect(SurvivalMatrix(lengths: lengths).judge(warmUp: cycles / 10).verdict == .stepwise)
  }

  @Test(arguments: 2...9) func everyNthCycle(_ n: Int) {
    let judgement = SurvivalMatrix(kept: (1...(4 * n + 2)).map { $0 % n == 0 ? 3 : 0 }, bytes: 100).judge()
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.period == n)
    #expect(abs(judgement.rate.blocks - 3 / Double(n)) < 0.001)
  }

  @Test func byChance() {
    var random = Random(9)
    let judgement = SurvivalMatrix(kept: (0..<60).map { _ in Int.random(in: 0...9, using: &random) < 6 ? 1 : 0 })
      .judge()
    #expect(judgement.verdict == .stepwise)
    #expect(abs(judgement.rate.blocks - 0.6) < 0.15)
  }

  /// Every second cycle, of which a thinned history keeps every eighth mark: four blocks in each kept cycle.
  @Test func thinnedHistory() {
    let matrix = SurvivalMatrix(kept: Array(repeating: 4, count: 100), bytes: 10)
    let evidence = Evidence(matrix.series, matrix.window(weights: Array(repeating: 8, count: 100)))
    let judgement = VerdictRules.judge(evidence)
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.period == 2)
    #expect(judgement.rate == Rate(blocks: 0.5, bytes: 5))
  }

  @Test func whatIsGivenBackIsNoGrowth() {
    var matrix = SurvivalMatrix(cycles: 40)
    for birth in 0..<40 where birth % 3 == 0 {
      for mark in birth..<min(40, birth + 6) { matrix.alive[birth][mark] = Amount(blocks: 2, bytes: 64) }
    }
    #expect(!matrix.judge().verdict.isGrowth)
  }
}
