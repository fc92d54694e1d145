// SPDX-License-Identifier: MIT
//
// The words of verdicts.

import Testing

@testable import GenmarkAnalysis

@Suite struct VerdictTests {
  @Test func onlyLeakAndStepwiseAreGrowth() {
    #expect(Verdict.allCases.filter(\.isGrowth) == [.leak, .stepwise])
  }

  @Test func certaintyIsOrdered() {
    #expect(Certainty.low < .high)
    #expect(Certainty.high < .certain)
  }
}
