// SPDX-License-Identifier: MIT
//
// TraceHistory: the marks of a trace and what changed at each, out of its valid bank. Counts at the end are in
// TraceCells.
//
// A running program may switch to another bank while this one is copied, and build this one anew after that. A bank in
// use is only appended to, and one that is built anew holds a part of the marks of before: the copy is good when the
// header names the same bank after it, and that still has as many marks and the newest copied one in its place.

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
      let header = try TraceHeader(image)
      try sections.walk(image, header)
      do throws(TraceError) {
        let bank = try Bank(image, sections, header)
        let marks = try bank.marks(image)
        let changes = try bank.changes(image)
        if try Bank.isCurrent(bank, last: marks.last, image) {
          self.marks = marks
          self.changes = changes
          return
        }
      } catch {
        // What stands in a bank that is being built is no damage.
        if try TraceHeader(image).raw.generation == header.raw.generation { throw error }
      }
    }
    throw .unsteady(file: image.file)
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
      if isDropped(index) { continue }
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

  /// True when the next mark has this one's changes too. Whoever took that was killed, or is about to say so here, when
  /// this is not flagged and the next one stands for this one's generation all the same.
  private func isDropped(_ index: Int) -> Bool {
    guard index + 1 < marks.count else { return false }
    let mark = marks[index]
    let next = marks[index + 1]
    return Int(mark.flags) & GM_MARK_DROPPED != 0
      || next.generation > mark.generation && next.merged > next.generation - mark.generation
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

/// Where marks are kept, as it was found.
private struct Bank {
  /// Of the section; 0 for a trace that has none yet.
  var offset: UInt64
  var start: UInt64
  var counts: gm_bank

  /// - Throws: `.damaged`, `.truncated`.
  init(_ image: TraceImage, _ sections: TraceSections, _ header: TraceHeader) throws(TraceError) {
    offset = header.raw.bank
    if offset == 0, header.raw.generation == 0 {
      (start, counts) = (0, gm_bank())
      return
    }
    guard let section = sections[.bank].first(where: { $0.offset == header.raw.bank }) else {
      throw .damaged(
        file: image.file, offset: TraceHeader.offset(of: \.bank),
        what: "the marks are said to be at offset \(header.raw.bank), and are not there")
    }
    start = section.payload.lowerBound
    let size = UInt64(MemoryLayout<gm_bank>.size)
    guard section.payload.count >= size else {
      throw .damaged(file: image.file, offset: start, what: "there is no room for marks")
    }
    counts = try image.load(gm_bank.self, at: start, what: "the marks")
    let marks = UInt64(counts.mark_capacity) * UInt64(MemoryLayout<gm_mark>.size)
    let changes = UInt64(counts.change_capacity) * UInt64(MemoryLayout<gm_change>.size)
    guard marks + changes <= UInt64(section.payload.count) - size else {
      throw .damaged(file: image.file, offset: start, what: "there is not the room for marks that is said to be")
    }
    try checkCounts(image)
  }

  private func checkCounts(_ image: TraceImage) throws(TraceError) {
    guard counts.mark_count <= counts.mark_capacity, counts.change_count <= counts.change_capacity else {
      throw .damaged(file: image.file, offset: start, what: "more marks or changes are counted than there is room for")
    }
  }

  private var firstMark: UInt64 { start + UInt64(MemoryLayout<gm_bank>.size) }

  func marks(_ image: TraceImage) throws(TraceError) -> TraceRow<gm_mark> {
    if offset == 0 { return TraceRow() }
    return try image.row(
      of: gm_mark.self, at: firstMark, count: counts.mark_count, stride: UInt32(MemoryLayout<gm_mark>.size),
      what: "a part of the marks")
  }

  /// All changes that are there now: changes are counted before the marks that name them.
  func changes(_ image: TraceImage) throws(TraceError) -> TraceRow<gm_change> {
    if offset == 0 { return TraceRow() }
    var later = self
    later.counts.change_count = try image.load(gm_bank.self, at: start, what: "the marks").change_count
    try later.checkCounts(image)
    return try image.row(
      of: gm_change.self, at: firstMark + UInt64(counts.mark_capacity) * UInt64(MemoryLayout<gm_mark>.size),
      count: later.counts.change_count, stride: UInt32(MemoryLayout<gm_change>.size),
      what: "a part of the marks' changes")
  }

  /// True when nothing but appending was done to the bank since it was found; `last` is the newest mark copied.
  static func isCurrent(_ bank: Bank, last: gm_mark?, _ image: TraceImage) throws(TraceError) -> Bool {
    guard try TraceHeader(image).raw.bank == bank.offset else { return false }
    guard let last else { return true }
    let index = bank.counts.mark_count - 1
    let offset = bank.firstMark + index * UInt64(MemoryLayout<gm_mark>.size)
    guard try image.load(gm_bank.self, at: bank.start, what: "the marks").mark_count > index else { return false }
    return try image.load(gm_mark.self, at: offset, what: "the marks").generation == last.generation
  }
}
