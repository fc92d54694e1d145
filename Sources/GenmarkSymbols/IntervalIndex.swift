// SPDX-License-Identifier: MIT
//
// IntervalIndex: which ranges of addresses contain an address. Ranges may overlap and nest, as those of compilation
// units and of functions do in real files.

/// A value for each of many address ranges, found by address.
struct IntervalIndex<Value> {
  struct Entry {
    var low: UInt64
    /// One past the last address; above `low`.
    var high: UInt64
    var value: Value
  }

  /// Ascending by `low`.
  private let entries: [Entry]
  /// `reach[i]` is the greatest `high` of entries 0 … i: where it is at or below an address, nothing to the left
  /// contains it.
  private let reach: [UInt64]

  /// Empty and inverted ranges are dropped.
  init(_ unsorted: [Entry]) {
    entries = unsorted.filter { $0.low < $0.high }.sorted { $0.low < $1.low }
    var reach: [UInt64] = []
    reach.reserveCapacity(entries.count)
    for entry in entries { reach.append(max(entry.high, reach.last ?? 0)) }
    self.reach = reach
  }

  var isEmpty: Bool { entries.isEmpty }

  /// All entries that contain the address, the one that begins last first.
  /// - Complexity: O(log n), plus the number of ranges that begin between the address and the outermost that holds it.
  func entries(containing address: UInt64) -> [Entry] {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    var found: [Entry] = []
    var index = low - 1
    while index >= 0, reach[index] > address {
      if entries[index].high > address { found.append(entries[index]) }
      index -= 1
    }
    return found
  }

  /// The narrowest entry that contains the address.
  func narrowest(containing address: UInt64) -> Entry? {
    entries(containing: address).min { $0.high - $0.low < $1.high - $1.low }
  }
}
