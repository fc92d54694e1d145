// SPDX-License-Identifier: MIT
//
// Budget: how much may grow. What may grow without limit is a Suppression; who compares is Check. How
// genmark.json is written is in BudgetFile.

import GenmarkModel

/// Limits. Nil is no limit; with no limit at all, any growth is over budget.
public struct Budget: Sendable, Hashable {
  /// Bytes per finding and cycle.
  public var maxGrowth: Bytes?
  /// Bytes per cycle of all findings together.
  public var maxTotal: Bytes?
  /// Blocks per finding and cycle.
  public var maxBlocks: Blocks?
  /// Limits of single findings, the first that matches counts.
  public var rules: [BudgetRule]
  /// What is accepted, with a reason.
  public var exceptions: [BudgetException]
  /// What editors check the file against; kept as it is.
  public var schema: String?

  public init(
    maxGrowth: Bytes? = nil, maxTotal: Bytes? = nil, maxBlocks: Blocks? = nil, rules: [BudgetRule] = [],
    exceptions: [BudgetException] = []
  ) {
    self.maxGrowth = maxGrowth
    self.maxTotal = maxTotal
    self.maxBlocks = maxBlocks
    self.rules = rules
    self.exceptions = exceptions
  }
}

/// Limits for findings that match a pattern.
public struct BudgetRule: Sendable, Hashable {
  public var pattern: Pattern
  public var maxGrowth: Bytes?
  public var maxBlocks: Blocks?
  public init(pattern: Pattern, maxGrowth: Bytes? = nil, maxBlocks: Blocks? = nil) {
    self.pattern = pattern
    self.maxGrowth = maxGrowth
    self.maxBlocks = maxBlocks
  }
}

/// A finding that is accepted.
public struct BudgetException: Sendable, Hashable {
  public var pattern: Pattern
  public var reason: String
  /// Last day on which it holds, as YYYY-MM-DD; nil for ever.
  public var until: String?
  public init(pattern: Pattern, reason: String, until: String? = nil) {
    self.pattern = pattern
    self.reason = reason
    self.until = until
  }
}
