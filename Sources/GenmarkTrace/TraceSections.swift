// SPDX-License-Identifier: MIT
//
// TraceSections: the extents of a trace, found by walking from the header's end to header.used, and which of their
// records are valid. What the records say is read by the files named after it: TraceCells, TraceHistory, TraceNames.

internal import CTraceFormat

/// One extent that lies below header.used and whose records fit into it.
struct TraceSection {
  enum Kind: Hashable, CaseIterable {
    case nodes, cells, counters, modules, labels, strings, bank

    /// Nil for a kind that this version does not know.
    init?(_ number: UInt32) {
      switch Int(number) {
      case GM_EXTENT_NODES: self = .nodes
      case GM_EXTENT_CELLS: self = .cells
      case GM_EXTENT_COUNTERS: self = .counters
      case GM_EXTENT_MODULES: self = .modules
      case GM_EXTENT_LABELS: self = .labels
      case GM_EXTENT_STRINGS: self = .strings
      case GM_EXTENT_BANK: self = .bank
      default: return nil
      }
    }

    /// What its records are called in messages.
    var words: String {
      switch self {
      case .nodes: "the call tree"
      case .cells: "the cells"
      case .counters: "the counters"
      case .modules: "the modules"
      case .labels: "the labels"
      case .strings: "the texts"
      case .bank: "the marks"
      }
    }

    /// Bytes between the extent's header and its first element.
    var prefix: UInt64 { self == .counters ? UInt64(GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE) : 0 }

    /// The least size of an element, as this version knows it.
    var elementSize: Int {
      switch self {
      case .nodes: MemoryLayout<gm_node>.size
      case .cells: MemoryLayout<gm_cell>.size
      case .counters: MemoryLayout<gm_counter>.size
      case .modules: MemoryLayout<gm_module>.size
      case .labels: MemoryLayout<gm_label>.size
      case .strings, .bank: 0
      }
    }
  }

  var kind: Kind
  /// Of the extent's header.
  var offset: UInt64
  /// With its header.
  var size: UInt64
  var first: UInt64
  var capacity: UInt64
  var elementSize: UInt32
  var shard: UInt32

  /// Of the first element.
  var elements: UInt64 { offset + UInt64(GM_EXTENT_HEADER_SIZE) + kind.prefix }
  var payload: Range<UInt64> { offset + UInt64(GM_EXTENT_HEADER_SIZE)..<offset + size }
  /// Ids of its elements.
  var ids: Range<UInt64> { first..<first + capacity }
}

/// All sections found so far. While the program runs there are more at every look; those found stay as they are.
struct TraceSections {
  private(set) var byKind: [TraceSection.Kind: [TraceSection]] = [:]
  /// Kinds that this version does not know, and how many sections of them.
  private(set) var unknown: [UInt32: Int] = [:]
  /// Bytes of the last section that lie behind the end of the file.
  private(set) var cutBytes: UInt64 = 0
  private var next: UInt64 = 0
  private var count = 0

  /// More than a trace can have: the smallest useful section is 2 KiB, and marks keep few.
  private static let countLimit = 1 << 20

  subscript(kind: TraceSection.Kind) -> [TraceSection] { byKind[kind] ?? [] }

  /// Walks on to what the header says is used.
  /// - Throws: `.damaged`, `.truncated`.
  mutating func walk(_ image: TraceImage, _ header: TraceHeader) throws(TraceError) {
    if next == 0 { next = UInt64(header.raw.header_size) }
    while next < header.raw.used {
      let extent = try image.load(gm_extent.self, at: next, what: "a section")
      try add(extent, image, used: header.raw.used)
      count += 1
      guard count <= TraceSections.countLimit else {
        throw .damaged(file: image.file, offset: next, what: "there are more sections than a trace can have")
      }
      next += extent.size
    }
    cutBytes = next > image.size ? next - image.size : 0
  }

  private mutating func add(_ extent: gm_extent, _ image: TraceImage, used: UInt64) throws(TraceError) {
    func damage(_ what: String) -> TraceError { .damaged(file: image.file, offset: next, what: what) }
    guard extent.magic == GM_EXTENT_MAGIC else { throw damage("no section begins here") }
    guard extent.size >= GM_EXTENT_HEADER_SIZE, extent.size % 64 == 0, extent.size <= used - next else {
      throw damage("the section's size is \(extent.size)")
    }
    guard let kind = TraceSection.Kind(extent.kind) else {
      unknown[extent.kind, default: 0] += 1
      return
    }
    let room = extent.size - UInt64(GM_EXTENT_HEADER_SIZE)
    let needed = UInt64(extent.capacity).multipliedReportingOverflow(by: UInt64(extent.element_size))
    guard extent.element_size >= kind.elementSize, !needed.overflow, room >= kind.prefix,
      needed.partialValue <= room - kind.prefix
    else { throw damage("the section does not hold what it says") }
    guard extent.first <= 1 << 32, extent.shard <= GM_SHARD_LIMIT else {
      throw damage("the section's numbers are out of range")
    }
    byKind[kind, default: []].append(
      TraceSection(
        kind: kind, offset: next, size: extent.size, first: extent.first, capacity: UInt64(extent.capacity),
        elementSize: extent.element_size, shard: extent.shard))
  }

  /// The sections that hold the ids `ids`, in order, each with its part of them: without a gap and without an overlap.
  /// - Throws: `.damaged`.
  func covering(
    _ ids: Range<UInt64>, _ kind: TraceSection.Kind, _ image: TraceImage
  ) throws(TraceError) -> [(section: TraceSection, ids: Range<UInt64>)] {
    var parts: [(section: TraceSection, ids: Range<UInt64>)] = []
    var next = ids.lowerBound
    var end: UInt64 = 0
    for section in self[kind].sorted(by: { ($0.first, $0.offset) < ($1.first, $1.offset) }) {
      guard section.first >= end else {
        throw .damaged(
          file: image.file, offset: section.offset, what: "two sections hold the same part of \(kind.words)")
      }
      end = section.ids.upperBound
      let part = section.ids.clamped(to: ids)
      if part.isEmpty { continue }
      guard part.lowerBound == next else { break }
      next = part.upperBound
      parts.append((section, part))
    }
    guard next >= ids.upperBound else {
      throw .damaged(
        file: image.file, offset: TraceHeader.offset(of: \.used),
        what: "the header counts \(ids.upperBound) in \(kind.words), and there are \(next)")
    }
    return parts
  }
}

extension TraceImage {
  /// The records of some of a section's ids.
  /// - Throws: `.truncated`, `.tooLarge`.
  func row<Record: BitwiseCopyable>(
    of type: Record.Type, in section: TraceSection, ids: Range<UInt64>
  ) throws(TraceError) -> TraceRow<Record> {
    let part = ids.clamped(to: section.ids)
    if part.isEmpty { return TraceRow() }
    let offset = section.elements + (part.lowerBound - section.first) * UInt64(section.elementSize)
    return try row(
      of: type, at: offset, count: UInt64(part.count), stride: section.elementSize,
      what: "a part of \(section.kind.words)")
  }
}
