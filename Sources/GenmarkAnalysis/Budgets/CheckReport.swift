// SPDX-License-Identifier: MIT
//
// CheckReport: the outcome of a check, decided, ready to be written down. Computed by Check.

import GenmarkModel

/// Growth held against a budget.
public struct CheckReport: Sendable {
  public var growth: GrowthReport
  public var outcome: Outcome
  /// Every limit that is exceeded.
  public var exceeded: [Exceeded]
  /// Findings that grow and are accepted or suppressed.
  public var excused: [Excused]
  /// Suppressions and exceptions that matched nothing.
  public var unused: [String]
  /// Suppressions that matched something, in their order, with what they took out.
  public var suppressions: [SuppressionUse]
  /// What can not be judged and why, in full sentences; the outcome is then inconclusive, unless that passes.
  public var reasons: [String]
  /// What else is to be said.
  public var notes: [String]

  public enum Outcome: String, Sendable, CaseIterable {
    case pass, fail, inconclusive
  }

  /// A limit that is exceeded.
  public struct Exceeded: Sendable, Hashable {
    /// Nil for a limit on the whole.
    public var fingerprint: String?
    /// As the user wrote it: `max-growth 0B`, `max-total 4096B`, `max-blocks 0`, or the expired exception.
    public var limit: String
    /// Bytes or blocks per cycle.
    public var value: Double
    public init(fingerprint: String?, limit: String, value: Double) {
      self.fingerprint = fingerprint
      self.limit = limit
      self.value = value
    }
  }

  /// A finding that grows and does not count.
  public struct Excused: Sendable, Hashable {
    public var fingerprint: String
    public var reason: String
    /// The pattern that excused it.
    public var pattern: String
    public init(fingerprint: String, reason: String, pattern: String) {
      self.fingerprint = fingerprint
      self.reason = reason
      self.pattern = pattern
    }
  }

  /// A suppression and what it took out.
  public struct SuppressionUse: Sendable, Hashable {
    public var suppression: Suppression
    public var findings: Int
    public var callSites: Int
    public var blocksPerCycle: Double
    public var bytesPerCycle: Double
    public var live: Amount
    public init(
      suppression: Suppression, findings: Int = 0, callSites: Int = 0, blocksPerCycle: Double = 0,
      bytesPerCycle: Double = 0, live: Amount = .zero
    ) {
      self.suppression = suppression
      self.findings = findings
      self.callSites = callSites
      self.blocksPerCycle = blocksPerCycle
      self.bytesPerCycle = bytesPerCycle
      self.live = live
    }

    mutating func add(_ site: JudgedCallSite, isFirstOfFinding: Bool) {
      if isFirstOfFinding { findings += 1 }
      callSites += 1
      blocksPerCycle += site.blocksPerCycle
      bytesPerCycle += site.bytesPerCycle
      live = live + site.live
    }
  }

  public init(
    growth: GrowthReport, outcome: Outcome, exceeded: [Exceeded] = [], excused: [Excused] = [], unused: [String] = [],
    suppressions: [SuppressionUse] = [], reasons: [String] = [], notes: [String] = []
  ) {
    self.growth = growth
    self.outcome = outcome
    self.exceeded = exceeded
    self.excused = excused
    self.unused = unused
    self.suppressions = suppressions
    self.reasons = reasons
    self.notes = notes
  }
}
