// SPDX-License-Identifier: MIT
//
// SurvivalMatrix: what is alive of each birth at each cycle's mark, written down whole, and the series that follow from
// it by definition, computed the slow way: the oracle for GrowthSeries, and the short way to write a test of a verdict.

import GenmarkModel

@testable import GenmarkAnalysis

struct SurvivalMatrix {
  /// `alive[birth][mark]`, both from 0; nothing is alive before its birth.
  var alive: [[Amount]]
  var cycles: Int { alive.count }

  init(cycles: Int) {
    alive = Array(repeating: Array(repeating: .zero, count: cycles), count: cycles)
  }

  /// Blocks that stay for ever, by cycle of birth.
  init(kept: [Int], bytes: Int = 16) {
    self.init(cycles: kept.count)
    for birth in kept.indices {
      for mark in birth..<cycles {
        alive[birth][mark] = Amount(blocks: Int64(kept[birth]), bytes: Int64(kept[birth] * bytes))
      }
    }
  }

  /// A store that holds at most `capacity` blocks and drops the oldest; `added` blocks come in each cycle.
  init(fifo added: [Int], capacity: Int, bytes: Int = 16) {
    self.init(cycles: added.count)
    var queue: [Int] = []
    for (mark, count) in added.enumerated() {
      queue += Array(repeating: mark, count: count)
      if queue.count > capacity { queue.removeFirst(queue.count - capacity) }
      for birth in queue { alive[birth][mark] += Amount(blocks: 1, bytes: Int64(bytes)) }
    }
  }

  /// What is added in a cycle lives up to the end of the `living`-th cycle from it on, its own counted.
  init(fifo added: [Int], living: Int, bytes: Int = 16) {
    self.init(cycles: added.count)
    for (birth, count) in added.enumerated() {
      for mark in birth..<min(cycles, birth + living) {
        alive[birth][mark] += Amount(blocks: Int64(count), bytes: Int64(count * bytes))
      }
    }
  }

  /// One block, born in the first cycle, that is this long at each mark.
  init(lengths: [Int]) {
    self.init(cycles: lengths.count)
    for (mark, length) in lengths.enumerated() { alive[0][mark] = Amount(blocks: 1, bytes: Int64(length)) }
  }

  static func + (a: SurvivalMatrix, b: SurvivalMatrix) -> SurvivalMatrix {
    var sum = a
    for birth in sum.alive.indices {
      for mark in sum.alive[birth].indices { sum.alive[birth][mark] += b.alive[birth][mark] }
    }
    return sum
  }

  /// By the definitions in GrowthSeries.
  var series: GrowthSeries {
    var series = GrowthSeries(cycles: cycles)
    for birth in alive.indices {
      series.survivors[birth] = alive[birth][cycles - 1]
      series.fresh[birth] = alive[birth][birth]
      let reference = GrowthSeries.reference(cycles: cycles)
      series.middle[birth] = birth <= reference ? alive[birth][reference] : .zero
      series.live[birth] = alive.map { $0[birth] }.reduce(.zero, +)
    }
    return series
  }

  /// The rows that RecordingBuilder takes: one for each generation, the last of which nothing is born in.
  var rows: [[Amount]] {
    alive.enumerated().map { birth, marks in Array(marks[birth...]) } + [[.zero]]
  }

  func window(warmUp: Int = 1, settling: Int = 1, weights: [Int]? = nil) -> Window {
    Window(
      cycles: Cycles(weights: weights ?? Array(repeating: 1, count: cycles)),
      judged: warmUp..<max(warmUp, cycles - settling))
  }

  func judge(warmUp: Int = 1, settling: Int = 1) -> Judgement {
    VerdictRules.judge(Evidence(series, window(warmUp: warmUp, settling: settling)))
  }
}

extension Cycles {
  /// Numbers of cycles at which shapes of growth are judged.
  static let lengths = [7, 15, 40, 200]
}
