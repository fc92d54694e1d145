// SPDX-License-Identifier: MIT
//
// SeriesGenerators: random survival matrices of known kinds, for measuring how often verdicts are right.

import GenmarkModel

@testable import GenmarkAnalysis

enum SeriesKind: String, CaseIterable {
  // Grow without bound.
  case linear, eachNth, poissonLeak, leakFromLater, leakUnderQueue, lengthened, batches, underDelay, rising
  // Do not.
  case lru, randomEviction, coupons, poissonNoise, queue, population, oneOff, warmUp, ring, pool, longestSoFar, drift,
    delayed,
    saw, wave

  var grows: Bool {
    switch self {
    case .linear, .eachNth, .poissonLeak, .leakFromLater, .leakUnderQueue, .lengthened, .batches, .underDelay, .rising:
      true
    default: false
    }
  }

  func draw(cycles: Int, _ random: inout Random) -> SurvivalMatrix {
    func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    switch self {
    case .linear: return SurvivalMatrix(kept: Array(repeating: int(1...9), count: cycles), bytes: int(8...512))
    case .eachNth:
      let (n, phase, count) = (int(2...5), int(0...4), int(1...4))
      return SurvivalMatrix(kept: (0..<cycles).map { ($0 + phase) % n == 0 ? count : 0 })
    case .poissonLeak:
      let mean = Double.random(in: 1.5...6, using: &random)
      return SurvivalMatrix(kept: (0..<cycles).map { _ in SeriesKind.poisson(mean, &random) })
    case .leakFromLater:
      let (start, count) = (int(2...(cycles / 2)), int(1...5))
      return SurvivalMatrix(kept: (0..<cycles).map { $0 < start ? 0 : count })
    case .leakUnderQueue:
      let count = int(2...6)
      return SeriesKind.queue(cycles: cycles, in: 0...count, &random)
        + SurvivalMatrix(kept: Array(repeating: count, count: cycles))
    case .lengthened:
      let step = int(16...512)
      return SurvivalMatrix(lengths: (1...cycles).map { $0 * step })
    case .batches: return SurvivalMatrix(kept: (0..<cycles).map { _ in int(1...10) })
    case .underDelay:
      let (count, delay) = (int(1...4), int(1...4))
      return SurvivalMatrix(kept: Array(repeating: count, count: cycles))
        + SurvivalMatrix(fifo: Array(repeating: int(1...9), count: cycles), living: delay)
    case .rising:
      let (first, step) = (int(1...5), int(1...4))
      return SurvivalMatrix(kept: (0..<cycles).map { first + step * $0 })
    case .delayed:
      return SurvivalMatrix(fifo: (0..<cycles).map { _ in int(2...9) }, living: int(1...5))
    case .saw:
      let (length, phase, count) = (int(4...9), int(0...8), int(1...9))
      var matrix = SurvivalMatrix(cycles: cycles)
      for mark in 0..<cycles {
        for birth in 0...mark where (birth + phase) / length == (mark + phase) / length {
          matrix.alive[birth][mark] = Amount(blocks: Int64(count), bytes: Int64(16 * count))
        }
      }
      return matrix
    case .wave: return SeriesKind.wave(cycles: cycles, half: int(2...6), more: int(1...8))
    case .lru:
      let added = int(2...8)
      return SurvivalMatrix(fifo: Array(repeating: added, count: cycles), capacity: added * int(2...8) - int(0...1))
    case .randomEviction: return SeriesKind.evicting(cycles: cycles, added: int(3...9), capacity: int(8...40), &random)
    case .coupons:
      let draws = int(20...80)
      return SeriesKind.coupons(cycles: cycles, keys: draws * int(1...4), draws: draws, &random)
    case .poissonNoise:
      var matrix = SurvivalMatrix(cycles: cycles)
      let mean = Double.random(in: 1...20, using: &random)
      for mark in 0..<cycles {
        let count = Int64(SeriesKind.poisson(mean, &random))
        matrix.alive[mark][mark] = Amount(blocks: count, bytes: 32 * count)
      }
      return matrix
    case .queue: return SeriesKind.queue(cycles: cycles, in: 0...int(2...60), &random)
    case .population: return SeriesKind.population(cycles: cycles, in: int(50...100)...int(110...200), &random)
    case .oneOff:
      let once = int(2...(cycles - 4))
      return SurvivalMatrix(kept: (0..<cycles).map { $0 == once ? 40 : 0 }, bytes: 4096)
    case .warmUp:
      let last = int(1...4)
      return SurvivalMatrix(kept: (0..<cycles).map { $0 < last ? 25 : 0 })
    case .ring: return SurvivalMatrix(fifo: Array(repeating: int(1...3), count: cycles), capacity: int(1...6))
    case .pool: return SeriesKind.pool(cycles: cycles, until: int(2...6))
    case .longestSoFar:
      var longest = 0
      return SurvivalMatrix(
        lengths: (0..<cycles).map { _ in
          longest = max(longest, int(100...10_000))
          return longest
        })
    case .drift: return SeriesKind.drift(cycles: cycles, bound: int(10...30), &random)
    }
  }

