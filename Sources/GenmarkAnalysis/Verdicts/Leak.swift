// SPDX-License-Identifier: MIT
//
// Leak: grows in every cycle, and does not fade. Also growth that began later, and growth under noise of the same
// call site, where old births that stay are what tells it from a population that only turns over.

import GenmarkModel

enum LeakRule: VerdictRule {
  static func judge(_ evidence: Evidence) -> Judgement? {
    evidence.unit == .blocks ? everyCycle(evidence) ?? underNoise(evidence) : bytesEveryCycle(evidence)
  }

  /// The growing cycles at the end of the window count when they are many enough: three at least, as for any
  /// judgement, and a fifth of the window if they are equal, a third if they are not.
  private static func start(_ evidence: Evidence) -> Int? {
    var start = evidence.count - evidence.tailRun
    guard evidence.tailRun >= TooFewCyclesRule.least else { return nil }
    if !evidence.isConstant(from: start), evidence.tailRun > TooFewCyclesRule.least,
      evidence.isConstant(from: start + 1)
    {
      // It began in the middle of a cycle; or, where enough follow, with something that is needed only once.
      let growth = evidence.growthPerCycle
      if growth[start] < growth[start + 1] || evidence.tailRun >= 6 { start += 1 }
    }
    if start == 0 { return 0 }
    let isConstant = evidence.isConstant(from: start)
    guard (evidence.count - start) * (isConstant ? 5 : 3) >= evidence.count else { return nil }
    // Growth by chance that came in most of the earlier cycles too did not begin here.
    let before = evidence.events.count { $0 < start }
    if !isConstant, 2 * before > start { return nil }
    // What grew before and was given back grows again; it must outgrow that to be more than a saw.
    let last = evidence.window.judged.upperBound - 1
    let gained = evidence.level(last) - evidence.level(evidence.window.judged.lowerBound + start - 1)
    return 2 * gained > 3 * evidence.tooth(before: start) ? start : nil
  }

  private static func everyCycle(_ evidence: Evidence) -> Judgement? {
    guard let start = start(evidence), !evidence.stoppedLast else { return nil }
    let run = evidence.count - start
    let settled = evidence.evenBirths(from: start)
    let isSettled = settled > 0
    guard isSettled || (evidence.explained >= 0.8 && evidence.drained <= 0.1) else { return nil }
    // Less than a block a cycle on the average of a thinned history can not be one in every cycle.
    if belowOneBlock(evidence, from: start) { return nil }
    let period = evidence.period(from: start)
    let steady = period != nil || Trend.fading(Array(evidence.growthPerCycle[start...])) == .steady
    guard steady else { return nil }
    if isSettled, settled < run {
      return leak(evidence, start: start, range: start..<(start + settled), period: period)
    }
    let range = period.map { evidence.wholePeriods($0, from: start) } ?? start..<evidence.count
    return leak(evidence, start: start, range: range, period: period)
  }

  private static func belowOneBlock(_ evidence: Evidence, from start: Int) -> Bool {
    let cycles = Array(evidence.window.weights)[start...].reduce(0, +)
    return evidence.growth[start...].reduce(0, +) < Int64(cycles)
  }

  private static func leak(_ evidence: Evidence, start: Int, range: Range<Int>, period: Period?) -> Judgement {
    let run = evidence.count - start
    let constant = evidence.isConstant(from: start)
    let certainty: Certainty
    if run >= 5, constant || period.map({ $0.repeats >= 3 }) == true, evidence.drained == 0 {
      certainty = .certain
    } else {
      certainty = run >= 5 || constant ? .high : .low
    }
    let since = start == 0 ? "Every one of \(run) judged cycles" : "Every cycle since cycle \(evidence.number(start))"
    let same = constant ? "the same amount each time" : "and it does not become less"
    let what = evidence.unit == .blocks ? "kept blocks" : "made the blocks that were there longer"
    return Judgement(
      .leak, certainty, of: evidence, over: range, why: "\(since) \(what), \(same).", period: 1,
      fromCycle: evidence.number(start))
  }

  /// The blocks stay and get longer. Blocks that are replaced by bigger ones may do so by chance, as sizes do vary:
  /// then it takes more cycles.
  private static func bytesEveryCycle(_ evidence: Evidence) -> Judgement? {
    let least = isReplaced(evidence) ? 8 : 4
    guard let start = start(evidence), evidence.tailRun >= least, evidence.doubling == nil, !evidence.stoppedLast else {
      return nil
    }
    let period = evidence.period(from: start)
    guard period != nil || Trend.fading(Array(evidence.growthPerCycle[start...])) == .steady else { return nil }
    let range = period.map { evidence.wholePeriods($0, from: start) } ?? start..<evidence.count
    return leak(evidence, start: start, range: range, period: period)
  }

  /// Nothing that is alive is older than a third of the window.
  private static func isReplaced(_ evidence: Evidence) -> Bool {
    let young = evidence.window.judged.upperBound - evidence.count / 3
    return evidence.series.survivors[..<young].allSatisfy { $0.blocks == .zero }
  }

  /// A leak where blocks of the same call site also come and go. Old births must keep survivors, nearly all of them, and
  /// hardly lose any more; and what is alive must rise in a way that chance brings in less than 1 of 100 times,
  /// in the second half as well.
  private static func underNoise(_ evidence: Evidence) -> Judgement? {
    guard evidence.count >= 8, evidence.drained <= 0.25, evidence.mismatch > 0 else { return nil }
    let old = evidence.retained.prefix(evidence.count * 2 / 3)
    let keeping = old.count { $0 > 0 }
    guard 10 * keeping >= 9 * old.count else { return nil }
    let weights = evidence.window.weights
    var time = 0.0
    let x = weights.map { weight -> Double in
      time += Double(weight)
      return time
    }
    let y = evidence.window.judged.map { Double(evidence.series.live[$0].blocks.count) }
    guard Trend.mannKendall(y, rising: true) < 0.01 else { return nil }
    let half = y.count / 2
    let slope = Trend.theilSen(x: x, y: y)
    let late = Trend.theilSen(x: Array(x[half...]), y: Array(y[half...]))
    let oldRate = evidence.rate(over: 0..<old.count)
    guard slope >= 0.5 * oldRate.blocks, late >= 0.4 * slope, oldRate.blocks > 0 else { return nil }
    return Judgement(
      .leak, evidence.count >= 15 ? .high : .low, of: evidence, over: 0..<old.count,
      why: "Blocks come and go, but \(keeping) of the \(old.count) older cycles keep some, and the number alive rises.",
      period: 1, fromCycle: evidence.number(0))
  }
}
