// SPDX-License-Identifier: MIT
//
// GrowthArguments: the options of every verb that judges growth: which marks are cycles, and which of them count.

import GenmarkAnalysis
import GenmarkModel

/// What the user said about cycles.
struct GrowthArguments {
  var label: String?
  var pair: GrowthOptions.Pair?
  var marksPerCycle: Int?
  var warmUp: GrowthOptions.WarmUp?
  var settling: Int?

  static var options: [Option<GrowthArguments>] {
    [
      .text("--label", value: "LABEL", set: \.label, "A cycle ends at each mark with this label."),
      .value(
        "--cycle", value: "A..B", set: \.pair, expected: "two labels as in push..pop",
        "A cycle goes from a mark A to the next mark B; only what is born in it counts. In place of --label.",
        parse: parsePair),
      .count(
        "--marks-per-cycle", set: \.marksPerCycle, atLeast: 1,
        "A cycle is N rounds: every N-th mark ends one. Default: 1."),
      .value(
        "--warm-up", value: "N|auto", set: \.warmUp, expected: "a number of cycles or 'auto'",
        "First cycles that are not judged. Default: auto.", parse: parseWarmUp),
      .count(
        "--settling", set: \.settling,
        "Newest cycles that are not judged, as their blocks may still be on their way out. Default: 1."),
    ]
  }

  /// - Parameter all: also findings that do not grow.
  func growthOptions(all: Bool = false) -> GrowthOptions {
    GrowthOptions(
      label: label, pair: pair, every: marksPerCycle ?? 1, warmUp: warmUp ?? .auto, settling: settling ?? 1, all: all)
  }

  private static func parsePair(_ word: String) -> GrowthOptions.Pair? {
    var start = word.startIndex
    while let dot = word[start...].firstIndex(of: ".") {
      let next = word.index(after: dot)
      if word[next...].hasPrefix("."), dot > word.startIndex {
        let to = word[word.index(after: next)...]
        return to.isEmpty ? nil : GrowthOptions.Pair(begin: String(word[..<dot]), end: String(to))
      }
      start = next
    }
    return nil
  }

  private static func parseWarmUp(_ word: String) -> GrowthOptions.WarmUp? {
    if word == "auto" { return .auto }
    guard let cycles = Int(word), (0...Int(Int32.max)).contains(cycles) else { return nil }
    return .cycles(cycles)
  }
}
