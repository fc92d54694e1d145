// SPDX-License-Identifier: MIT
//
// Turnover: cycles leave survivors, but older ones go for them: an LRU cache, a ring, the last result.

import GenmarkModel

enum TurnoverRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard evidence.unit == .blocks, evidence.activeBirths >= 2, evidence.evenBirths(from: 0) == 0 else { return nil }
    let kept = evidence.retainedTotal
    let changes = evidence.changes.map(\.blocks.count)
    let net = evidence.net.blocks.count
    let tail = changes.suffix(max(2, changes.count / 4)).reduce(0, +)
    // The sum is about 0: over all of the window, or since the store was full, at the latest since three quarters of it.
    let isLevel = 10 * net <= kept || net <= 0
    let becameLevel = net > 0 && 10 * tail <= net
    let goes = evidence.drained >= 0.1 || kept == 0 || evidence.explained < 0.9
    guard isLevel || (becameLevel && goes) else { return nil }
    if !isSteady(evidence) { return nil }
    return Judgement(
      .turnover, isLevel && kept > 0 ? .high : .certain,
      of: evidence,
      why: "What each cycle leaves takes the place of older blocks: \(kept) kept, \(net) more alive than before.")
  }

  /// What is alive hardly moves over the second half, or falls; what swings is noise.
  private static func isSteady(_ evidence: Evidence) -> Bool {
    let live = evidence.window.judged.map { evidence.series.live[$0].blocks.count }
    let second = live.suffix((live.count + 1) / 2)
    guard let low = second.min(), let high = second.max() else { return true }
    return high - low <= max(1, high / 5)
  }
}
