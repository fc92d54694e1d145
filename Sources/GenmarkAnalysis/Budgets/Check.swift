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
  /// Earlier recordings of the same program: what grew in them and does not grow faster now passes.
  public var baselines: [Baseline]
  /// Bytes per cycle by which a finding may be faster than in the baselines.
  public var slack: Bytes
  /// Whether what can not be judged passes. What was not recorded at all never does.
  public var passesInconclusive: Bool

  public init(
    budget: Budget = Budget(), suppressions: [Suppression] = [], today: String? = nil, baselines: [Baseline] = [],
    slack: Bytes = .zero, passesInconclusive: Bool = false
  ) {
    self.budget = budget
    self.suppressions = suppressions
    self.today = today
    self.baselines = baselines
    self.slack = slack
    self.passesInconclusive = passesInconclusive
  }
}

/// Holds growth against a budget.
public enum Check {
  /// `inconclusive` when the recording has losses or too few judged cycles, whatever else; `fail` when something is over
  /// budget. A finding that could not be judged, and would be over budget if it grew on as it did, makes `inconclusive`
  /// where nothing grows for sure, and `fail` where something does, be it excused or within budget. So whether doubt or
  /// excess decides is a property of the recording and not of the options: a stricter option, which only adds to both,
  /// never gives a lower exit status.
  public static func report(of growth: GrowthReport, options: CheckOptions = CheckOptions()) -> CheckReport {
    var check = Holder(options, growth)
    for finding in growth.findings where finding.isReported { check.hold(finding) }
    check.holdTotal()
    var report = CheckReport(growth: growth, outcome: .pass)
    report.exceeded = check.exceeded
    report.excused = check.excused
    report.unused = check.unused
    report.suppressions = check.suppressionsUsed
    report.reasons = growth.inconclusive + check.doubts
    if growth.isEmpty, growth.inconclusive.isEmpty {
      report.reasons.append(
        "No block was recorded at all. Does the program allocate with malloc, and not with an allocator of its own?")
    }
    for baseline in options.baselines {
      report.notes += (baseline.inconclusive + baseline.notes).map { "baseline \(baseline.name): \($0)" }
    }
    if growth.isEmpty || !growth.inconclusive.isEmpty && !options.passesInconclusive {
      report.outcome = .inconclusive
    } else if !check.exceeded.isEmpty {
      report.outcome = .fail
    } else if !check.doubts.isEmpty, !options.passesInconclusive {
      report.outcome = .inconclusive
    }
    return report
  }

  /// Goes through findings and keeps the books.
  private struct Holder {
    let options: CheckOptions
    let allowances: Allowances
    /// Something grows for sure: then what can not be judged is held against the limits as if it did.
    let holdsDoubts: Bool
    var exceeded: [CheckReport.Exceeded] = []
    var excused: [CheckReport.Excused] = []
    var doubts: [String] = []
    private var total = Rate.zero
    private var uses: [Int: CheckReport.SuppressionUse] = [:]
    private var usedExceptions: Set<Int> = []

    init(_ options: CheckOptions, _ growth: GrowthReport) {
      self.options = options
      holdsDoubts = !options.passesInconclusive && growth.findings.contains(where: \.verdict.isGrowth)
      allowances = Allowances(options.baselines, for: growth.findings.filter(\.isReported))
    }

    var unused: [String] {
      options.suppressions.indices.filter { uses[$0] == nil }.map { options.suppressions[$0].text }
        + options.budget.exceptions.indices.filter { !usedExceptions.contains($0) }
        .map { options.budget.exceptions[$0].pattern.shown }
    }

    var suppressionsUsed: [CheckReport.SuppressionUse] { uses.sorted { $0.key < $1.key }.map(\.value) }

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
      if let allowance = allowances[finding] {
        // Rates differ a little by where the cycles were cut off.
        let same = 1 + Comparison.tolerance
        let allowed = allowance.bytes * same + Double(options.slack.count)
        if rate.bytes <= allowed, rate.blocks <= allowance.blocks * same || options.slack > .zero {
          excused.append(
            CheckReport.Excused(
              fingerprint: finding.fingerprint, reason: "grows no faster than in the baseline", pattern: "baseline"))
          return
        }
        rate = Rate(blocks: max(0, rate.blocks - allowance.blocks), bytes: max(0, rate.bytes - allowance.bytes))
      }
      let over = limits(for: finding).filter { $0.isExceeded(by: rate) }
      if finding.verdict.isGrowth {
        total = Rate(blocks: total.blocks + rate.blocks, bytes: total.bytes + rate.bytes)
        for limit in over {
          exceeded.append(
            CheckReport.Exceeded(fingerprint: finding.fingerprint, limit: limit.text, value: limit.value(of: rate)))
        }
      } else if !over.isEmpty, holdsDoubts {
        for limit in over {
          exceeded.append(
            CheckReport.Exceeded(
              fingerprint: finding.fingerprint, limit: limit.text + ", as far as can be told",
              value: limit.value(of: rate)))
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

    /// Accepted in the budget. Where only expired exceptions are left, it is over budget, and that is said.
    private mutating func isExcepted(_ finding: Finding) -> Bool {
      var expired: BudgetException?
      var valid: BudgetException?
      for (index, exception) in options.budget.exceptions.enumerated() where exception.pattern.matches(finding) {
        usedExceptions.insert(index)
        if let until = exception.until, let today = options.today, until < today {
          expired = expired ?? exception
        } else {
          valid = valid ?? exception
        }
      }
      if let valid {
        excused.append(
          CheckReport.Excused(fingerprint: finding.fingerprint, reason: valid.reason, pattern: valid.pattern.shown))
        return true
      }
      if let expired, finding.verdict.isGrowth {
        exceeded.append(
          CheckReport.Exceeded(
            fingerprint: finding.fingerprint,
            limit: "exception \(expired.pattern.shown) expired \(expired.until ?? "")", value: finding.bytesPerCycle))
      }
      return false
    }

    /// What is left of a finding's rate without suppressed call sites.
    private mutating func unsuppressed(_ finding: Finding) -> Rate {
      var rest = Rate.zero
      var matched: [Int] = []
      for site in finding.callSites where finding.verdict.isGrowth ? site.verdict.isGrowth : site.verdict.isReported {
        if let index = options.suppressions.firstIndex(where: { $0.pattern.matches(site.frames) }) {
          var use = uses[index] ?? CheckReport.SuppressionUse(suppression: options.suppressions[index])
          use.add(site, isFirstOfFinding: !matched.contains(index))
          uses[index] = use
          if !matched.contains(index) { matched.append(index) }
        } else {
          rest = Rate(blocks: rest.blocks + site.blocksPerCycle, bytes: rest.bytes + site.bytesPerCycle)
        }
      }
      for index in matched {
        excused.append(
          CheckReport.Excused(
            fingerprint: finding.fingerprint, reason: options.suppressions[index].reason,
            pattern: options.suppressions[index].text))
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
