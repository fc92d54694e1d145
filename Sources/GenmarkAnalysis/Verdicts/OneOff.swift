// SPDX-License-Identifier: MIT
//
// OneOff: exactly one judged cycle left something.

import GenmarkModel

enum OneOffRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard evidence.events.count == 1, let event = evidence.events.first else { return nil }
    // A pattern of which one period is longer than half the window is left to the rule for steps, and a container that
    // may double again to the rule for what is not known.
    if evidence.extendedPeriod != nil { return nil }
    if let doubling = evidence.doubling, !doubling.isOverdue { return nil }
    switch evidence.unit {
    case .blocks:
      guard evidence.retained.count(where: { $0 > 0 }) == 1, evidence.activeBirths == 1 else { return nil }
    case .bytes:
      guard evidence.fallenBytes == 0 else { return nil }
    }
    // In the very last judged cycle nothing is known of what comes after it.
    if event == evidence.count - 1 {
      return Judgement(
        .inconclusive, .low, of: evidence,
        why: "Cycle \(evidence.number(event)) left something, and it is the last that is judged.", furtherCycles: 2)
    }
    return Judgement(
      .oneOff, evidence.trailing >= 3 ? .certain : .high,
      of: evidence,
      why: "Of \(counted(evidence.count, "judged cycle")), only cycle \(evidence.number(event)) left something.")
  }
}
