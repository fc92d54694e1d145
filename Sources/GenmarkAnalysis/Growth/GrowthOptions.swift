// SPDX-License-Identifier: MIT
//
// GrowthOptions: which marks are cycles and which of them are judged. How cycles are chosen is in Cycles.

/// What `Growth` judges.
public struct GrowthOptions: Sendable {
  /// Cycles end at the marks with this label. Nil: chosen as `Cycles` says.
  public var label: String?
  public var warmUp: WarmUp
  /// Newest cycles that are not judged, as their blocks may still be on their way out.
  public var settling: Int
  /// Also name and list findings that do not grow. Takes longer.
  public var all: Bool

  /// First cycles that are not judged.
  public enum WarmUp: Sendable, Hashable {
    /// As many as it takes for first-use growth to end, a quarter of the cycles at most.
    case auto
    case cycles(Int)
  }

  public init(label: String? = nil, warmUp: WarmUp = .auto, settling: Int = 1, all: Bool = false) {
    self.label = label
    self.warmUp = warmUp
    self.settling = settling
    self.all = all
  }
}
