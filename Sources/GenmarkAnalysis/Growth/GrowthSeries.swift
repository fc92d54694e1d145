// SPDX-License-Identifier: MIT
//
// GrowthSeries: what a group of call sites left behind, cycle by cycle: the numbers that verdicts are made from.
// Counts only; what they mean is in Verdicts/.
//
// All is taken up to the mark of the last cycle and not to the end of the program, since programs clean up at exit.
//
//   survivors[c]   of what was born in cycle c, alive at the last cycle's mark            (P of the design)
//   fresh[c]       of what was born in cycle c, alive at the mark of cycle c itself
//   middle[c]      of what was born in cycle c, alive at the mark of the reference cycle, two thirds of the way:
//                  middle − survivors is what older births still lose
//   live[c]        alive at the mark of cycle c, whatever its birth; change d[c] = live[c] − live[c−1]

import GenmarkModel

struct GrowthSeries: Sendable, Equatable {
  var survivors: [Amount]
  var fresh: [Amount]
  var middle: [Amount]
  var live: [Amount]

  init(cycles: Int) {
    survivors = Array(repeating: .zero, count: cycles)
    fresh = survivors
    middle = survivors
    live = survivors
  }

  /// The cycle at whose mark `middle` is taken.
  static func reference(cycles: Int) -> Int { max(0, cycles - 1 - (cycles + 2) / 3) }

  /// Change of what was alive in cycle c; in the first cycle, since the start.
  func change(_ cycle: Int) -> Amount { cycle == 0 ? live[0] : live[cycle] - live[cycle - 1] }

  static func += (a: inout GrowthSeries, b: GrowthSeries) {
    for cycle in a.live.indices {
      a.survivors[cycle] += b.survivors[cycle]
      a.fresh[cycle] += b.fresh[cycle]
      a.middle[cycle] += b.middle[cycle]
      a.live[cycle] += b.live[cycle]
    }
  }
}

extension GrowthSeries {
  /// The series of recorded call sites together.
  /// - Complexity: O(steps of the call sites + marks)
  init(of callSites: some Sequence<CallTree.NodeID>, in survival: Survival, cycles: Cycles) {
    self.init(cycles: cycles.count)
    guard let lastMark = cycles.marks.last else { return }
    let reference = GrowthSeries.reference(cycles: cycles.count)
    // Amounts by mark become changes by cycle, added up at the end. What happens between two marks of cycles
    // counts for the later one.
    for callSite in callSites {
      survival.forEachRow(of: callSite) { generation, steps, _ in
        let birth = cycles.cycleOfBirth[generation]
        guard birth >= 0 else { return }
        var before = Amount.zero
        for step in steps {
          if step.mark > lastMark { break }
          let cycle = cycles.cycleOfMark[step.mark]
          live[cycle] += step.live - before
          if cycle == birth { fresh[birth] += step.live - before }
          if cycle <= reference { middle[birth] += step.live - before }
          before = step.live
        }
        survivors[birth] += before
      }
    }
    for cycle in live.indices.dropFirst() { live[cycle] += live[cycle - 1] }
  }
}
