// SPDX-License-Identifier: MIT
//
// Noise: goes up and down without direction.

import GenmarkModel

enum NoiseRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    let amounts = evidence.changes
    let changes = evidence.unit == .blocks ? amounts.map(\.blocks.count) : amounts.map(\.bytes.count)
    let rises = changes.reduce(0) { $0 + max(0, $1) }
    let falls = changes.reduce(0) { $0 + max(0, -$1) }
    // Without an event, what is kept came in other cycles than those that ended with more.
    guard falls > 0 || rises == 0 || evidence.events.isEmpty && evidence.retainedTotal > 0 else { return nil }
    // A rise that chance hardly brings, with falls on the way, is not called noise.
    let live = evidence.window.judged.map { cycle -> Double in
      let live = evidence.series.live[cycle]
      return Double(evidence.unit == .blocks ? live.blocks.count : live.bytes.count)
    }
    let half = Array(live[(live.count / 2)...])
    let goesOn = Trend.mannKendall(live, rising: true) < 0.01 && Trend.mannKendall(half, rising: true) < 0.05
    if goesOn, evidence.drained < 0.5 { return nil }
    return Judgement(
      .noise, .high, of: evidence,
      why: "It went up by \(rises) and down by \(falls) in \(counted(evidence.count, "judged cycle")).")
  }
}
