// SPDX-License-Identifier: MIT
//
// Verdict: the words that growth is judged with. How each is reached is in the file of its name.

/// What the growth of a call site is, over the judged cycles.
public enum Verdict: String, Sendable, CaseIterable, Codable {
  /// Grows in every cycle.
  case leak
  /// Grows, but not in every cycle: each n-th, or by doubling.
  case stepwise
  /// Grew, and fades out: a cache that fills.
  case saturating
  /// Leaves survivors in each cycle, but older ones go: an LRU cache, a ring, the last result.
  case turnover
  /// Kept something in exactly one cycle.
  case oneOff = "one-off"
  /// Kept something in the first cycles only.
  case warmUp = "warm-up"
  /// Goes up and down without direction.
  case noise
  /// The recording does not say: too few cycles, or losses.
  case inconclusive
  /// Keeps nothing in any cycle.
  case none

  /// True for what a budget limits.
  public var isGrowth: Bool { self == .leak || self == .stepwise }
}

/// How sure a verdict is.
public enum Certainty: String, Sendable, CaseIterable, Codable, Comparable {
  case low, high
  /// The counts repeat exactly.
  case certain

  public static func < (a: Certainty, b: Certainty) -> Bool { a.rank < b.rank }
  private var rank: Int {
    switch self {
    case .low: 0
    case .high: 1
    case .certain: 2
    }
  }
}