  static func poisson(_ mean: Double, _ random: inout Random) -> Int {
    // Knuth's way: events until exponential gaps exceed 1; means here are small.
    var count = 0
    var product = Double.random(in: 0..<1, using: &random)
    var limit = 1.0
    for step in 1...60 { limit += (step % 2 == 0 ? 1 : -1) * power(mean, step) / factorial(step) }
    while product > max(limit, 1e-12) {
      count += 1
      product *= Double.random(in: 0..<1, using: &random)
    }
    return count
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double { (0..<exponent).reduce(1) { p, _ in p * base } }
  private static func factorial(_ n: Int) -> Double { (1...n).reduce(1) { $0 * Double($1) } }

  /// First in, first out, of a random length.
  private static func queue(cycles: Int, in range: ClosedRange<Int>, _ random: inout Random) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var queue: [Int] = []
    for mark in 0..<cycles {
      let coming = Int.random(in: range, using: &random)
      queue += Array(repeating: mark, count: min(coming, max(0, 2 * range.upperBound - queue.count)))
      queue.removeFirst(min(queue.count, Int.random(in: range, using: &random)))
      for birth in queue { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 16) }
    }
    return matrix
  }

  /// A queue that swells for some cycles and is worked off in as many.
  private static func wave(cycles: Int, half: Int, more: Int) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var queue: [Int] = []
    for mark in 0..<cycles {
      let isRising = mark % (2 * half) < half
      queue += Array(repeating: mark, count: isRising ? 3 + more : 3)
      queue.removeFirst(min(queue.count, isRising ? 3 : 3 + more))
      for birth in queue { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 16) }
    }
    return matrix
  }

  private static func evicting(cycles: Int, added: Int, capacity: Int, _ random: inout Random) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var store: [Int] = []
    for mark in 0..<cycles {
      for _ in 0..<added {
        if store.count >= capacity { store.remove(at: Int.random(in: store.indices, using: &random)) }
        store.append(mark)
      }
      for birth in store { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 16) }
    }
    return matrix
  }

  private static func coupons(cycles: Int, keys: Int, draws: Int, _ random: inout Random) -> SurvivalMatrix {
    var known: Set<Int> = []
    return SurvivalMatrix(
      kept: (0..<cycles).map { _ in
        (0..<draws).count { _ in known.insert(Int.random(in: 0..<keys, using: &random)).inserted }
      })
  }

  private static func population(
    cycles: Int, in range: ClosedRange<Int>, _ random: inout Random
  ) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var alive: [Int] = []
    for mark in 0..<cycles {
      let want = Int.random(in: range, using: &random)
      while alive.count < want { alive.append(mark) }
      while alive.count > want { alive.remove(at: Int.random(in: alive.indices, using: &random)) }
      for birth in alive { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 16) }
    }
    return matrix
  }

  private static func pool(cycles: Int, until: Int) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var (chunk, held) = (16, 0)
    for cycle in 0..<cycles {
      while held < 60 * min(cycle + 1, until) {
        for mark in cycle..<cycles { matrix.alive[cycle][mark] += Amount(blocks: 1, bytes: Int64(48 * chunk)) }
        held += chunk
        chunk *= 2
      }
    }
    return matrix
  }

  /// A queue that is filled faster than it is emptied, up to its bound.
  private static func drift(cycles: Int, bound: Int, _ random: inout Random) -> SurvivalMatrix {
    var matrix = SurvivalMatrix(cycles: cycles)
    var queue: [Int] = []
    for mark in 0..<cycles {
      let coming = Int.random(in: 4...10, using: &random)
      queue += Array(repeating: mark, count: min(coming, bound - queue.count))
      queue.removeFirst(min(queue.count, Int.random(in: 0...4, using: &random)))
      for birth in queue { matrix.alive[birth][mark] += Amount(blocks: 1, bytes: 16) }
    }
    return matrix
  }
}
