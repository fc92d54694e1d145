// SPDX-License-Identifier: MIT
//
// VerdictRule: one rule a verdict, one file a rule, and the order in which they are asked. The first that answers
// decides. Thresholds stand in the rules, with their reasons.

import GenmarkModel

/// Blocks and bytes per program cycle.
struct Rate: Equatable, Sendable {
  var blocks: Double
  var bytes: Double
  static let zero = Rate(blocks: 0, bytes: 0)
}

/// What a rule found.
struct Judgement: Equatable {
  var verdict: Verdict
  var certainty: Certainty
  /// Per program cycle, over `range`.
  var rate: Rate
  /// Judged cycles, as indices of `Evidence.growth`, over which the rate was taken.
  var range: Range<Int>
  var why: String
  /// In program cycles.
  var period: Int?
  /// Program cycle, from 1, from which the growth is steady.
  var fromCycle: Int?
  var furtherCycles: Int?

  init(
    _ verdict: Verdict, _ certainty: Certainty, of evidence: Evidence, over range: Range<Int>? = nil, why: String,
    period: Int? = nil, fromCycle: Int? = nil, furtherCycles: Int? = nil
  ) {
    self.verdict = verdict
    self.certainty = certainty
    self.range = range ?? 0..<evidence.count
    rate = evidence.rate(over: self.range)
    self.why = why
    self.period = period
    self.fromCycle = fromCycle
    self.furtherCycles = furtherCycles
  }
}

protocol VerdictRule {
  /// Nil when the rule does not apply.
  static func judge(_ evidence: Evidence) -> Judgement?
}

enum VerdictRules {
  /// In the order in which they are asked.
  static let all: [@Sendable (Evidence) -> Judgement?] = [
    TooFewCyclesRule.judge, WarmUpRule.judge, OneOffRule.judge, TurnoverRule.judge, LeakRule.judge,
    SaturatingRule.judge, StepwiseRule.judge, NoiseRule.judge, InconclusiveRule.judge,
  ]

  static func judge(_ evidence: Evidence) -> Judgement {
    for rule in all { if let judgement = rule(evidence) { return judgement } }
    return Judgement(.none, .certain, of: evidence, why: "Nothing is kept.")
  }
}

/// "1 cycle", "3 cycles".
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
