// SPDX-License-Identifier: MIT
//
// Saturating: grew, and stops or fades out: caches that fill, pools, buffers for the longest need.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct SaturatingTests {
  @Test(arguments: Cycles.lengths) func poolThatDoubles(_ cycles: Int) {
    // Chunks of 16, 32, 64 … objects, when a cycle needs more than all of them hold.
    var matrix = SurvivalMatrix(cycles: cycles)
    var chunk = 16
    var held = 0
    for cycle in 0..<cycles {
      while held < 60 * min(cycle + 1, 14) {
        for mark in cycle..<cycles { matrix.alive[cycle][mark] += Amount(blocks: 1, bytes: Int64(8 + chunk * 48)) }
        held += chunk
        chunk *= 2
      }
    }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  @Test(arguments: Cycles.lengths) func vectorThatDoublesToABound(_ cycles: Int) {
    var random = Random(31)
    var capacity = 8
    let lengths = (1...cycles).map { cycle in
      let need = cycle <= 12 ? 100 * cycle : 200 + Int.random(in: 0..<1000, using: &random)
      while capacity < need { capacity *= 2 }
      return capacity * 4
    }
    #expect(!SurvivalMatrix(lengths: lengths).judge().verdict.isGrowth)
  }

  @Test(arguments: [15, 40, 200]) func bufferOfTheLongestLineSoFar(_ cycles: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = Random(seed)
      var longest = 0
      let lengths = (1...cycles).map { cycle in
        longest = max(longest, cycle <= 12 ? 40 + 30 * cycle : 100 + Int.random(in: 0..<300, using: &random))
        return longest
      }
      #expect(!SurvivalMatrix(lengths: lengths).judge().verdict.isGrowth)
    }
  }

  @Test(arguments: Cycles.lengths) func cacheOfRandomKeys(_ cycles: Int) {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = Random(seed)
      var known: Set<Int> = []
      let kept = (1...cycles).map { _ in
        (0..<60).count { _ in known.insert(Int.random(in: 0..<300, using: &random)).inserted }
      }
      #expect(!SurvivalMatrix(kept: kept).judge().verdict.isGrowth, "\(kept)")
    }
  }

  @Test func leakThatStops() {
    for stop in 10...34 {
      let judgement = SurvivalMatrix(kept: (1...40).map { $0 < stop ? 4 : 0 }).judge()
      #expect(judgement.verdict == .saturating, "stopped in \(stop)")
    }
  }

  @Test(arguments: [30, 40, 200]) func aTableThatIsFullAfterTwentyCycles(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 <= 20 ? 1 : 0 }, bytes: 512).judge()
    #expect(judgement.verdict == .saturating)
  }
}
