// SPDX-License-Identifier: MIT
//
// Inconclusive: it grew, and the recording does not say whether that goes on. The number of further cycles is
// when the question would be settled if it goes on as it did.

import GenmarkModel

enum InconclusiveRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard !evidence.events.isEmpty else { return nil }
    let cycles = evidence.window.judgedCycles
    if let doubling = evidence.doubling {
      return Judgement(
        .inconclusive, .low, of: evidence,
        why: "It grows by doubling, last in cycle \(doubling.last); whether it goes on shows in about cycle "
          + "\(doubling.expected).", furtherCycles: doubling.furtherCycles)
    }
    let events = evidence.events.count
    if events < 4 {
      return Judgement(
        .inconclusive, .low, of: evidence,
        why: "It grew in \(events) of \(counted(cycles, "judged cycle")), too seldom to say whether it goes on.",
        furtherCycles: max(3 - cycles, (5 - events) * cycles / max(1, events)))
    }
    return Judgement(
      .inconclusive, .low, of: evidence,
      why: "It still grows, but less than it did, or older blocks go: a store that fills looks the same.",
      furtherCycles: cycles)
  }
}
