// SPDX-License-Identifier: MIT
//
// Cycles: which marks end cycles, and how many program cycles lie between two kept ones. How many of them are
// warm-up needs the growth itself: see WarmUp.
//
// Cycle c ends at mark `marks[c]`; what is born after the mark before it (cycle 0: since the start) and up to it
// belongs to the cycle, whatever other labels lie between. A thinned history keeps every 2nd, 4th … mark: a kept
// cycle then stands for `weights[c]` cycles of the program, and every rate is per program cycle.
//
// With no label asked for: the only label; else the one with the most marks, and of equals the one whose last mark is
// the newest (of push and pop, pop: after it everything should be back). If every label was given to fewer than three
// marks (step-1, step-2, …), every mark ends a cycle.

import GenmarkModel

/// Kept cycles, oldest first.
struct Cycles: Sendable {
  /// Nil: all marks.
  var label: String?
  /// Why this label; nil where it was asked for.
  var labelReason: String?
  /// Index in `Recording.marks` of the mark that ends each cycle.
  var marks: [Int]
  /// Program cycles that each stands for, at least 1.
  var weights: [Int]
  /// Cycle of a generation by index; −1 for generations after the last cycle.
  var cycleOfGeneration: [Int]

  var count: Int { marks.count }
  /// Cycles as the program counted them.
  var marked: Int { weights.reduce(0, +) }

  /// Number, from 1, of the first program cycle that a kept cycle stands for.
  func firstNumber(of cycle: Int) -> Int { weights[..<cycle].reduce(0, +) + 1 }

  /// Cycles of all marks, with nothing else between them.
  init(weights: [Int]) {
    marks = Array(weights.indices)
    self.weights = weights
    cycleOfGeneration = Array(weights.indices) + [-1]
  }

  /// - Throws: `noMarks`, `unknownLabel`.
  init(_ recording: Recording, label wanted: String?) throws(AnalysisError) {
    if recording.marks.isEmpty { throw .noMarks(file: recording.file) }
    (label, labelReason) = Cycles.choose(recording, wanted: wanted)
    if let label {
      marks = recording.markIndices(label: label)
      if marks.isEmpty {
        let labels = recording.labelsOfMarks().map(\.label)
        throw .unknownLabel(
          label, nearest: Suggestion.nearest(to: label, among: labels), labels: labels, file: recording.file)
      }
    } else {
      marks = Array(recording.marks.indices)
    }
    weights = []
    var before: UInt32 = 0
    for index in marks {
      let number = label == nil ? recording.marks[index].generation : recording.marks[index].ordinal
      weights.append(number > before ? Int(number - before) : 1)
      before = max(before, number)
    }
    cycleOfGeneration = Array(repeating: -1, count: recording.generationCount)
    var cycle = 0
    for generation in cycleOfGeneration.indices {
      while cycle < marks.count, marks[cycle] < generation { cycle += 1 }
      if cycle < marks.count { cycleOfGeneration[generation] = cycle }
    }
  }

  private static func choose(_ recording: Recording, wanted: String?) -> (label: String?, reason: String?) {
    if let wanted { return (wanted, nil) }
    let labels = recording.labelsOfMarks()
    guard let most = labels.map(\.marksTaken).max(), labels.count > 1 else {
      return (labels.first?.label, "the only label")
    }
    guard most >= 3 else { return (nil, "no label was given to three marks, so every mark ends a cycle") }
    let best = Set(labels.filter { $0.marksTaken == most }.map(\.label))
    let newest = recording.marks.indices.last { best.contains(recording.label(ofMark: $0)) }
    let others = labels.count == 2 ? "the other label" : "\(labels.count - 1) other labels"
    return (
      newest.map { recording.label(ofMark: $0) },
      "it has the most marks and the newest; \(others) can be chosen with --label"
    )
  }
}
