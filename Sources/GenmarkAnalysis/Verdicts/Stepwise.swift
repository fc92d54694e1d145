// SPDX-License-Identifier: MIT
//
// Stepwise: grows, but not in every cycle: each n-th, in some irregular ones, or as a container that doubles.

import GenmarkModel

enum StepwiseRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    guard let first = evidence.events.first, falls(evidence) <= 0.1 else { return nil }
    if let doubling = evidence.doubling {
      guard doubling.isLong, !doubling.isOverdue else { return nil }
      return Judgement(
        .stepwise, .high, of: evidence,
        why: "It doubles, \(doubling.steps) times so far, always when it was due: what it holds grows evenly.",
        fromCycle: doubling.first)
    }
    return periodic(evidence, from: first) ?? thinned(evidence, from: first) ?? extended(evidence)
      ?? irregular(evidence, from: first)
  }

  /// What took growth back: survivors that stand for older blocks, old births that go, or bytes that fell.
  private static func falls(_ evidence: Evidence) -> Double {
    evidence.unit == .blocks ? max(evidence.mismatch, 2 * evidence.drained) : evidence.fallenBytes
  }

  private static func periodic(_ evidence: Evidence, from first: Int) -> Judgement? {
    guard let period = evidence.period(from: first), period.length > 1 else { return nil }
    let range = evidence.wholePeriods(period, from: first)
    let weight = evidence.window.weights.first ?? 1
    return Judgement(
      .stepwise, period.repeats >= 3 ? .certain : .high, of: evidence, over: range,
      why: "Growth repeats exactly every \(period.length * weight) cycles, \(period.repeats) times.",
      period: period.length * weight, fromCycle: evidence.number(first))
  }

  /// A thinned history of rare growth has no empty cycles, but the same number of blocks, fewer than cycles, in each.
  private static func thinned(_ evidence: Evidence, from first: Int) -> Judgement? {
    guard evidence.unit == .blocks, evidence.events.count == evidence.count - first,
      let period = evidence.period(from: first), let weight = evidence.window.weights.max(), weight > 1
    else { return nil }
    let range = evidence.wholePeriods(period, from: first)
    let cycles = evidence.window.weights.dropFirst(range.lowerBound).prefix(range.count).reduce(0, +)
    let blocks = evidence.growth[range].reduce(0, +)
    guard blocks > 0, blocks < Int64(cycles) else { return nil }
    let whole = Int64(cycles) % blocks == 0 ? Int(Int64(cycles) / blocks) : nil
    return Judgement(
      .stepwise, period.repeats >= 3 ? .certain : .high, of: evidence, over: range,
      why: "\(blocks) blocks in \(counted(cycles, "cycle")), the same in each stretch of \(period.length * weight).",
      period: whole, fromCycle: evidence.number(range.lowerBound))
  }

  /// The pattern shows only when warm-up and settling are looked at as well.
  private static func extended(_ evidence: Evidence) -> Judgement? {
    guard let period = evidence.extendedPeriod, period.length > 1, period.length <= evidence.count else { return nil }
    let repeats = max(1, evidence.count / period.length)
    let range = (evidence.count - repeats * period.length)..<evidence.count
    return Judgement(
      .stepwise, .high, of: evidence, over: range,
      why: "Growth repeats every \(period.length) cycles, the first and the newest ones included.",
      period: period.length, fromCycle: evidence.number(range.lowerBound))
  }

  /// At least four times, evenly over the window, also at its end, and for bytes in a third of the cycles.
  private static func irregular(_ evidence: Evidence, from first: Int) -> Judgement? {
    let events = evidence.events.count
    let isThinned = evidence.window.weights.contains { $0 > 1 }
    guard events >= 4, events < evidence.count || isThinned, evidence.chanceOfTrailing >= 0.05 else { return nil }
    if evidence.unit == .bytes, events * 3 < evidence.count { return nil }
    let places = evidence.events.map { (Double($0) + 0.5) / Double(evidence.count) }
    guard Trend.laplace(places) > -1, Trend.fading(evidence.growthPerCycle) == .steady else { return nil }
    return Judgement(
      .stepwise, events >= 8 ? .high : .low, of: evidence,
      why: "\(events) of \(counted(evidence.count, "judged cycle")) kept something, evenly spread.",
      fromCycle: evidence.number(first))
  }
}
