// SPDX-License-Identifier: MIT
//
// Random: a generator with a seed (SplitMix64), so that drawn series are the same on every machine.

struct Random: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0xd129_42f5_1b3c_7e6d }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
