// SPDX-License-Identifier: MIT
//
// One-off: exactly one judged cycle left something, and enough came after it.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct OneOffTests {
  @Test(arguments: [15, 40, 200]) func onceInCycleFive(_ cycles: Int) {
    let matrix = SurvivalMatrix(kept: (1...cycles).map { $0 == 5 ? 1 : 0 }, bytes: 10_485_760)
    #expect(matrix.judge().verdict == .oneOff)
  }

  @Test(arguments: [4, 8, 11, 12, 13, 14]) func notBeforeEnoughCameAfterIt(_ cycle: Int) {
    let judgement = SurvivalMatrix(kept: (1...15).map { $0 == cycle ? 9 : 0 }).judge()
    #expect(judgement.verdict == (cycle <= 12 ? .oneOff : .inconclusive), "\(judgement)")
    if cycle > 12 { #expect(judgement.furtherCycles ?? 0 >= 1) }
  }

  @Test func aSecondTimeIsNotOne() {
    let judgement = SurvivalMatrix(kept: (1...40).map { $0 == 10 || $0 == 30 ? 1 : 0 }).judge()
    #expect(judgement.verdict != .oneOff)
    #expect(!judgement.verdict.isGrowth)
  }
}
