// SPDX-License-Identifier: MIT
//
// Noise: up and down without direction.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct NoiseTests {
  @Test(arguments: Cycles.lengths) func queueOfRandomLength(_ cycles: Int) {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = Random(seed)
      var matrix = SurvivalMatrix(cycles: cycles)
      var queue: [Int] = []
      for mark in 0..<cycles {
        let coming = min(Int.random(in: 0...60, using: &random), 120 - queue.count)
        queue += Array(repeating: mark, count: coming)
        queue.removeFirst(min(queue.count, Int.random(in: 0...60, using: &random)))
        for birth in queue { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 128) }
      }
      #expect(!matrix.judge().verdict.isGrowth)
    }
  }

  @Test(arguments: Cycles.lengths) func populationThatWanders(_ cycles: Int) {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = Random(seed)
      var matrix = SurvivalMatrix(cycles: cycles)
      var population: [Int] = []
      for mark in 0..<cycles {
        let want = Int.random(in: 800...1200, using: &random)
        while population.count < want { population.append(mark) }
        while population.count > want {
          population.swapAt(Int.random(in: population.indices, using: &random), population.count - 1)
          population.removeLast()
        }
        for birth in population { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 64) }
      }
      let judgement = matrix.judge()
      #expect(
        !judgement.verdict.isGrowth,
        "\(judgement) \(matrix.series.survivors.map(\.blocks.count)) \(matrix.series.live.map(\.blocks.count))")
    }
  }

  @Test func reserveThatShrinks() {
    var matrix = SurvivalMatrix(cycles: 40)
    for mark in 0..<40 { matrix.alive[0][mark] = Amount(blocks: Int64(47 - mark), bytes: Int64(1024 * (47 - mark))) }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  /// Grows, and is given back as a whole, again and again: at any moment of it, also while it grows.
  @Test(arguments: 20...60) func saw(_ cycles: Int) {
    var matrix = SurvivalMatrix(cycles: cycles)
    for mark in 0..<cycles {
      for birth in (mark / 8 * 8)...mark { matrix.alive[birth][mark] = Amount(blocks: 6, bytes: 384) }
    }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  @Test(arguments: 26...60) func wave(_ cycles: Int) {
    var matrix = SurvivalMatrix(cycles: cycles)
    var queue: [Int] = []
    for mark in 0..<cycles {
      let isRising = mark % 12 < 6
      queue += Array(repeating: mark, count: isRising ? 9 : 3)
      queue.removeFirst(min(queue.count, isRising ? 3 : 9))
      for birth in queue { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 96) }
    }
    #expect(!matrix.judge().verdict.isGrowth)
  }
}
