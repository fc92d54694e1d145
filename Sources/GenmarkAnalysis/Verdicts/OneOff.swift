// SPDX-License-Identifier: MIT
//
// OneOff: exactly one judged cycle left something.

import GenmarkModel

enum OneOffRule: VerdictRule {
  /// Cycles that must follow without anything left.
  private static let quietCycles = 3

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
    // What comes every few cycles looks the same at first.
    let quiet =
      evidence.trailing + (evidence.stoppedLast ? evidence.window.cycles.count - evidence.window.judged.upperBound : 0)
    if quiet < quietCycles {
      return Judgement(
        .inconclusive, .low, of: evidence,
        why:
          "Cycle \(evidence.number(event)) left something, and too few came after it to say that it was the only one.",
        furtherCycles: quietCycles - quiet + (evidence.stoppedLast ? 0 : 1))
    }
    return Judgement(
      .oneOff, evidence.trailing >= 3 ? .certain : .high,
      of: evidence,
      why: "Of \(counted(evidence.count, "judged cycle")), only cycle \(evidence.number(event)) left something.")
  }
}
