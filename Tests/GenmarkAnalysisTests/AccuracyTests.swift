// SPDX-License-Identifier: MIT
//
// How often verdicts are right on random series of known kinds, at 15 judged cycles. The seeds are fixed, so the figures
// are the same each time.

import Glibc
import Testing

@testable import GenmarkAnalysis

/// What was flagged of what.
struct Accuracy {
  var flagged = 0
  var inconclusive = 0
  var drawn = 0

  static func measure(_ kind: SeriesKind, series: Int, cycles: Int, warmUp: Int = 1, seed: UInt64) -> Accuracy {
    var accuracy = Accuracy()
    for index in 0..<series {
      var random = Random(seed &+ UInt64(index) &* 7919)
      let judgement = kind.draw(cycles: cycles, &random).judge(warmUp: warmUp)
      accuracy.drawn += 1
      if judgement.verdict.isGrowth { accuracy.flagged += 1 }
      if judgement.verdict == .inconclusive { accuracy.inconclusive += 1 }
    }
    return accuracy
  }
}

@Suite struct AccuracyTests {
  static let series = 100

  /// Of random growth a few draws look like growth that ends, and are inconclusive.
  @Test(arguments: SeriesKind.allCases.filter(\.grows)) func growthIsFound(_ kind: SeriesKind) {
    let accuracy = Accuracy.measure(kind, series: AccuracyTests.series, cycles: 17, seed: 1)
    #expect(accuracy.flagged >= AccuracyTests.series - (kind == .poissonLeak ? 3 : 1), "\(accuracy)")
  }

  @Test(arguments: SeriesKind.allCases.filter { !$0.grows }) func nothingElseIs(_ kind: SeriesKind) {
    let accuracy = Accuracy.measure(kind, series: AccuracyTests.series, cycles: 17, seed: 2)
    #expect(accuracy.flagged <= 1, "\(accuracy)")
  }

  /// GENMARK_ACCURACY=600: that many series of each kind, and Tests/Corpus/ACCURACY.md on standard output.
  @Test(.enabled(if: AccuracyTests.asked > 0)) func report() {
    var (right, missed, wrong, healthy) = (0, 0, 0, 0)
    var lines = ["| series | grows | drawn | flagged | inconclusive |", "|---|---|---|---|---|"]
    for kind in SeriesKind.allCases {
      let accuracy = Accuracy.measure(kind, series: AccuracyTests.asked, cycles: 17, seed: 3)
      lines.append(
        "| \(kind.rawValue) | \(kind.grows ? "yes" : "no") | \(accuracy.drawn) | \(accuracy.flagged) "
          + "| \(accuracy.inconclusive) |")
      if kind.grows {
        right += accuracy.flagged
        missed += accuracy.drawn - accuracy.flagged
      } else {
        wrong += accuracy.flagged
        healthy += accuracy.drawn
      }
    }
    let interval = AccuracyTests.wilson(wrong, of: healthy)
    lines += [
      "",
      "\(right + missed + healthy) series. Precision \(percent(right, of: right + wrong)), recall "
        + "\(percent(right, of: right + missed)). False alarms in \(wrong) of \(healthy) leak-free series: between "
        + "\(percent(interval.low)) and \(percent(interval.high)) (95 %, Wilson).",
    ]
    for line in lines { print("accuracy: " + line) }
    #expect(100 * right >= 99 * (right + wrong))
    #expect(100 * right >= 99 * (right + missed))
  }

  static var asked: Int {
    getenv("GENMARK_ACCURACY").flatMap { Int(String(cString: $0)) } ?? 0
  }

  private func percent(_ part: Int, of whole: Int) -> String { percent(Double(part) / Double(max(1, whole))) }

  private func percent(_ share: Double) -> String { "\((share * 100_00).rounded() / 100) %" }

  /// Wilson's interval for a share, 95 %.
  static func wilson(_ hits: Int, of count: Int) -> (low: Double, high: Double) {
    let (n, z) = (Double(max(1, count)), 1.96)
    let share = Double(hits) / n
    let middle = share + z * z / (2 * n)
    let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return (max(0, (middle - half) / (1 + z * z / n)), (middle + half) / (1 + z * z / n))
  }
}
