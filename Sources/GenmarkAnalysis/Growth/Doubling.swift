// SPDX-License-Identifier: MIT
//
// Doubling: containers and pools that grow by a factor. Their steps come ever more rarely also when their need
// rises evenly, so neither gaps nor sizes of steps say that growth ends; only a step that is overdue does.

import GenmarkModel

struct Doubling: Equatable {
  /// Steps, warm-up included.
  var steps: Int
  /// Program cycles, from 1, of the first and the last step, and where the next would be if the need rises evenly.
  var first: Int
  var last: Int
  var expected: Int
  /// The last cycle that is judged.
  var now: Int

  /// The next step should have come long ago: a quarter more time than it takes, as needs and factors are not exact.
  var isOverdue: Bool { now * 4 > expected * 5 }
  /// It came on time often enough that chance, or a need that is bounded soon, is not likely: over a stretch of time
  /// that has itself doubled four times.
  var isLong: Bool { steps >= 6 && last >= 16 * first }
  /// How many more cycles show whether the next step comes.
  var furtherCycles: Int { max(1, expected * 5 / 4 + 1 - now) }
}

extension Evidence {
  /// Nil unless the last two steps or more multiplied what was there, at moments that are themselves ever farther apart.
  var doubling: Doubling? {
    let end = window.judged.upperBound
    var steps: [(time: Int, added: Int64, before: Int64)] = []
    var time = 0
    for cycle in 0..<end {
      time += window.cycles.weights[cycle]
      let change = series.change(cycle)
      if change.bytes.count >= Evidence.gateBytes {
        // A pool adds one bigger chunk, a container lengthens its one block or replaces it. The first steps may be several.
        if change.blocks.count > 1, cycle >= 2 { return nil }
        steps.append((time, change.bytes.count, cycle == 0 ? 0 : series.live[cycle - 1].bytes.count))
      }
    }
    guard steps.count >= 3, let first = steps.first, let last = steps.last else { return nil }
    for (a, b) in zip(steps, steps.dropFirst()).suffix(max(2, steps.count - 3)) {
      let spreads = 10 * b.time >= 13 * a.time || b.time <= 3
      let multiplies = 4 * (b.before + b.added) >= 5 * b.before && 4 * b.added >= 5 * a.added
      if !spreads || !multiplies { return nil }
    }
    return Doubling(steps: steps.count, first: first.time, last: last.time, expected: 2 * last.time, now: time)
  }
}
