// SPDX-License-Identifier: MIT
//
// DiffReport: what lies between two marks, decided and ordered, ready to be written down. Computed by Diff.

import GenmarkModel

/// What was born between two marks and lives, and what was freed.
///
/// Born: blocks with a birth in (A, B] that are alive at C (`aliveAt`, usually B). Freed: blocks and bytes that
/// were alive at A and are not at C. A block that realloc lengthened keeps its birth: bytes it gained after A are
/// counted as born, with no block; bytes it lost are counted as freed.
public struct DiffReport: Sendable {
  public var from: MarkPoint
  public var to: MarkPoint
  public var aliveAt: MarkPoint
  public var born: Amount
  public var freed: Amount
  /// born − freed.
  public var net: Amount { born - freed }
  /// One row a call site (equal frames joined), ordered, cut to `top`. Filled for every grouping but `tree`,
  /// where `tree` is.
  public var rows: [DiffRow]
  /// Rows before they were cut to `top`.
  public var rowCount: Int
  public var grouping: DiffOptions.Grouping
  /// For the grouping `tree`: allocating functions at the top, callers below them.
  public var tree: [DiffNode]

  public init(
    from: MarkPoint, to: MarkPoint, aliveAt: MarkPoint, born: Amount = .zero, freed: Amount = .zero,
    rows: [DiffRow] = [], rowCount: Int = 0, grouping: DiffOptions.Grouping = .callSite, tree: [DiffNode] = []
  ) {
    self.from = from
    self.to = to
    self.aliveAt = aliveAt
    self.born = born
    self.freed = freed
    self.rows = rows
    self.rowCount = rowCount
    self.grouping = grouping
    self.tree = tree
  }
}

/// A call site, function or module of a diff.
public struct DiffRow: Sendable {
  /// Call site: all frames, innermost first. Function: the one frame. Module: one frame with nothing but its module.
  public var frames: [Frame]
  /// The frame to show in one line: the innermost that is not folded, else the innermost.
  public var headline: Frame?
  public var born: Amount
  public var freed: Amount
  public var net: Amount { born - freed }
  /// Call sites that the row stands for.
  public var callSites: [CallTree.NodeID]

  public init(
    frames: [Frame], headline: Frame? = nil, born: Amount, freed: Amount, callSites: [CallTree.NodeID] = []
  ) {
    self.frames = frames
    self.headline = headline
    self.born = born
    self.freed = freed
    self.callSites = callSites
  }
}

/// A node of the inverted tree: what was allocated by `frame` when called as its ancestors in the tree say.
public struct DiffNode: Sendable {
  public var frame: Frame
  public var born: Amount
  public var freed: Amount
  public var net: Amount { born - freed }
  /// Callers, ordered as the rows are.
  public var children: [DiffNode]

  public init(frame: Frame, born: Amount, freed: Amount, children: [DiffNode] = []) {
    self.frame = frame
    self.born = born
    self.freed = freed
    self.children = children
  }
}
