// SPDX-License-Identifier: MIT
//
// WarmUp: nothing born in a judged cycle is still there. What the first cycles left, if anything, is first-use
// growth; how many cycles that is decided in Window.

import GenmarkModel

enum WarmUpRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard evidence.unit == .blocks, evidence.retainedTotal == 0, evidence.activeBirths == 0 else { return nil }
    if evidence.retainedBefore > 0 {
      return Judgement(
        .warmUp, .certain, of: evidence, why: "Only cycles before cycle \(evidence.number(0)) left anything.")
    }
    return Judgement(.none, .certain, of: evidence, why: "No judged cycle left anything.")
  }
}
