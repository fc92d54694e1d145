// SPDX-License-Identifier: MIT
//
// Recording+Marks: finding marks by number and by label. What lies between them is in Generation.

/// A moment at which it is known what was alive.
public enum Moment: Sendable, Hashable {
  /// At the mark with this index in `Recording.marks`.
  case mark(Int)
  /// At the end of the recording, or when a running program was read.
  case end
}

extension Recording {
  /// How many marks the program has taken, kept or not; also the number of the newest generation that has a mark.
  public var marksTaken: GenerationNumber { marks.last?.generation ?? 0 }

  /// The text of a mark's label; untrusted. Empty when the trace has lost it.
  public func label(ofMark index: Int) -> String {
    let label = marks[index].label
    return labels.indices.contains(label) ? labels[label].text : ""
  }

  /// The index in `marks` of the mark that began a generation; nil when it was not taken or is not kept.
  /// - Complexity: O(log marks)
  public func markIndex(generation: GenerationNumber) -> Int? {
    let index = generationIndex(ofBirth: generation) - 1
    guard index >= 0, marks[index].generation == generation else { return nil }
    return index
  }

  /// True when this mark was taken and then thinned away, so that "no such mark" would be wrong to say.
  public func isThinnedAway(mark generation: GenerationNumber) -> Bool {
    generation > 0 && generation < marksTaken && markIndex(generation: generation) == nil
  }

  /// The indices in `marks` of the kept marks with this label, oldest first; empty when no mark has it.
  /// - Complexity: O(marks + labels)
  public func markIndices(label: String) -> [Int] {
    let wanted = labels.map { $0.text == label }
    return marks.indices.filter { wanted.indices.contains(marks[$0].label) && wanted[marks[$0].label] }
  }

  /// The index in `marks` of the `ordinal`-th mark with this label, from 1 as the program took them; nil when there
  /// is none, or it is not kept.
  public func markIndex(label: String, ordinal: UInt32) -> Int? {
    markIndices(label: label).first { marks[$0].ordinal == ordinal }
  }

  /// The labels that kept marks have, in the order of their first mark, and how many marks each was given in all.
  /// - Complexity: O(marks)
  public func labelsOfMarks() -> [(label: String, marksTaken: UInt32)] {
    var order: [String] = []
    var taken: [String: UInt32] = [:]
    for index in marks.indices {
      let text = label(ofMark: index)
      if let known = taken[text] {
        taken[text] = max(known, marks[index].ordinal)
      } else {
        order.append(text)
        taken[text] = marks[index].ordinal
      }
    }
    return order.map { ($0, taken[$0] ?? 0) }
  }
}
