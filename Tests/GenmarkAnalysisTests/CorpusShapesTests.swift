// SPDX-License-Identifier: MIT
//
// The shapes of growth that programs really have, at 7, 15, 40 and 200 cycles: what must be found with its
// exact rate, and what must never be.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

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

@Suite struct CorpusShapesTests {
  static let lengths = [7, 15, 40, 200]

  @Test(arguments: lengths) func linearLeak(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: Array(repeating: 2, count: cycles), bytes: 48).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.certainty == .certain)
    #expect(judgement.rate == Rate(blocks: 2, bytes: 96))
  }

  @Test(arguments: [15, 40, 200]) func everyThirdCycle(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % 3 == 0 ? 1 : 0 }, bytes: 96).judge()
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.rate == Rate(blocks: 1.0 / 3, bytes: 32))
    #expect(judgement.period == 3)
  }

  @Test(arguments: [15, 40, 200]) func threeCyclesInFour(_ cycles: Int) {
    let judgement = SurvivalMatrix(kept: (1...cycles).map { $0 % 4 == 0 ? 0 : 1 }, bytes: 544).judge()
    #expect(judgement.verdict == .stepwise)
    #expect(judgement.rate == Rate(blocks: 0.75, bytes: 408))
  }

  @Test(arguments: [15, 40, 200]) func fullCacheIsTurnover(_ cycles: Int) {
    let matrix = SurvivalMatrix(fifo: Array(repeating: 5, count: cycles), capacity: 50, bytes: 200)
    #expect([.turnover, .saturating].contains(matrix.judge().verdict))
  }

  @Test func cacheIsNeverALeakOnceItDropsAnything() {
    for cycles in 11...60 {
      let matrix = SurvivalMatrix(fifo: Array(repeating: 5, count: cycles), capacity: 50)
      #expect(!matrix.judge().verdict.isGrowth, "\(cycles) cycles")
    }
  }

  @Test(arguments: lengths) func doubleBufferIsTurnover(_ cycles: Int) {
    let matrix = SurvivalMatrix(fifo: Array(repeating: 1, count: cycles), capacity: 2, bytes: 65536)
    #expect(matrix.judge().verdict == .turnover)
  }

  @Test(arguments: lengths) func replacedTextOfChangingLength(_ cycles: Int) {
    var matrix = SurvivalMatrix(cycles: cycles)
    for mark in 0..<cycles { matrix.alive[mark][mark] = Amount(blocks: 1, bytes: Int64(24 + mark % 9 * 8)) }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  @Test(arguments: lengths) func poolThatDoubles(_ cycles: Int) {
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

  @Test(arguments: lengths) func vectorThatDoublesToABound(_ cycles: Int) {
    var random = Random(31)
    var capacity = 8
    let lengths = (1...cycles).map { cycle in
      let need = cycle <= 12 ? 100 * cycle : 200 + Int.random(in: 0..<1000, using: &random)
      while capacity < need { capacity *= 2 }
      return capacity * 4
    }
    #expect(!SurvivalMatrix(lengths: lengths).judge().verdict.isGrowth)
  }

  @Test(arguments: [40, 200]) func vectorThatDoublesWithoutEnd(_ cycles: Int) {
    var capacity = 8
    let lengths = (1...cycles).map { cycle in
      while capacity < 100 * cycle { capacity *= 2 }
      return capacity * 4
    }
    #expect(SurvivalMatrix(lengths: lengths).judge(warmUp: cycles / 10).verdict == .stepwise)
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

  @Test(arguments: lengths) func blockLengthenedEveryCycle(_ cycles: Int) {
    let judgement = SurvivalMatrix(lengths: (1...cycles).map { 256 * $0 }).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.rate == Rate(blocks: 0, bytes: 256))
  }

  @Test(arguments: lengths) func warmUpOfFourCycles(_ cycles: Int) {
    let matrix = SurvivalMatrix(kept: (1...cycles).map { $0 <= 4 ? 25 : 0 })
    #expect(!matrix.judge().verdict.isGrowth)
    if cycles >= 15 { #expect(matrix.judge(warmUp: 4).verdict == .warmUp) }
  }

  @Test(arguments: [15, 40, 200]) func onceInCycleFive(_ cycles: Int) {
    let matrix = SurvivalMatrix(kept: (1...cycles).map { $0 == 5 ? 1 : 0 }, bytes: 10_485_760)
    #expect(matrix.judge().verdict == .oneOff)
  }

  @Test(arguments: lengths) func cacheOfRandomKeys(_ cycles: Int) {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = Random(seed)
      var known: Set<Int> = []
      let kept = (1...cycles).map { _ in
        (0..<60).count { _ in known.insert(Int.random(in: 0..<300, using: &random)).inserted }
      }
      #expect(!SurvivalMatrix(kept: kept).judge().verdict.isGrowth, "\(kept)")
    }
  }

  @Test(arguments: lengths) func queueOfRandomLength(_ cycles: Int) {
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

  @Test(arguments: lengths) func populationThatWanders(_ cycles: Int) {
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

  @Test(arguments: [15, 40, 200]) func leakUnderAQueueOfTheSameCallSite(_ cycles: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = Random(seed)
      var noise = SurvivalMatrix(cycles: cycles)
      for mark in 0..<cycles {
        for birth in [mark, mark - 1] where birth >= 0 {
          noise.alive[birth][mark] = Amount(blocks: Int64.random(in: 0...3, using: &random), bytes: 16)
        }
      }
      let judgement = (noise + SurvivalMatrix(kept: Array(repeating: 3, count: cycles))).judge()
      #expect(judgement.verdict == .leak)
      #expect(abs(judgement.rate.blocks - 3) < 0.3)
    }
  }

  @Test func reserveThatShrinks() {
    var matrix = SurvivalMatrix(cycles: 40)
    for mark in 0..<40 { matrix.alive[0][mark] = Amount(blocks: Int64(47 - mark), bytes: Int64(1024 * (47 - mark))) }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  @Test func leakThatBeginsInCycleNine() {
    let judgement = SurvivalMatrix(kept: (1...40).map { $0 < 9 ? 0 : 4 }, bytes: 104).judge()
    #expect(judgement.verdict == .leak)
    #expect(judgement.fromCycle == 9)
    #expect(judgement.rate == Rate(blocks: 4, bytes: 416))
  }

  @Test func leakThatStops() {
    for stop in 10...34 {
      let judgement = SurvivalMatrix(kept: (1...40).map { $0 < stop ? 4 : 0 }).judge()
      #expect(judgement.verdict == .saturating, "stopped in \(stop)")
    }
  }
}
