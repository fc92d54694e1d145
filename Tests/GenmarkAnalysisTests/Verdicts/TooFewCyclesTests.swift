// SPDX-License-Identifier: MIT
//
// Too few cycles: with fewer than three that are judged, nothing that grew is called anything.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct TooFewCyclesTests {
  @Test(arguments: 2...4) func isInconclusiveWithTheCyclesMissing(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: Array(repeating: 5, count: cycles)).judge()
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.furtherCycles == 5 - cycles)
  }

  @Test func whatKeepsNothingNeedsNoCycles() {
    #expect(SurvivalMatrix(cycles: 3).judge().verdict == .none)
  }
}
