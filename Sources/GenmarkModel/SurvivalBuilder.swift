// SPDX-License-Identifier: MIT
//
// SurvivalBuilder: sorts the changes and cells of a recording into the rows and steps of Survival.

/// Rows and steps in the making.
struct SurvivalBuilder {
  private let recording: Recording
  private(set) var callSites: [CallTree.NodeID] = []
  private(set) var rowStarts: [Int] = []
  private(set) var rows: [Survival.Row] = []
  private(set) var steps: [Survival.Step] = []

  /// A change or, with `mark` past the last, the count at the end.
  private struct Entry {
    var callSite: CallTree.NodeID
    var birth: GenerationNumber
    var mark: Int
    var live: Amount
  }

  init(_ recording: Recording) { self.recording = recording }

  /// Call once.
  mutating func build() {
    let entries = sortedEntries()
    steps.reserveCapacity(recording.changes.count)
    var index = 0
    while index < entries.count {
      let first = entries[index]
      let firstStep = steps.count
      var final = Amount.zero
      var everAlive = false
      while index < entries.count, entries[index].callSite == first.callSite, entries[index].birth == first.birth {
        let entry = entries[index]
        if entry.mark == recording.marks.count {
          final += entry.live
        } else {
          steps.append(Survival.Step(mark: entry.mark, live: entry.live))
        }
        everAlive = everAlive || entry.live != .zero
        index += 1
      }
      if everAlive {
        append(callSite: first.callSite, birth: first.birth, steps: firstStep..<steps.count, final: final)
      } else {
        steps.removeSubrange(firstStep...)
      }
    }
    rowStarts.append(rows.count)
  }

  private mutating func append(
    callSite: CallTree.NodeID, birth: GenerationNumber, steps: Range<Int>, final: Amount
  ) {
    if callSites.last != callSite {
      callSites.append(callSite)
      rowStarts.append(rows.count)
    }
    rows.append(
      Survival.Row(
        birth: birth, generation: recording.generationIndex(ofBirth: birth), steps: steps, final: final))
  }

  /// By call site, birth and mark.
  private func sortedEntries() -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(recording.changes.count + recording.cells.count)
    for (mark, record) in recording.marks.enumerated() {
      for change in recording.changes[record.changes.clamped(to: recording.changes.indices)] {
        entries.append(Entry(callSite: change.callSite, birth: change.birth, mark: mark, live: change.live))
      }
    }
    for cell in recording.cells where cell.live != .zero {
      entries.append(
        Entry(callSite: cell.callSite, birth: cell.birth, mark: recording.marks.count, live: cell.live))
    }
    entries.sort { ($0.callSite, $0.birth, $0.mark) < ($1.callSite, $1.birth, $1.mark) }
    return entries
  }
}
