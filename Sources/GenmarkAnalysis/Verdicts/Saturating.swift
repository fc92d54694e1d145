// SPDX-License-Identifier: MIT
//
// Saturating: grew, and has stopped or fades out: a cache that fills, a pool that reaches its size.

import GenmarkModel

enum SaturatingRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard !evidence.events.isEmpty, evidence.period(from: evidence.events[0]) == nil else { return nil }
    if let doubling = evidence.doubling {
      guard doubling.isOverdue else { return nil }
      return Judgement(
        .saturating, .high,
        of: evidence,
        why:
          "It grew by doubling up to cycle \(doubling.last); the next step was due in about cycle \(doubling.expected)."
      )
    }
    if evidence.events.count >= 2, evidence.trailing >= 2, evidence.chanceOfTrailing < 0.05 {
      return Judgement(
        .saturating, evidence.trailing * 3 >= evidence.count ? .certain : .high,
        of: evidence,
        why: "It grew in \(counted(evidence.events.count, "cycle")), and in none of the last \(evidence.trailing).")
    }
    if evidence.events.count < 4, evidence.count >= 9, evidence.trailing * 3 >= evidence.count {
      return Judgement(
        .saturating, .low, of: evidence,
        why: "It grew in \(counted(evidence.events.count, "cycle")), and in none of the last third.")
    }
    // What fades in every cycle, and what comes ever more rarely.
    if Trend.fading(evidence.growthPerCycle) == .fading {
      return Judgement(
        .saturating, .high, of: evidence,
        why: "Later cycles add less than half of what earlier ones did, and not by chance.")
    }
    let places = evidence.events.map { (Double($0) + 0.5) / Double(evidence.count) }
    if evidence.events.count >= 3, Trend.laplace(places) < -2.33 {
      return Judgement(.saturating, .high, of: evidence, why: "It grows ever more rarely.")
    }
    if evidence.unit == .bytes, isRunningMaximum(evidence) {
      return Judgement(
        .saturating, .low,
        of: evidence,
        why: "It grew \(evidence.events.count) times, as a buffer does that is as long as the longest need so far.")
    }
    return nil
  }

  /// The largest of n chance values is exceeded about ln n times; twice as often is still no sign of growth. The rise of
  /// the last third must not be the larger part.
  private static func isRunningMaximum(_ evidence: Evidence) -> Bool {
    let end = Double(evidence.number(evidence.count - 1))
    let start = Double(max(1, evidence.number(0) - 1))
    var expected = 1.0
    var time = start
    while time * 2 <= end {
      expected += 0.7
      time *= 2
    }
    let last = evidence.growth.suffix(evidence.count / 3).reduce(0, +)
    let all = evidence.growth.reduce(0, +)
    return Double(evidence.events.count) <= 2 * expected && 2 * evidence.events.count <= evidence.count
      && 2 * last <= all
      && evidence.fallenBytes == 0
  }
}
