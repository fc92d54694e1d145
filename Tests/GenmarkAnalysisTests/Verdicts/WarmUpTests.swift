// SPDX-License-Identifier: MIT
//
// Warm-up and none: nothing that was born in a judged cycle is there.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct WarmUpTests {
  @Test(arguments: Cycles.lengths) func warmUpOfFourCycles(_ cycles: Int) {
    let matrix = SurvivalMatrix(kept: (1...cycles).map { $0 <= 4 ? 25 : 0 })
    #expect(!matrix.judge().verdict.isGrowth)
    if cycles >= 15 { #expect(matrix.judge(warmUp: 4).verdict == .warmUp) }
  }

  @Test func nothingAtAll() {
    #expect(SurvivalMatrix(cycles: 9).judge().verdict == .none)
  }

  @Test func onlyTheFirstCycle() {
    let judgement = SurvivalMatrix(kept: [40] + Array(repeating: 0, count: 14)).judge()
    #expect(judgement.verdict == .warmUp)
    #expect(judgement.rate == .zero)
  }
}
