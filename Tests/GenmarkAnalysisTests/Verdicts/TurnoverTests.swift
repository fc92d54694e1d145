// SPDX-License-Identifier: MIT
//
// Turnover: each cycle leaves something and older blocks go for it.

import GenmarkModel
import Testing

@testable import GenmarkAnalysis

@Suite struct TurnoverTests {
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

  @Test(arguments: Cycles.lengths) func doubleBufferIsTurnover(_ cycles: Int) {
    let matrix = SurvivalMatrix(fifo: Array(repeating: 1, count: cycles), capacity: 2, bytes: 65536)
    #expect(matrix.judge().verdict == .turnover)
  }

  @Test(arguments: Cycles.lengths) func replacedTextOfChangingLength(_ cycles: Int) {
    var matrix = SurvivalMatrix(cycles: cycles)
    for mark in 0..<cycles { matrix.alive[mark][mark] = Amount(blocks: 1, bytes: Int64(24 + mark % 9 * 8)) }
    #expect(!matrix.judge().verdict.isGrowth)
  }

  @Test(arguments: Cycles.lengths, 1...3) func freedSomeCyclesLater(_ cycles: Int, _ delay: Int) {
    let matrix = SurvivalMatrix(fifo: Array(repeating: 8, count: cycles), capacity: 8 * delay)
    #expect(!matrix.judge().verdict.isGrowth)
    if cycles >= 15 { #expect(matrix.judge().verdict == .turnover) }
  }
}
