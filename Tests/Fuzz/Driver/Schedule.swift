// SPDX-License-Identifier: MIT
//
// Kind and Schedule: what a kind of input is, and which one has its turn. The kinds themselves are in the files named
// after what they damage.

import GenmarkTestSupport

/// A kind of input: how to make a damaged one, and what to do with it.
struct Kind {
  let name: String
  /// Turns of 32.
  let turns: Int
  /// What is damaged; all of it can be read.
  let sound: [[UInt8]]
  let make: (inout SeededGenerator) -> [UInt8]
  /// True when it was read, false when it was refused. The number says how much is done with what was read.
  let attempt: ([UInt8], UInt64) -> Bool

  static func all(traces: [[UInt8]]) -> [Kind] {
    [.trace(traces), .pack, .budget, .suppressions, .baseline, .symbolCache, .names, .words]
  }
}

/// Whose turn it is, by the number of the input alone.
struct Schedule {
  let kinds: [Kind]
  private let order: [Int]

  init(_ kinds: [Kind], only: String?) {
    self.kinds = kinds
    let chosen = kinds.indices.filter { only == nil || kinds[$0].name == only }
    var order: [Int] = []
    // One after the other as long as they have turns left, so that short runs see all of them.
    for round in 0..<32 { order += chosen.filter { kinds[$0].turns > round } }
    self.order = order.isEmpty ? Array(kinds.indices) : order
  }

  func kind(of number: UInt64) -> Int { order[Int(number % UInt64(order.count))] }

  func input(_ number: UInt64, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 0x1_0000_0001 &+ number)
    return kinds[kind(of: number)].make(&generator)
  }
}
