// SPDX-License-Identifier: MIT
//
// GrowthSeries against its definition: every survival matrix up to 4 × 4 with small counts, and random ones with several
// call sites, several labels and thinned histories.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

/// Every way in which up to `most` blocks can become fewer over `length` marks.
func falling(_ length: Int, most: Int) -> [[Int]] {
  if length == 0 { return [[]] }
  return (0...most).flatMap { first in falling(length - 1, most: first).map { [first] + $0 } }
}

/// Every survival matrix of this many cycles with at most `most` blocks of a birth.
func matrices(cycles: Int, most: Int) -> [SurvivalMatrix] {
  var all = [SurvivalMatrix(cycles: cycles)]
  for birth in 0..<cycles {
    let rows = falling(cycles - birth, most: most)
    all = all.flatMap { matrix in
      rows.map { row in
        var copy = matrix
        for (age, count) in row.enumerated() {
          copy.alive[birth][birth + age] = Amount(blocks: Int64(count), bytes: Int64(16 * count))
        }
        return copy
      }
    }
  }
  return all
}

@Suite struct GrowthSeriesTests {
  func series(_ builder: RecordingBuilder, label: String? = nil) throws -> GrowthSeries {
    let recording = builder.recording
    let survival = Survival(recording)
    return GrowthSeries(
      of: survival.callSites, in: survival, cycles: try Cycles(recording, options: GrowthOptions(label: label)))
  }

  @Test(arguments: 1...4) func isWhatItIsDefinedToBe(_ cycles: Int) throws {
    for matrix in matrices(cycles: cycles, most: cycles == 4 ? 1 : 2) {
      let builder = RecordingBuilder(marks: cycles).site("main > f", amounts: matrix.rows)
      #expect(try series(builder) == matrix.series)
    }
  }

  @Test func callSitesAddUp() throws {
    var random = Random(5)
    for _ in 0..<50 {
      var builder = RecordingBuilder(marks: 6)
      var sum = SurvivalMatrix(cycles: 6)
      for site in 0..<3 {
        var matrix = SurvivalMatrix(cycles: 6)
        for birth in 0..<6 {
          var count = Int.random(in: 0...4, using: &random)
          for mark in birth..<6 {
            matrix.alive[birth][mark] = Amount(blocks: Int64(count), bytes: Int64(8 * count))
            count = Int.random(in: 0...count, using: &random)
          }
        }
        builder = builder.site("main > f\(site)", amounts: matrix.rows)
        sum = sum + matrix
      }
      #expect(try series(builder) == sum.series)
    }
  }

  @Test func marksOfOtherLabelsBelongToTheCycleAround() throws {
    // Births 0 and 1 lie in the first cycle, 2 and 3 in the second.
    let builder = RecordingBuilder(labels: ["push", "pop", "push", "pop"])
      .site("main > f", alive: [[5, 4, 3, 2], [6, 5, 4], [7, 1], [8], [0]], bytes: 1)
    let series = try series(builder, label: "pop")
    #expect(series.live.map(\.blocks.count) == [10, 15])
    #expect(series.fresh.map(\.blocks.count) == [10, 9])
    #expect(series.survivors.map(\.blocks.count) == [6, 9])
  }
}
