// SPDX-License-Identifier: MIT
//
// Period: growth that repeats exactly, every n-th cycle or in a longer pattern.

import GenmarkModel

/// A pattern of growth that repeats.
struct Period: Equatable {
  /// Cycles from one repetition to the next, in the unit of the values (kept cycles).
  var length: Int
  /// Whole repetitions that were seen.
  var repeats: Int

  /// The shortest period of some values that was seen at least twice, and in which something happens at least three
  /// times in all; nil when there is none. Equal values have the period 1.
  /// - Complexity: O(n²) for n values, of which the last 256 are looked at
  static func find<Value: Equatable>(in all: [Value], isEvent: (Value) -> Bool) -> Period? {
    let values = all.suffix(256)
    guard values.count >= 3, values.count(where: isEvent) >= 3 else { return nil }
    for length in 1...max(1, values.count / 2) {
      if values.dropFirst(length).elementsEqual(values.dropLast(length)) {
        return Period(length: length, repeats: values.count / length)
      }
    }
    return nil
  }
}

extension Evidence {
  /// The period of the growth from one judged cycle on; nil when it is none.
  func period(from index: Int) -> Period? {
    // Cycles of unequal weight (the ends of a thinned history) do not repeat as they stand.
    let gate = unit == .blocks ? 1 : Evidence.gateBytes
    return Period.find(in: Array(growth[index...])) { $0 >= gate }
  }

  /// The period of the whole recording, warm-up and settling included; for when too little of it is judged. The first
  /// cycle is left out if it spoils it, as it also holds what the program does only once.
  var extendedPeriod: Period? {
    guard unit == .blocks, !events.isEmpty else { return nil }
    let all = series.live.indices.map { cycle in
      max(0, min(series.survivors[cycle].blocks.count, series.change(cycle).blocks.count))
    }
    return Period.find(in: all) { $0 > 0 } ?? Period.find(in: Array(all.dropFirst())) { $0 > 0 }
  }

  /// The newest judged cycles from `index` on that are whole periods, of blocks and, where they have one, of bytes.
  func wholePeriods(_ period: Period, from index: Int) -> Range<Int> {
    var length = period.length
    let amounts = (index..<count).map { i in
      unit == .blocks ? series.survivors[window.judged.lowerBound + i] : changes[i]
    }
    if let both = Period.find(in: amounts, isEvent: { $0.blocks.count > 0 || $0.bytes.count >= Evidence.gateBytes }) {
      length = both.length
    }
    let repeats = (count - index) / length
    return repeats > 0 ? (count - repeats * length)..<count : index..<count
  }
}
