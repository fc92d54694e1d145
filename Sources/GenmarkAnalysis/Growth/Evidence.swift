// SPDX-License-Identifier: MIT
//
// Evidence: a growth series seen through a window: what the rules in Verdicts/ look at. No rule is in here.

import GenmarkModel

struct Evidence {
  let series: GrowthSeries
  let window: Window

  /// What grows, if anything does.
  enum Unit: Equatable {
    case blocks
    /// The number of blocks stays and their bytes rise: realloc, or a bigger block in place of the last one.
    case bytes
  }
  let unit: Unit
  /// Growth of each judged cycle in `unit`: blocks that are both born in it and kept, and more than there were before;
  /// or the rise in bytes. Not below 0.
  let growth: [Int64]
  /// Judged cycles, as indices of `growth`, that grow by at least the gate: 1 block or 16 bytes.
  let events: [Int]

  static let gateBytes: Int64 = 16

  /// Kept cycles that are judged.
  var count: Int { window.judged.count }
  private var first: Int { window.judged.lowerBound }

  init(_ series: GrowthSeries, _ window: Window) {
    self.series = series
    self.window = window
    let judged = window.judged
    let retained = judged.map { series.survivors[$0].blocks.count }
    let changes = judged.map { series.change($0) }
    let net = changes.reduce(.zero, +)
    let level = Evidence.isLevel(series, judged)
    if Evidence.appearsAndLengthens(series, judged) {
      unit = .bytes
    } else if retained.contains(where: { $0 > 0 }), net.blocks > .zero {
      unit = .blocks
    } else if level, net.bytes.count >= Evidence.gateBytes {
      unit = .bytes
    } else {
      unit = .blocks
    }
    switch unit {
    case .blocks: growth = zip(retained, changes).map { max(0, min($0, $1.blocks.count)) }
    case .bytes: growth = changes.map { max(0, $0.bytes.count) }
    }
    let gate = unit == .blocks ? 1 : Evidence.gateBytes
    events = growth.indices.filter { [growth] in growth[$0] >= gate }
  }

  /// The number of blocks hardly changes over the window.
  private static func isLevel(_ series: GrowthSeries, _ judged: Range<Int>) -> Bool {
    guard !judged.isEmpty else { return false }
    let blocks = series.live[max(0, judged.lowerBound - 1)..<judged.upperBound].map(\.blocks.count)
    guard let low = blocks.min(), let high = blocks.max() else { return false }
    return high > 0 && high - low <= high / 50
  }

  /// Blocks that first appear in the window, whose number then stays while their bytes rise: a container that is made
  /// anew, each time bigger. That it appeared is no growth of blocks.
  private static func appearsAndLengthens(_ series: GrowthSeries, _ judged: Range<Int>) -> Bool {
    guard judged.lowerBound > 0, series.live[judged.lowerBound - 1].blocks == .zero,
      let first = judged.first(where: { series.live[$0].blocks > .zero })
    else { return false }
    let later = first + 1..<judged.upperBound
    guard later.allSatisfy({ series.live[$0].blocks == series.live[first].blocks }) else { return false }
    return later.count { series.change($0).bytes.count >= gateBytes } >= 2
  }

  // MARK: What was kept

  /// Blocks born in each judged cycle and alive at the last mark.
  var retained: [Int64] { window.judged.map { series.survivors[$0].blocks.count } }
  var retainedTotal: Int64 { retained.reduce(0, +) }
  /// Kept of what was born in the warm-up.
  var retainedBefore: Int64 { series.survivors[..<window.judged.lowerBound].reduce(0) { $0 + $1.blocks.count } }
  /// Judged cycles of which something was alive at their own mark.
  var activeBirths: Int { window.judged.count { series.fresh[$0].blocks > .zero } }
  /// Change of what was alive, over the window.
  var net: Amount { window.judged.reduce(.zero) { $0 + series.change($1) } }
  var changes: [Amount] { window.judged.map { series.change($0) } }

  /// Share of what judged cycles keep that is growth, and not there in place of something older.
  var explained: Double {
    let total = retainedTotal
    return total == 0 ? 0 : Double(growth.reduce(0, +)) / Double(total)
  }

  /// How far what cycles keep and what they add differ, as a share of what they keep: 0 where blocks of these call sites
  /// only ever come, and only judged ones.
  var mismatch: Double {
    let differences = zip(retained, changes).reduce(Int64(0)) { $0 + abs($1.0 - $1.1.blocks.count) }
    return differences == 0 ? 0 : Double(differences) / Double(max(1, retainedTotal))
  }

