// SPDX-License-Identifier: MIT
//
// TraceCopy: a trace as bytes that go elsewhere: cut to what is used, whole even while its program runs, and without
// its texts when wanted. Reading one is Recording+Trace's.

internal import CTraceFormat
internal import GenmarkModel

package enum TraceCopy {
  /// How often a copy is tried while the program marks.
  private static let tries = 100

  /// The first bytes of a file, to tell what it is; fewer when it is shorter.
  /// - Throws: `.notFound`, `.unreadable`, `.notRegular`, `.empty`.
  package static func beginning(of path: String, count: Int) throws(TraceError) -> [UInt8] {
    let file = try TraceFile(path: path)
    return try TraceImage(file).copy(at: 0, count: min(file.size, UInt64(count)), what: "the beginning")
  }

  /// The whole of a file that is no trace.
  /// - Throws: as `beginning(of:count:)`, `.tooLarge`.
  package static func wholeFile(_ path: String) throws(TraceError) -> [UInt8] {
    let file = try TraceFile(path: path)
    return try TraceImage(file).copy(at: 0, count: file.size, what: "a part of it")
  }

  /// The used part of a trace.
  ///
  /// What is named must be copied after what names it: the marks first, then the counts, then all else. A bank in use is
  /// only appended to; when the header names the same one before and after it was copied, the copy is good.
  /// - Throws: `.unsteady`, and what opening a trace throws.
  package static func bytes(of path: String) throws(TraceError) -> [UInt8] {
    let file = try TraceFile(path: path)
    for _ in 0..<tries {
      let image = TraceImage(file)
      let before = try TraceHeader(image).raw
      var bank: (offset: UInt64, bytes: [UInt8])?
      if before.bank != 0 {
        let extent = try image.load(gm_extent.self, at: before.bank, what: "the marks")
        guard extent.magic == GM_EXTENT_MAGIC, extent.kind == GM_EXTENT_BANK else {
          throw .damaged(file: path, offset: before.bank, what: "the marks are not there")
        }
        let size = min(extent.size, file.size - before.bank)
        bank = (before.bank, try image.copy(at: before.bank, count: size, what: "the marks"))
      }
      let header = try image.copy(at: 0, count: UInt64(MemoryLayout<gm_header>.size), what: "the header")
      let counts = header.withUnsafeBytes { $0.loadUnaligned(as: gm_header.self) }
      guard counts.bank == before.bank, counts.used >= before.used else { continue }
      var bytes = try image.copy(at: 0, count: min(counts.used, file.size), what: "a part of it")
      overwrite(&bytes, at: 0, with: header)
      if let bank { overwrite(&bytes, at: bank.offset, with: bank.bytes) }
      guard try TraceHeader(image).raw.bank == before.bank else { continue }
      return bytes
    }
    throw .unsteady(file: path)
  }

  /// A copy that tells nobody what the program is: no paths, arguments and labels, no build-ids and no times of files.
  /// Sections that this version does not know are emptied.
  /// - Throws: as reading a trace does.
  package static func withoutTexts(_ bytes: [UInt8], file: String) throws(TraceError) -> [UInt8] {
    let image = TraceImage(try TraceBytes(bytes, file: file))
    let header = try TraceHeader(image)
    var sections = TraceSections()
    // From here on every section lies where it says.
    try sections.walk(image, header)
    var copy = bytes
    blank(
      &copy, from: UInt64(MemoryLayout<gm_header>.size),
      count: UInt64(header.raw.header_size) - UInt64(MemoryLayout<gm_header>.size))
    for field in [\gm_header.program, \gm_header.directory, \gm_header.arguments] as [PartialKeyPath<gm_header>] {
      blank(&copy, from: TraceHeader.offset(of: field), count: UInt64(MemoryLayout<gm_string>.size))
    }
    blank(&copy, from: TraceHeader.offset(of: \.process_start_ticks), count: 8)
    var offset = UInt64(header.raw.header_size)
    while offset < header.raw.used {
      let extent = try image.load(gm_extent.self, at: offset, what: "a section")
      let payload = offset + UInt64(GM_EXTENT_HEADER_SIZE)
      switch TraceSection.Kind(extent.kind) {
      case .strings, nil: blank(&copy, from: payload, count: extent.size - UInt64(GM_EXTENT_HEADER_SIZE))
      case .modules: blankModules(&copy, from: payload, extent)
      case .labels:
        for index in 0..<UInt64(extent.capacity) {
          // Hash and text; the counts behind them stay.
          let count = UInt64(MemoryLayout<gm_label>.offset(of: \.marks) ?? 0)
          blank(&copy, from: payload + index * UInt64(extent.element_size), count: count)
        }
      default: break
      }
      offset += extent.size
    }
    return copy
  }

  private static func blankModules(_ bytes: inout [UInt8], from payload: UInt64, _ extent: gm_extent) {
    let telling: [(PartialKeyPath<gm_module>, Int)] = [
      (\.path, MemoryLayout<gm_string>.size), (\.device, 8), (\.inode, 8), (\.modified_ns, 8), (\.file_size, 8),
      (\.build_id_size, 4), (\.build_id, 32),
    ]
    for index in 0..<UInt64(extent.capacity) {
      for (field, size) in telling {
        let offset = UInt64(MemoryLayout<gm_module>.offset(of: field) ?? 0)
        blank(&bytes, from: payload + index * UInt64(extent.element_size) + offset, count: UInt64(size))
      }
    }
  }

  /// Zeroes; what lies behind the end is left out.
  private static func blank(_ bytes: inout [UInt8], from offset: UInt64, count: UInt64) {
    let start = min(offset, UInt64(bytes.count))
    let end = min(offset &+ count, UInt64(bytes.count))
    for index in Int(start)..<Int(max(start, end)) { bytes[index] = 0 }
  }

  private static func overwrite(_ bytes: inout [UInt8], at offset: UInt64, with part: [UInt8]) {
    let start = min(offset, UInt64(bytes.count))
    let count = min(UInt64(part.count), UInt64(bytes.count) - start)
    bytes.replaceSubrange(Int(start)..<Int(start + count), with: part[..<Int(count)])
  }
}
