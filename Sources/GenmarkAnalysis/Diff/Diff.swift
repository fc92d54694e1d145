// SPDX-License-Identifier: MIT
//
// Diff: compares two marks of one recording. Two recordings are compared by Comparison; how rows are made
// from call sites is in DiffGrouping.

import GenmarkModel

/// Compares two marks of a recording.
public enum Diff {
  /// What one recorded call site gave.
  struct Entry {
    var callSite: CallTree.NodeID
    var born = Amount.zero
    var freed = Amount.zero
  }

  /// - Throws: `noMarks`, `unknownLabel`, `noSuchMark`, `markThinnedAway`, `badReference`, `wrongOrder`,
  ///   `changesLost`.
  public static func report(
    of recording: Recording, frames: FrameSource, options: DiffOptions = DiffOptions()
  ) throws(AnalysisError) -> DiffReport {
    try report(of: recording, survival: Survival(recording), frames: frames, options: options)
  }

  /// The same for who has the survival already.
  public static func report(
    of recording: Recording, survival: Survival, frames: FrameSource, options: DiffOptions
  ) throws(AnalysisError) -> DiffReport {
    let (from, to, aliveAt) = try points(of: recording, options)
    for point in [from, aliveAt] {
      if case .mark(let index) = point.moment, recording.marks[index].changesLost {
        throw .changesLost(point.name, file: recording.file)
      }
    }
    let entries = entries(survival, from: from, to: to, aliveAt: aliveAt)
    var report = DiffReport(from: from, to: to, aliveAt: aliveAt, grouping: options.grouping)
    for entry in entries {
      report.born += entry.born
      report.freed += entry.freed
    }
    let grouping = DiffGrouping(recording: recording, frames: frames, options: options)
    switch options.grouping {
    case .callSite: (report.rows, report.rowCount) = grouping.callSites(entries)
    case .function: (report.rows, report.rowCount) = grouping.functions(entries)
    case .module: (report.rows, report.rowCount) = grouping.modules(entries)
    case .tree: (report.tree, report.rowCount) = grouping.tree(entries)
    }
    return report
  }

  private static func points(
    of recording: Recording, _ options: DiffOptions
  ) throws(AnalysisError) -> (from: MarkPoint, to: MarkPoint, aliveAt: MarkPoint) {
    if recording.marks.isEmpty, options.from == nil || options.to == nil { throw .noMarks(file: recording.file) }
    let to: MarkPoint
    if let reference = options.to {
      to = try recording.markPoint(reference)
    } else {
      to = recording.markPoint(at: recording.marks.count - 1)
    }
    let from: MarkPoint
    if let reference = options.from {
      from = try recording.markPoint(reference)
    } else {
      from = to.position >= 2 ? recording.markPoint(at: to.position - 2) : recording.startPoint
    }
    if from >= to {
      throw .wrongOrder("\(options.from ?? from.name)..\(options.to ?? to.name)", from: from.name, to: to.name)
    }
    guard let reference = options.aliveAt else { return (from, to, to) }
    let aliveAt = try recording.markPoint(reference)
    if aliveAt < to { throw .wrongOrder("alive at \(reference)", from: to.name, to: aliveAt.name) }
    return (from, to, aliveAt)
  }

  /// The call sites with anything born or freed.
  /// - Complexity: O(rows of the survival + steps)
  private static func entries(_ survival: Survival, from: MarkPoint, to: MarkPoint, aliveAt: MarkPoint) -> [Entry] {
    // Generation g begins at position g: those from `from` on were born after it.
    let bornAfter = from.position
    let bornUpTo = to.position
    var entries: [Entry] = []
    for callSite in survival.callSites {
      var entry = Entry(callSite: callSite)
      survival.forEachRow(of: callSite) { generation, steps, final in
        let alive = live(steps, final, at: aliveAt)
        if generation >= bornUpTo { return }
        if generation >= bornAfter {
          entry.born += alive
        } else {
          let before = live(steps, final, at: from)
          entry.freed += (before - alive).clamped
          entry.born += (alive - before).clamped
        }
      }
      if entry.born != .zero || entry.freed != .zero { entries.append(entry) }
    }
    return entries
  }

  private static func live(_ steps: ArraySlice<Survival.Step>, _ final: Amount, at point: MarkPoint) -> Amount {
    switch point.moment {
    case .end: return final
    case nil: return .zero
    case .mark(let mark): return steps.last { $0.mark <= mark }?.live ?? .zero
    }
  }
}
