// SPDX-License-Identifier: MIT
//
// MarkPoint: a moment of a recording that can be asked about: its start, one of its marks, its end. How people
// write one down is in MarkReference.

import GenmarkModel

/// The start, a mark or the end of a recording. Ordered by time.
public struct MarkPoint: Hashable, Comparable, Sendable {
  /// Number of kept marks at or before this point: 0 is the start, i+1 is `recording.marks[i]`, count+1 the end.
  public var position: Int
  public var kind: Kind

  public enum Kind: Hashable, Sendable {
    case start
    /// As the program counted them: `generation` is the mark's number from 1, `ordinal` the how-many-eth with its label.
    case mark(generation: GenerationNumber, label: String, ordinal: UInt32)
    case end
  }

  public init(position: Int, kind: Kind) {
    self.position = position
    self.kind = kind
  }

  public static func < (a: MarkPoint, b: MarkPoint) -> Bool { a.position < b.position }

  /// `start`, `end`, or the number of the mark.
  public var name: String {
    switch kind {
    case .start: "start"
    case .mark(let generation, _, _): String(generation)
    case .end: "end"
    }
  }

  /// Nil at the start and the end.
  public var label: String? {
    if case .mark(_, let label, _) = kind { label } else { nil }
  }
}