  /// Share of the older judged births' blocks that went in the last third of the time; 0 where there are none.
  var drained: Double {
    let reference = GrowthSeries.reference(cycles: window.cycles.count)
    let last = max(first, reference - 2)
    guard first <= last, last < window.judged.upperBound, first <= reference else { return 0 }
    var then: Int64 = 0
    var now: Int64 = 0
    for birth in first...last {
      then += series.middle[birth].blocks.count
      now += min(series.middle[birth].blocks.count, series.survivors[birth].blocks.count)
    }
    return then == 0 ? 0 : Double(then - now) / Double(then)
  }

  /// Share of the net rise in bytes that falls took back on the way.
  var fallenBytes: Double {
    let falls = changes.reduce(Int64(0)) { $0 + max(0, -$1.bytes.count) }
    return net.bytes.count <= 0 ? 1 : Double(falls) / Double(net.bytes.count)
  }

  // MARK: Time

  /// Growth per program cycle.
  var growthPerCycle: [Double] { zip(growth, window.weights).map { Double($0) / Double($1) } }
  /// Kept cycles since the last event.
  var trailing: Int { events.last.map { count - 1 - $0 } ?? count }
  /// Kept cycles at the end of the window that all are events.
  var tailRun: Int {
    var run = 0
    while run < events.count, events[events.count - 1 - run] == count - 1 - run { run += 1 }
    return run
  }
  /// The settling cycles did not add anything. They are not judged, since what they add may go; but what does not come
  /// does not come.
  var stoppedLast: Bool {
    let settling = window.judged.upperBound..<window.cycles.count
    guard !settling.isEmpty else { return false }
    let change = settling.reduce(Amount.zero) { $0 + series.change($1) }
    return unit == .blocks ? change.blocks <= .zero : change.bytes <= .zero
  }
  /// Chance that as many cycles pass without growth as did at the end, if it came as often as it has on the whole.
  var chanceOfTrailing: Double {
    var chance = 1.0
    let quiet = 1 - Double(events.count) / Double(max(1, count))
    for _ in 0..<trailing { chance *= quiet }
    return chance
  }
  /// The number, from 1, that the program gave to a judged cycle.
  func number(_ index: Int) -> Int { window.cycles.firstNumber(of: first + index) }

  /// The same growth every time, from one judged cycle on.
  func isConstant(from index: Int) -> Bool {
    let weights = Array(window.weights)
    return growth.indices.dropFirst(index).allSatisfy {
      growth[$0] * Int64(weights[index]) == growth[index] * Int64(weights[$0])
    }
  }

  /// Births from `index` on that keep the same each, once those that go later are gone: of a fixed delay, the newest births
  /// tell nothing. 0 unless what is added is the same in each cycle, and the older half of the births and three at least
  /// keep exactly that.
  func evenBirths(from index: Int) -> Int {
    guard unit == .blocks, (growth.last ?? 0) > 0, isConstant(from: index) else { return 0 }
    let retained = Array(self.retained[index...])
    let even = retained.indices.first { retained[$0] != growth[index + $0] } ?? retained.count
    return even >= TooFewCyclesRule.least && 2 * even >= retained.count ? even : 0
  }

  /// Rise and fall before a judged cycle, the smaller of both: how large a tooth of a saw was by then, in `unit`.
  func tooth(before index: Int) -> Int64 {
    var low = level(first - 1)
    var peak = low
    var rise: Int64 = 0
    for cycle in first..<(first + index) {
      let level = level(cycle)
      if level > peak {
        peak = level
        rise = max(rise, peak - low)
      }
      low = min(low, level)
    }
    return min(rise, peak - level(first + index - 1))
  }

  /// What was alive at the mark of a kept cycle, in `unit`; 0 before the first.
  func level(_ cycle: Int) -> Int64 {
    guard cycle >= 0 else { return 0 }
    return unit == .blocks ? series.live[cycle].blocks.count : series.live[cycle].bytes.count
  }

  // MARK: Rates

  /// Blocks and bytes per program cycle over judged cycles: what they kept, or the rise where bytes are the unit.
  func rate(over range: Range<Int>) -> Rate { Evidence.rate(of: series, unit, over: range, in: window) }

  /// The same of any series, for the share that one of several call sites has.
  static func rate(of series: GrowthSeries, _ unit: Unit, over range: Range<Int>, in window: Window) -> Rate {
    let first = window.judged.lowerBound
    var sum = Amount.zero
    var cycles = 0
    for index in range {
      sum += unit == .blocks ? series.survivors[first + index] : series.change(first + index)
      cycles += window.cycles.weights[first + index]
    }
    guard cycles > 0 else { return .zero }
    // Blocks that get longer do not become more, though the first may have come in the window.
    let blocks = unit == .bytes ? 0 : Double(sum.blocks.count) / Double(cycles)
    return Rate(blocks: blocks, bytes: Double(sum.bytes.count) / Double(cycles))
  }
}
