// SPDX-License-Identifier: MIT
//
// GrowthOptions: which marks are cycles and which of them are judged. How cycles are chosen is in Cycles.

/// What `Growth` judges.
public struct GrowthOptions: Sendable {
  /// Cycles end at the marks with this label. Nil: chosen as `Cycles` says.
  public var label: String?
  /// Only what is born after a mark with the one label and up to the next with the other counts; cycles end at the other.
  /// Takes the place of `label`.
  public var pair: Pair?
  /// A cycle is this many rounds: every so-many-eth mark ends one. At least 1.
  public var every: Int
  public var warmUp: WarmUp
  /// Newest cycles that are not judged, as their blocks may still be on their way out.
  public var settling: Int
  /// Also name and list findings that do not grow. Takes longer.
  public var all: Bool
  /// With `all`: at most so many call sites that do not grow are named, those with most alive first.
  public var mostOthers = Int.max

  /// First cycles that are not judged.
  public enum WarmUp: Sendable, Hashable {
    /// As many as it takes for first-use growth to end, a quarter of the cycles at most.
    case auto
    case cycles(Int)
  }

  /// Two labels.
  public struct Pair: Sendable, Hashable {
    public var begin: String
    public var end: String
    public init(begin: String, end: String) {
      self.begin = begin
      self.end = end
    }
  }

  public init(
    label: String? = nil, pair: Pair? = nil, every: Int = 1, warmUp: WarmUp = .auto, settling: Int = 1,
    all: Bool = false
  ) {
    self.label = label
    self.pair = pair
    self.every = every
    self.warmUp = warmUp
    self.settling = settling
    self.all = all
  }
}
