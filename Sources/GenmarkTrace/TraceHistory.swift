// SPDX-License-Identifier: MIT
//
// TraceHistory: the marks of a trace and what changed at each, out of its valid bank. Counts at the end are in
// TraceCells.
//
// A running program may switch to another bank while this one is copied, and use this one again. The copy is good when
// the header names the same bank after it and exactly as many marks were taken meanwhile as the bank has got more:
// then it was only appended to.

internal import CTraceFormat
internal import GenmarkModel

struct TraceHistory {
  private let image: TraceImage
  private let marks: TraceRow<gm_mark>
  private let changes: TraceRow<gm_change>

  /// How often a copy is tried while marks are being taken.
  private static let tries = 100

  /// Copies the valid bank.
  /// - Throws: `.unsteady`, `.damaged`, `.truncated`, `.tooLarge`.
  init(_ image: TraceImage, _ sections: inout TraceSections) throws(TraceError) {
    self.image = image
    for _ in 0..<TraceHistory.tries {
      let before = try TraceHeader(image)
      try sections.walk(image, before)
      let attempt = TraceHistory.copyBank(image, sections, before)
      let after = try TraceHeader(image)
      let isSame = after.raw.bank == before.raw.bank && after.raw.thinning == before.raw.thinning
      switch attempt {
      case .success(let copy):
        let taken = UInt64(after.raw.generation &- before.raw.generation)
        guard isSame, copy.laterCount &- UInt64(copy.marks.count) == taken else { continue }
        // The newest mark is dropped only for a newer one.
        if let last = copy.marks.last, Int(last.flags) & GM_MARK_DROPPED != 0, taken != 0 { continue }
        marks = copy.marks
        changes = copy.changes
        return
      case .failure(let error):
        if isSame, after.raw.generation == before.raw.generation { throw error }
      }
    }
    throw .unsteady(file: image.file)
  }

  private struct BankCopy {
    var marks: TraceRow<gm_mark>
    var changes: TraceRow<gm_change>
    /// How many marks the bank had after they were copied.
    var laterCount: UInt64
  }

  private static func copyBank(
    _ image: TraceImage, _ sections: TraceSections, _ header: TraceHeader
  ) -> Result<BankCopy, TraceError> {
    do throws(TraceError) {
      if header.raw.bank == 0, header.raw.generation == 0 {
        return .success(BankCopy(marks: TraceRow(), changes: TraceRow(), laterCount: 0))
      }
      guard let section = sections[.bank].first(where: { $0.offset == header.raw.bank }) else {
        return .failure(
          .damaged(
            file: image.file, offset: TraceHeader.offset(of: \.bank),
            what: "the marks are said to be at offset \(header.raw.bank), and are not there"))
      }
      let bank = try bank(of: section, image)
      let firstMark = section.payload.lowerBound + UInt64(MemoryLayout<gm_bank>.size)
      let marks = try image.row(
        of: gm_mark.self, at: firstMark, count: bank.mark_count, stride: UInt32(MemoryLayout<gm_mark>.size),
        what: "a part of the marks")
      // Again: changes are there before the marks that name them, and may be more by now.
      let later = try Self.bank(of: section, image)
      let firstChange = firstMark + UInt64(bank.mark_capacity) * UInt64(MemoryLayout<gm_mark>.size)
      let changes = try image.row(
        of: gm_change.self, at: firstChange, count: later.change_count, stride: UInt32(MemoryLayout<gm_change>.size),
        what: "a part of the marks' changes")
      return .success(BankCopy(marks: marks, changes: changes, laterCount: later.mark_count))
    } catch {
      return .failure(error)
    }
  }

  private static func bank(of section: TraceSection, _ image: TraceImage) throws(TraceError) -> gm_bank {
    func damage(_ what: String) -> TraceError {
      .damaged(file: image.file, offset: section.payload.lowerBound, what: what)
    }
    guard section.payload.count >= MemoryLayout<gm_bank>.size else { throw damage("there is no room for marks") }
    let bank = try image.load(gm_bank.self, at: section.payload.lowerBound, what: "the marks")
    let marks = UInt64(bank.mark_capacity) * UInt64(MemoryLayout<gm_mark>.size)
    let changes = UInt64(bank.change_capacity) * UInt64(MemoryLayout<gm_change>.size)
    guard marks + changes <= UInt64(section.payload.count - MemoryLayout<gm_bank>.size) else {
      throw damage("there is not the room for marks that is said to be")
    }
    guard bank.mark_count <= bank.mark_capacity, bank.change_count <= bank.change_capacity else {
      throw damage("more marks or changes are counted than there is room for")
    }
    return bank
  }

