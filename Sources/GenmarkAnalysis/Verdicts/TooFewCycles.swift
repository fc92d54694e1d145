// SPDX-License-Identifier: MIT
//
// TooFewCycles: with fewer than three judged cycles nothing is judged that grew at all.

import GenmarkModel

enum TooFewCyclesRule: VerdictRule {
  /// Two points always lie on a line.
  static let least = 3

  static func judge(_ evidence: Evidence) -> Judgement? {
    guard evidence.count < least else { return nil }
    let grew = evidence.retainedTotal > 0 || evidence.net.bytes.count >= Evidence.gateBytes || evidence.count == 0
    guard grew else { return nil }
    let missing = least - evidence.window.judgedCycles
    return Judgement(
      .inconclusive, .low, of: evidence,
      why: "Only \(counted(evidence.window.judgedCycles, "cycle")) can be judged, and \(least) are needed.",
      furtherCycles: max(1, missing))
  }
}
