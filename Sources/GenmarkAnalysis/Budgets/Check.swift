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
  /// A recording with losses or too few judged cycles is `inconclusive`, whatever else; else what is over budget makes
  /// `fail`; else a finding that could not be judged, and would be over budget if it grew on as it did, makes
  /// `inconclusive`. So a stricter budget never gives a better outcome.
  public static func report(of growth: GrowthReport, options: CheckOptions = CheckOptions()) -> CheckReport {
    var check = Holder(options)
    for finding in growth.findings where finding.isReported { check.hold(finding) }
    check.holdTotal()
    var report = CheckReport(growth: growth, outcome: .pass)
    report.exceeded = check.exceeded
    report.excused = check.excused
    report.unused = check.unused
    report.reasons = growth.inconclusive + check.doubts
    if !growth.inconclusive.isEmpty {
      report.outcome = .inconclusive
    } else if !check.exceeded.isEmpty {
      report.outcome = .fail
    } else if !check.doubts.isEmpty {
      report.outcome = .inconclusive
    }
    return report
  }

  /// Goes through findings and keeps the books.
  private struct Holder {
    let options: CheckOptions
    var exceeded: [CheckReport.Exceeded] = []
    var excused: [CheckReport.Excused] = []
    var doubts: [String] = []
    private var total = Rate.zero
    private var usedSuppressions: Set<Int> = []
    private var usedExceptions: Set<Int> = []

    init(_ options: CheckOptions) { self.options = options }

    var unused: [String] {
      options.suppressions.indices.filter { !usedSuppressions.contains($0) }
        .map { "leak:" + options.suppressions[$0].pattern.text }
        + options.budget.exceptions.indices.filter { !usedExceptions.contains($0) }
        .map { options.budget.exceptions[$0].pattern.shown }
    }

    mutating func hold(_ finding: Finding) {
      if let reason = finding.known {
        excused.append(
          CheckReport.Excused(fingerprint: finding.fingerprint, reason: reason, pattern: "known to be bounded"))
        return
      }
      if isExcepted(finding) { return }
      let rest = unsuppressed(finding)
      if rest == .zero, finding.callSites.contains(where: \.verdict.isReported) { return }
      var rate = rest
      if let old = options.baseline?.findings.first(where: { $0.fingerprint == finding.fingerprint }) {
        let allowed = old.growingBytesPerCycle + Double(options.slack.count)
        if rate.bytes <= allowed, rate.blocks <= old.growingBlocksPerCycle || options.slack > .zero {
          excused.append(
            CheckReport.Excused(
              fingerprint: finding.fingerprint, reason: "grows no faster than in the baseline", pattern: "baseline"))
          return
        }
        rate = Rate(
          blocks: max(0, rate.blocks - old.growingBlocksPerCycle), bytes: max(0, rate.bytes - old.growingBytesPerCycle))
      }
      let over = limits(for: finding).filter { $0.isExceeded(by: rate) }
      if finding.verdict.isGrowth {
        total = Rate(blocks: total.blocks + rate.blocks, bytes: total.bytes + rate.bytes)
        for limit in over {
          exceeded.append(
            CheckReport.Exceeded(fingerprint: finding.fingerprint, limit: limit.text, value: limit.value(of: rate)))
        }
      } else if !over.isEmpty {
        let name = finding.headline?.function ?? finding.fingerprint
        let more = finding.furtherCycles.map { " About \($0) more cycles would tell." } ?? ""
        doubts.append("\(name): \(finding.why)\(more)")
      }
    }

    mutating func holdTotal() {
      guard let most = options.budget.maxTotal else { return }
      let limit = Limit.total(most)
      if limit.isExceeded(by: total) {
        exceeded.append(CheckReport.Exceeded(fingerprint: nil, limit: limit.text, value: limit.value(of: total)))
      }
    }

    /// Accepted in the budget. One that has expired counts as over budget and says so.
    private mutating func isExcepted(_ finding: Finding) -> Bool {
      for (index, exception) in options.budget.exceptions.enumerated() where exception.pattern.matches(finding) {
        usedExceptions.insert(index)
        if let until = exception.until, let today = options.today, until < today {
          if finding.verdict.isGrowth {
            exceeded.append(
              CheckReport.Exceeded(
                fingerprint: finding.fingerprint, limit: "exception \(exception.pattern.shown) expired \(until)",
                value: finding.bytesPerCycle))
          }
          continue
        }
        excused.append(
          CheckReport.Excused(
            fingerprint: finding.fingerprint, reason: exception.reason, pattern: exception.pattern.shown))
        return true
      }
      return false
    }

    /// What is left of a finding's rate without suppressed call sites.
    private mutating func unsuppressed(_ finding: Finding) -> Rate {
      var rest = Rate.zero
      var matched: [Int] = []
      for site in finding.callSites where finding.verdict.isGrowth ? site.verdict.isGrowth : site.verdict.isReported {
        if let index = options.suppressions.firstIndex(where: { $0.pattern.matches(site.frames) }) {
          if !matched.contains(index) { matched.append(index) }
        } else {
          rest = Rate(blocks: rest.blocks + site.blocksPerCycle, bytes: rest.bytes + site.bytesPerCycle)
        }
      }
      for index in matched {
        usedSuppressions.insert(index)
        excused.append(
          CheckReport.Excused(
            fingerprint: finding.fingerprint, reason: options.suppressions[index].reason,
            pattern: "leak:" + options.suppressions[index].pattern.text))
      }
      return rest
    }

    /// The first rule that matches, else the general limits, else none may grow.
    private func limits(for finding: Finding) -> [Limit] {
      let budget = options.budget
      if let rule = budget.rules.first(where: { $0.pattern.matches(finding) }) {
        let limits = [rule.maxGrowth.map(Limit.growth), rule.maxBlocks.map(Limit.blocks)].compactMap { $0 }
        if !limits.isEmpty { return limits }
      }
      let limits = [budget.maxGrowth.map(Limit.growth), budget.maxBlocks.map(Limit.blocks)].compactMap { $0 }
      if limits.isEmpty, budget.maxTotal == nil { return [.growth(.zero)] }
      return limits
    }
  }

  private enum Limit {
    case growth(Bytes), blocks(Blocks), total(Bytes)

    var text: String {
      switch self {
      case .growth(let most): "max-growth \(most.count)B"
      case .blocks(let most): "max-blocks \(most.count)"
      case .total(let most): "max-total \(most.count)B"
      }
    }

    func value(of rate: Rate) -> Double {
      switch self {
      case .growth, .total: rate.bytes
      case .blocks: rate.blocks
      }
    }

    /// Where nothing may grow, blocks of no bytes do not either.
    func isExceeded(by rate: Rate) -> Bool {
      switch self {
      case .growth(let most), .total(let most):
        rate.bytes > Double(most.count) || (most <= .zero && rate.blocks > 0)
      case .blocks(let most): rate.blocks > Double(most.count)
      }
    }
  }
}

extension Verdict {
  /// Grows, or could not be judged.
  var isReported: Bool { isGrowth || self == .inconclusive }
}

extension Pattern {
  /// True when a call site of the finding matches, or its fingerprint does.
  func matches(_ finding: Finding) -> Bool {
    matches(fingerprint: finding.fingerprint) || finding.callSites.contains { matches($0.frames) }
  }
}
