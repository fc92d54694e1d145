// SPDX-License-Identifier: MIT
//
// Window: which cycles are judged: those after warm-up and before settling. The cycles themselves are in Cycles.
//
// The automatic warm-up is as long as the longest first-use growth: of each call site, the cycles with survivors from
// the first or second on, with at most one cycle without between them, if nothing that it allocated later
// survives. It is at least the first cycle, which also holds all that the program did before, and a quarter of all at most.

import GenmarkModel

struct Window: Sendable {
  var cycles: Cycles
  /// Kept cycles that are judged.
  var judged: Range<Int>
  var warmUpReason: String

  var weights: ArraySlice<Int> { cycles.weights[judged] }
  /// Program cycles that are judged.
  var judgedCycles: Int { weights.reduce(0, +) }

  init(cycles: Cycles, judged: Range<Int>, warmUpReason: String = "") {
    self.cycles = cycles
    self.judged = judged
    self.warmUpReason = warmUpReason
  }

  init(_ cycles: Cycles, survival: Survival, options: GrowthOptions) {
    self.cycles = cycles
    let first: Int
    switch options.warmUp {
    case .cycles(let wanted):
      first = Window.kept(atMost: wanted, of: cycles.weights, roundingUp: true)
      warmUpReason = "as asked for"
    case .auto:
      (first, warmUpReason) = Window.automaticWarmUp(cycles, survival)
    }
    let settling = Window.kept(atMost: options.settling, of: cycles.weights.reversed(), roundingUp: true)
    judged = first..<max(first, cycles.count - settling)
  }

  var summary: CycleSummary {
    CycleSummary(
      label: cycles.label, marked: cycles.marked, warmUp: cycles.weights[..<judged.lowerBound].reduce(0, +),
      settling: cycles.weights[judged.upperBound...].reduce(0, +), judged: judgedCycles, warmUpReason: warmUpReason,
      labelReason: cycles.labelReason)
  }

  /// How many kept cycles make up a number of program cycles.
  private static func kept(atMost wanted: Int, of weights: [Int], roundingUp: Bool) -> Int {
    var sum = 0
    var kept = 0
    while kept < weights.count, sum < wanted, roundingUp || sum + weights[kept] <= wanted {
      sum += weights[kept]
      kept += 1
    }
    return kept
  }

  private static func automaticWarmUp(_ cycles: Cycles, _ survival: Survival) -> (first: Int, reason: String) {
    let limit = max(1, kept(atMost: max(1, cycles.marked / 4), of: cycles.weights, roundingUp: false))
    guard let lastMark = cycles.marks.last, cycles.count > 1 else { return (min(1, cycles.count), "the first cycle") }
    var longest = 1
    for callSite in survival.callSites {
      // Births ascend, so the run of first cycles is known when the first birth outside it comes.
      var end = 0
      var broken = false
      survival.forEachRow(of: callSite) { generation, steps, _ in
        let birth = cycles.cycleOfBirth[generation]
        guard birth >= 0, !broken, let last = steps.last(where: { $0.mark <= lastMark }), last.live.blocks > .zero
        else {
          return
        }
        if birth > end + 1 || birth >= limit { broken = true } else { end = max(end, birth + 1) }
      }
      if !broken { longest = max(longest, end) }
    }
    let number = cycles.weights[..<longest].reduce(0, +)
    return (
      longest,
      longest == 1
        ? "the first cycle holds what the program does only once" : "first-use growth ended in cycle \(number)"
    )
  }
}
