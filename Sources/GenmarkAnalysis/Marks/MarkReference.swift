// SPDX-License-Identifier: MIT
//
// MarkReference: how people write a mark down, and which mark of a recording they mean.
//
//   7            the mark with this number, as the program counted
//   A, B … Z, AA the 1st, 2nd … 26th, 27th mark
//   after-login  the last mark with this label
//   login#3      the third mark with this label
//   start, end   of the recording; 0 is the start too, where generation 0 begins
//
// A label that is spelt as one of the others wins over it.

import GenmarkModel

extension Recording {
  /// The start of the recording.
  public var startPoint: MarkPoint { MarkPoint(position: 0, kind: .start) }
  /// The end of the recording, after its last mark.
  public var endPoint: MarkPoint { MarkPoint(position: marks.count + 1, kind: .end) }

  /// The mark at an index of `marks`.
  public func markPoint(at index: Int) -> MarkPoint {
    let mark = marks[index]
    return MarkPoint(
      position: index + 1,
      kind: .mark(generation: mark.generation, label: label(ofMark: index), ordinal: mark.ordinal))
  }

  /// What a reference means.
  /// - Throws: `unknownLabel`, `noSuchMark`, `badReference`.
  public func markPoint(_ reference: String) throws(AnalysisError) -> MarkPoint {
    if reference.isEmpty { throw .badReference(reference) }
    if let index = markIndices(label: reference).last { return markPoint(at: index) }
    if let index = try ordinalReference(reference) { return markPoint(at: index) }
    switch reference {
    case "start", "0": return startPoint
    case "end": return endPoint
    default: break
    }
    if let number = Recording.markNumber(reference) {
      if let index = markIndex(generation: number) { return markPoint(at: index) }
      if isThinnedAway(mark: number) { throw .markThinnedAway(reference, nearest: nearestKept(to: number), file: file) }
      throw .noSuchMark(reference, count: Int(marksTaken), file: file)
    }
    let labels = labelsOfMarks().map(\.label)
    throw .unknownLabel(
      reference, nearest: Suggestion.nearest(to: reference, in: labels + ["start", "end"]), labels: labels,
      file: file)
  }

  /// `label#3`; nil when it is not of that form or no mark has the label.
  private func ordinalReference(_ reference: String) throws(AnalysisError) -> Int? {
    guard let hash = reference.lastIndex(of: "#") else { return nil }
    let label = String(reference[..<hash])
    guard let ordinal = UInt32(reference[reference.index(after: hash)...]), ordinal > 0 else { return nil }
    let indices = markIndices(label: label)
    guard let last = indices.last else { return nil }
    if let index = indices.first(where: { marks[$0].ordinal == ordinal }) { return index }
    if ordinal < marks[last].ordinal {
      let nearest = indices.first { marks[$0].ordinal > ordinal } ?? last
      throw .markThinnedAway(reference, nearest: "\(label)#\(marks[nearest].ordinal)", file: file)
    }
    throw .noSuchMark(reference, count: Int(marks[last].ordinal), file: file)
  }

  private func nearestKept(to number: GenerationNumber) -> String {
    marks.first { $0.generation > number }.map { String($0.generation) } ?? "end"
  }

  /// The number that digits or capital letters stand for; nil for anything else, or what does not fit.
  static func markNumber(_ text: String) -> GenerationNumber? {
    let bytes = Array(text.utf8)
    if bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return GenerationNumber(text) }
    guard bytes.count <= 3, bytes.allSatisfy({ (0x41...0x5a).contains($0) }) else { return nil }
    return bytes.reduce(0) { $0 * 26 + GenerationNumber($1 - 0x40) }
  }
}

extension MarkPoint {
  /// The moment to ask Survival for; nil for the start, when nothing was alive.
  var moment: Moment? {
    switch kind {
    case .start: nil
    case .mark: .mark(position - 1)
    case .end: .end
    }
  }
}
