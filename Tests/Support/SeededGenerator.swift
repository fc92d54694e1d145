// SPDX-License-Identifier: MIT
//
// SeededGenerator: numbers that are the same for the same seed on every machine. What is done with them is in Mutation
// and TraceMutation.

/// Numbers from a seed (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number below `bound`, 0 for a bound of 0. A multiplication instead of a division: millions are drawn.
  public mutating func below(_ bound: Int) -> Int {
    bound <= 0 ? 0 : Int(UInt64(bound).multipliedFullWidth(by: next()).high)
  }

  /// One of a collection that is not empty.
  public mutating func pick<Values: RandomAccessCollection>(_ values: Values) -> Values.Element {
    values[values.index(values.startIndex, offsetBy: below(values.count))]
  }
}
