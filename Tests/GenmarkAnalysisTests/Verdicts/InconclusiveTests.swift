// SPDX-License-Identifier: MIT
//
// Inconclusive: it grew, and what was seen does not say whether it goes on; with the cycles that would.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct InconclusiveTests {
  @Test(arguments: [7, 8, 9, 10, 11]) func everyThirdCycleIsNotKnownAtOnce(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % 3 == 0 ? 1 : 0 }).judge()
    #expect([.inconclusive, .stepwise].contains(judgement.verdict), "\(judgement)")
    if judgement.verdict == .inconclusive { #expect(judgement.furtherCycles ?? 0 >= 1) }
  }

  /// So many further cycles settle it, if it goes on as it did.
  @Test(arguments: 3...8) func theFurtherCyclesSettleIt(_ n: Int) {
    for cycles in (2 * n + 1)...(3 * n) {
      let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % n == 0 ? 1 : 0 }).judge()
      guard judgement.verdict == .inconclusive, let more = judgement.furtherCycles else { continue }
      let later = SurvivalMatrix(kept: (1...(cycles + more)).map { $0 % n == 0 ? 1 : 0 }).judge()
      #expect(later.verdict == .stepwise, "\(n): \(cycles) + \(more): \(later)")
    }
  }

  @Test func aContainerThatDoublesMayGoOn() {
    var capacity = 8
    let lengths = (1...14).map { cycle in
      while capacity < 100 * cycle { capacity *= 2 }
      return capacity * 4
    }
    let judgement = SurvivalMatrix(lengths: lengths).judge()
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.furtherCycles ?? 0 >= 1)
  }
}
