// SPDX-License-Identifier: MIT
//
// Cycles: which marks end cycles, and how many program cycles lie between two kept ones. How many of them are
// warm-up needs the growth itself: see WarmUp.
//
// Cycle c ends at mark `marks[c]`; what is born after the mark before it (cycle 0: since the start) and up to it
// belongs to the cycle, whatever other labels lie between. A thinned history keeps every 2nd, 4th … mark: a kept
// cycle then stands for `weights[c]` cycles of the program, and every rate is per program cycle.
//
// A pair (push..pop) counts only what is born after the one mark and up to the other. Every k-th mark of a label ends a
// cycle of k rounds, for programs whose rounds differ in turn.
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
  /// Cycle in which a generation, by index, was born; −1 for those outside all cycles.
  var cycleOfBirth: [Int]
  /// Cycle that ends at a mark or after it, by index; −1 for marks after the last cycle.
  var cycleOfMark: [Int]

  var count: Int { marks.count }
  /// Cycles as the program counted them.
  var marked: Int { weights.reduce(0, +) }

  /// Number, from 1, of the first program cycle that a kept cycle stands for.
  func firstNumber(of cycle: Int) -> Int { weights[..<cycle].reduce(0, +) + 1 }

  /// Cycles of all marks, with nothing else between them.
  init(weights: [Int]) {
    marks = Array(weights.indices)
    self.weights = weights
    cycleOfMark = marks
    cycleOfBirth = marks + [-1]
  }

  /// - Throws: `noMarks`, `unknownLabel`.
  init(_ recording: Recording, options: GrowthOptions = GrowthOptions()) throws(AnalysisError) {
    if recording.marks.isEmpty { throw .noMarks(file: recording.file) }
    (label, labelReason) = Cycles.choose(recording, wanted: options.pair?.end ?? options.label)
    var candidates = Array(recording.marks.indices)
    if let label { candidates = try Cycles.marks(of: recording, label: label) }
    let step = UInt32(clamping: max(1, options.every))
    marks = []
    weights = []
    var before: UInt32 = 0
    for index in candidates {
      // How many rounds were done by then; thinned history keeps only some.
      let number = (label == nil ? recording.marks[index].generation : recording.marks[index].ordinal)
      guard number % step == 0 else { continue }
      marks.append(index)
      weights.append(number / step > before ? Int(number / step - before) : 1)
      before = max(before, number / step)
    }
    cycleOfMark = Array(repeating: -1, count: recording.marks.count)
    var cycle = 0
    for mark in cycleOfMark.indices {
      while cycle < marks.count, marks[cycle] < mark { cycle += 1 }
      if cycle < marks.count { cycleOfMark[mark] = cycle }
    }
    // A generation ends at the mark of its own index; the newest has none.
    cycleOfBirth = cycleOfMark + [-1]
    if let begin = options.pair?.begin {
      let begins = Set(try Cycles.marks(of: recording, label: begin))
      Cycles.restrict(&cycleOfBirth, begins: begins, ends: Set(marks))
    }
  }

  private static func marks(of recording: Recording, label: String) throws(AnalysisError) -> [Int] {
    let marks = recording.markIndices(label: label)
    if !marks.isEmpty { return marks }
    let labels = recording.labelsOfMarks().map(\.label)
    throw .unknownLabel(
      label, nearest: Suggestion.nearest(to: label, in: labels), labels: labels, file: recording.file)
  }

  /// Takes out the births that do not lie between a beginning and the end after it.
  private static func restrict(_ cycleOfBirth: inout [Int], begins: Set<Int>, ends: Set<Int>) {
    var isInside = false
    for generation in cycleOfBirth.indices {
      if !isInside { cycleOfBirth[generation] = -1 }
      // Now the mark that ends this generation.
      if ends.contains(generation) { isInside = false }
      if begins.contains(generation) { isInside = true }
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
