// SPDX-License-Identifier: MIT
//
// TraceImageBytes: the bytes of a built trace, with what a test needs to damage them in a chosen place.

public import CTraceFormat

public struct TraceImageBytes: Sendable {
  /// A section, for tests that go through all of them.
  public struct Extent: Sendable {
    public var kind: Int
    public var offset: Int
    public var size: Int
    public var end: Int { offset + size }
  }

  public var bytes: [UInt8]
  public private(set) var extents: [Extent] = []
  var strings: [gm_string] = []

  init(header: gm_header) {
    bytes = [UInt8](repeating: 0, count: Int(header.header_size))
    store(header, at: 0)
  }

  /// The offsets of all sections of a kind.
  public func offsets(_ kind: Int) -> [Int] { extents.filter { $0.kind == kind }.map(\.offset) }

  public func load<Record: BitwiseCopyable>(_ type: Record.Type, at offset: Int) -> Record {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  public mutating func store<Record: BitwiseCopyable>(_ record: Record, at offset: Int) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: record, toByteOffset: offset, as: Record.self) }
  }

  /// Changes one record, in place.
  public mutating func update<Record: BitwiseCopyable>(
    _ type: Record.Type, at offset: Int, _ change: (inout Record) -> Void
  ) {
    var record = load(type, at: offset)
    change(&record)
    store(record, at: offset)
  }

  /// Changes the header.
  public mutating func update(_ change: (inout gm_header) -> Void) { update(gm_header.self, at: 0, change) }

  /// Changes the `index`-th record in the section at `extent`.
  public mutating func updateRecord<Record: BitwiseCopyable>(
    _ type: Record.Type, _ index: Int, in extent: Int, _ change: (inout Record) -> Void
  ) {
    update(type, at: extent + GM_EXTENT_HEADER_SIZE + index * MemoryLayout<Record>.size, change)
  }

  /// Changes the `index`-th mark.
  public mutating func updateMark(_ index: Int, _ change: (inout gm_mark) -> Void) {
    let bank = Int(load(gm_header.self, at: 0).bank) + GM_EXTENT_HEADER_SIZE
    update(gm_mark.self, at: bank + MemoryLayout<gm_bank>.size + index * MemoryLayout<gm_mark>.size, change)
  }

  /// Changes the `index`-th change.
  public mutating func updateChange(_ index: Int, _ change: (inout gm_change) -> Void) {
    let start = Int(load(gm_header.self, at: 0).bank) + GM_EXTENT_HEADER_SIZE
    let marks = Int(load(gm_bank.self, at: start).mark_capacity) * MemoryLayout<gm_mark>.size
    update(
      gm_change.self, at: start + MemoryLayout<gm_bank>.size + marks + index * MemoryLayout<gm_change>.size, change)
  }

  /// Appends an empty section and counts it as used; returns its offset.
  @discardableResult
  public mutating func appendExtent(
    _ kind: Int, first: Int, capacity: Int, elementSize: Int, payload: Int, shard: UInt32 = 0
  ) -> Int {
    let offset = bytes.count
    let size = (GM_EXTENT_HEADER_SIZE + payload + 63) / 64 * 64
    var extent = gm_extent()
    extent.magic = UInt32(GM_EXTENT_MAGIC)
    extent.kind = UInt32(kind)
    extent.size = UInt64(size)
    extent.first = UInt64(first)
    extent.capacity = UInt32(capacity)
    extent.element_size = UInt32(elementSize)
    extent.shard = shard
    bytes.append(contentsOf: [UInt8](repeating: 0, count: size))
    store(extent, at: offset)
    extents.append(Extent(kind: kind, offset: offset, size: size))
    update { $0.used = UInt64(offset + size) }
    return offset
  }

  /// Sections of `each` records, as many as are needed; returns their offsets.
  @discardableResult
  mutating func appendExtents<Record: BitwiseCopyable>(_ kind: Int, _ records: [Record], each capacity: Int) -> [Int] {
    var offsets: [Int] = []
    for first in stride(from: 0, to: records.count, by: capacity) {
      let size = MemoryLayout<Record>.size
      let offset = appendExtent(kind, first: first, capacity: capacity, elementSize: size, payload: capacity * size)
      for index in first..<min(first + capacity, records.count) {
        store(records[index], at: offset + GM_EXTENT_HEADER_SIZE + (index - first) * size)
      }
      offsets.append(offset)
    }
    return offsets
  }

  /// Makes each section name the next.
  mutating func link(_ offsets: [Int]) {
    for (offset, next) in zip(offsets, offsets.dropFirst()) {
      update(gm_extent.self, at: offset) { $0.next = UInt64(next) }
    }
  }
}
