// SPDX-License-Identifier: MIT
//
// DiffOptions: what to compare and how to group it. References are written as in MarkReference.

/// What `Diff` compares.
public struct DiffOptions: Sendable {
  /// Reference to A; nil is the mark before `to` (the start when there is only one mark).
  public var from: String?
  /// Reference to B; nil is the last mark.
  public var to: String?
  /// Where what was born in (A, B] has to be alive; nil is B. Not before B.
  public var aliveAt: String?
  public var grouping: Grouping
  public var sorting: Sorting
  /// Rows at most, largest first; nil is all. Totals are always of all rows.
  public var top: Int?

  /// By what rows are made.
  public enum Grouping: String, Sendable, CaseIterable {
    case callSite = "call-site"
    case function, module, tree
  }

  /// By what rows are ordered.
  public enum Sorting: String, Sendable, CaseIterable { case bytes, blocks }

  public init(
    from: String? = nil, to: String? = nil, aliveAt: String? = nil, grouping: Grouping = .callSite,
    sorting: Sorting = .bytes, top: Int? = nil
  ) {
    self.from = from
    self.to = to
    self.aliveAt = aliveAt
    self.grouping = grouping
    self.sorting = sorting
    self.top = top
  }

  /// Options for `A..B`; either side may be empty. A reference without `..` is B, compared with the mark before it.
  public init(range: String) {
    self.init()
    guard let dots = DiffOptions.separator(in: range) else {
      to = range.isEmpty ? nil : range
      return
    }
    let left = range[..<dots.lowerBound]
    let right = range[dots.upperBound...]
    from = left.isEmpty ? nil : String(left)
    to = right.isEmpty ? nil : String(right)
  }

  /// The first `..` of a range.
  private static func separator(in text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if next < text.endIndex, text[index] == ".", text[next] == "." { return index..<text.index(after: next) }
      index = next
    }
    return nil
  }
}
