// SPDX-License-Identifier: MIT
//
// TraceHeader: the first page of a trace: whether it is one that can be read, and the counts and offsets that say
// what is valid. What lies behind it is in TraceSections.

internal import CTraceFormat

/// A copy of the header that was found to be one. Its counts are not yet known to be true: sections show that.
struct TraceHeader {
  var raw: gm_header

  /// - Throws: `.notATrace`, `.notBegun`, `.newerVersion`, `.olderVersion`, `.foreignMachine`, `.truncated`, `.damaged`.
  init(_ image: TraceImage) throws(TraceError) {
    let file = image.file
    let prefix = try image.copy(at: 0, count: min(image.size, UInt64(MemoryLayout<gm_header>.size)), what: "the header")
    guard prefix.count >= 8 else { throw .notATrace(file: file, hint: nil) }
    let magic = prefix.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    guard magic == GM_MAGIC else {
      if prefix.allSatisfy({ $0 == 0 }) || TraceHeader.isBegun(prefix) { throw .notBegun(file: file) }
      if magic.byteSwapped == GM_MAGIC { throw .foreignMachine(file: file, what: "its byte order is the other one") }
      throw .notATrace(file: file, hint: TraceHeader.hint(for: prefix))
    }
    guard prefix.count == MemoryLayout<gm_header>.size else {
      throw .truncated(file: file, size: image.size, missing: "the rest of the header")
    }
    raw = prefix.withUnsafeBytes { $0.loadUnaligned(as: gm_header.self) }
    guard raw.byte_order == GM_BYTE_ORDER else {
      throw raw.byte_order.byteSwapped == GM_BYTE_ORDER
        ? .foreignMachine(file: file, what: "its byte order is the other one")
        : TraceHeader.damage(file, \.byte_order, "the byte-order mark is wrong")
    }
    if raw.major > GM_FORMAT_MAJOR {
      throw .newerVersion(file: file, major: Int(raw.major), known: Int(GM_FORMAT_MAJOR))
    }
    if raw.major < GM_FORMAT_MAJOR {
      throw .olderVersion(file: file, major: Int(raw.major), known: Int(GM_FORMAT_MAJOR))
    }
    guard raw.pointer_bits == 64 else {
      throw .foreignMachine(file: file, what: "its program has pointers of \(raw.pointer_bits) bits")
    }
    guard raw.header_size >= MemoryLayout<gm_header>.size, raw.header_size % 64 == 0 else {
      throw TraceHeader.damage(file, \.header_size, "the header's size is \(raw.header_size)")
    }
    guard raw.used >= raw.header_size, raw.used % 64 == 0 else {
      throw TraceHeader.damage(file, \.used, "the end of what is used is \(raw.used)")
    }
    for count in [raw.node_count, raw.cell_count, raw.module_count, raw.label_count] where count > 1 << 32 {
      throw TraceHeader.damage(file, \.node_count, "a count of records is \(count)")
    }
  }

  /// Counts of events that were not recorded, by kind; unknown kinds too.
  var losses: [UInt64] {
    withUnsafeBytes(of: raw.losses) { bytes in
      (0..<Int(GM_LOSS_KINDS)).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  /// Where a field stands, for messages.
  static func offset(of field: PartialKeyPath<gm_header>) -> UInt64 {
    UInt64(MemoryLayout<gm_header>.offset(of: field) ?? 0)
  }

  private static func damage(_ file: String, _ field: PartialKeyPath<gm_header>, _ what: String) -> TraceError {
    .damaged(file: file, offset: offset(of: field), what: what)
  }

  /// The recorder stores the magic last: all else may be there without it.
  private static func isBegun(_ prefix: [UInt8]) -> Bool {
    guard prefix.count == MemoryLayout<gm_header>.size else { return false }
    let header = prefix.withUnsafeBytes { $0.loadUnaligned(as: gm_header.self) }
    return header.magic == 0 && header.header_size == GM_HEADER_SIZE && header.byte_order == GM_BYTE_ORDER
  }

  private static func hint(for prefix: [UInt8]) -> String? {
    let known: [(start: [UInt8], what: String)] = [
      ([0x1f, 0x8b], "it is compressed by gzip: unpack it first"),
      ([0x28, 0xb5, 0x2f, 0xfd], "it is compressed by zstd: unpack it first"),
      ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "it is compressed by xz: unpack it first"),
      (Array("GENMPACK".utf8), "it is a packed trace, which can be read and not marked"),
      ([0x7f, 0x45, 0x4c, 0x46], "it is a program or a library"),
      ([0x7b], "it looks like JSON"),
      ([0x23, 0x21], "it is a script"),
    ]
    return known.first { prefix.starts(with: $0.start) }?.what
  }
}