  /// Puts marks and changes into the recording, whose cells and labels are already there.
  /// - Throws: `.damaged`, `.tooLarge`.
  func decode(into recording: inout Recording, notes: inout TraceNotes) throws(TraceError) {
    try image.charge(UInt64(marks.count), each: MemoryLayout<Mark>.stride, at: marks.offset)
    try image.charge(UInt64(changes.count), each: MemoryLayout<Change>.stride, at: changes.offset)
    recording.marks.reserveCapacity(marks.count)
    recording.changes.reserveCapacity(changes.count)
    var generation: UInt32 = 0
    var changesRead: UInt64 = 0
    for index in marks.indices {
      let mark = marks[index]
      func damage(_ what: String) -> TraceError {
        .damaged(file: image.file, offset: marks.offset(of: index), what: "mark \(mark.generation): \(what)")
      }
      guard mark.generation > generation else { throw damage("it is not newer than the mark before it") }
      generation = mark.generation
      guard Int(mark.label) < recording.labels.count else { throw damage("its label is not in the trace") }
      guard mark.first_change >= changesRead, mark.first_change <= changes.count,
        UInt64(mark.change_count) <= UInt64(changes.count) - mark.first_change
      else { throw damage("its changes are not in the trace") }
      changesRead = mark.first_change + UInt64(mark.change_count)
      if Int(mark.flags) & GM_MARK_DROPPED != 0, index + 1 < marks.count { continue }
      let start = recording.changes.count
      try decodeChanges(Int(mark.first_change)..<Int(changesRead), into: &recording)
      recording.marks.append(
        Mark(
          generation: mark.generation, label: Int(mark.label), ordinal: max(1, mark.ordinal),
          time: Nanoseconds(mark.time_ns), born: total(mark.born_blocks, mark.born_bytes, &notes),
          live: total(mark.live_blocks, mark.live_bytes, &notes), residentBytes: known(mark.rss_bytes),
          heldBytes: known(mark.held_bytes), threads: mark.threads == 0 ? nil : Int(mark.threads),
          changes: start..<recording.changes.count, merged: max(1, mark.merged),
          changesLost: Int(mark.flags) & GM_MARK_CHANGES_LOST != 0))
    }
  }

  private func decodeChanges(_ range: Range<Int>, into recording: inout Recording) throws(TraceError) {
    var before: (UInt32, UInt32)?
    for index in range {
      let change = changes[index]
      func damage(_ what: String) -> TraceError {
        .damaged(file: image.file, offset: changes.offset(of: index), what: "a change of cell \(change.cell): \(what)")
      }
      guard change.cell > 0, Int(change.cell) <= recording.cells.count else { throw damage("there is no such cell") }
      if let before, before >= (change.cell, change.birth) { throw damage("it is not in order") }
      before = (change.cell, change.birth)
      guard let live = Amount(recordedBlocks: change.live_blocks, bytes: change.live_bytes) else {
        throw damage("its count is out of range")
      }
      recording.changes.append(
        Change(callSite: recording.cells[Int(change.cell) - 1].callSite, birth: change.birth, live: live))
    }
  }

  /// Totals are sums of differences; where a kill has left one out they may be off, and never stop the reading.
  private func total(_ blocks: UInt64, _ bytes: UInt64, _ notes: inout TraceNotes) -> Amount {
    if let amount = Amount(recordedBlocks: blocks, bytes: bytes) { return amount }
    notes.add("the totals of a mark are out of range; 0 is shown for them")
    return .zero
  }

  private func known(_ bytes: UInt64) -> Bytes? {
    bytes == 0 || bytes > Amount.recordedLimit ? nil : Bytes(Int64(bytes))
  }
}
