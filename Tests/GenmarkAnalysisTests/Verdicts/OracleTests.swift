// SPDX-License-Identifier: MIT
//
// Every survival matrix up to 4 × 4 with small counts against an oracle that is written from the definitions of the verdicts
// and knows nothing of the rules: it says which verdicts the definitions allow.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

/// What the definitions say of a matrix all of whose cycles are judged, from its entries alone.
struct Oracle {
  /// P: of each birth, alive at the end.
  let kept: [Int64]
  /// Alive at each mark.
  let live: [Int64]
  /// d: change of what is alive, from one mark to the next.
  let changes: [Int64]
  /// Some blocks of a birth that is not the newest went.
  let olderLose: Bool

  init(_ matrix: SurvivalMatrix) {
    let cycles = matrix.cycles
    kept = (0..<cycles).map { matrix.alive[$0][cycles - 1].blocks.count }
    let live = (0..<cycles).map { mark in (0..<cycles).reduce(Int64(0)) { $0 + matrix.alive[$1][mark].blocks.count } }
    self.live = live
    changes = live.indices.map { $0 == 0 ? live[0] : live[$0] - live[$0 - 1] }
    olderLose = (0..<cycles).contains { birth in
      (birth..<(cycles - 1)).contains { matrix.alive[birth][$0].blocks > matrix.alive[birth][$0 + 1].blocks }
    }
  }

  /// Growth is rated against its first half; 1 where it is even.
  private var ratio: Double {
    let half = changes.count / 2
    let first = changes.prefix(half).reduce(0, +)
    return first > 0 ? Double(changes.suffix(half).reduce(0, +)) / Double(first) : 0
  }

  var allowed: Set<Verdict> {
    let keeping = kept.count { $0 > 0 }
    let rising = changes.count { $0 > 0 }
    let cycles = kept.count
    if keeping == 0 { return [.none, .warmUp, .turnover, .noise] }
    if cycles < 3 { return [.inconclusive, .turnover, .noise] }
    if keeping == 1 {
      // The newest alone may be the last of a turnover.
      return olderLose ? [.oneOff, .turnover, .noise, .inconclusive] : [.oneOff, .inconclusive]
    }
    if keeping == cycles, rising == cycles {
      if !olderLose, ratio >= 0.8 { return [.leak] }
      // Older births lose, or later ones add less: whether that is a leak is not for so few cycles to say, unless what
      // stays of each is the same.
      return ratio >= 0.8 || Set(kept).count == 1
        ? [.leak, .turnover, .inconclusive, .noise] : [.saturating, .turnover, .inconclusive, .noise, .leak]
    }
    if (live.last ?? 0) <= (live.first ?? 0), olderLose { return [.turnover, .noise, .inconclusive, .saturating] }
    // Three cycles in a row at the end may be a leak that began later; some of four, nothing yet but that it is open.
    let tail = changes.suffix(3).allSatisfy { $0 > 0 } && kept.suffix(3).allSatisfy { $0 > 0 }
    return tail
      ? [.leak, .inconclusive, .turnover, .noise, .saturating]
      : [.inconclusive, .turnover, .noise, .saturating]
  }
}

@Suite struct OracleTests {
  @Test(arguments: 1...4) func everySmallMatrix(_ cycles: Int) {
    for matrix in matrices(cycles: cycles, most: cycles == 4 ? 2 : 3) {
      let judgement = VerdictRules.judge(Evidence(matrix.series, matrix.window(warmUp: 0, settling: 0)))
      let oracle = Oracle(matrix)
      #expect(oracle.allowed.contains(judgement.verdict), "\(judgement) of \(matrix.alive), may be \(oracle.allowed)")
      if judgement.verdict == .inconclusive { #expect(judgement.furtherCycles ?? 0 >= 1) }
      if judgement.verdict == .leak {
        let counted = oracle.kept[judgement.range]
        #expect(counted.allSatisfy { $0 > 0 })
        #expect(judgement.rate.blocks == Double(counted.reduce(0, +)) / Double(counted.count))
        #expect(judgement.rate.bytes == 16 * judgement.rate.blocks)
        if judgement.certainty == .certain { #expect(Set(counted).count == 1) }
      }
    }
  }
}
