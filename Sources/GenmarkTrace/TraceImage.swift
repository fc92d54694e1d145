// SPDX-License-Identifier: MIT
//
// TraceImage: checked copies out of a trace. The only place that knows of raw memory: everything else asks for a
// record or for a row of records and gets values or an error. What the records mean is not known here.

internal import CTraceFormat

/// A trace of which nothing is believed that was not checked.
///
/// Memory is bounded: what is kept of a trace is charged to an allowance that follows from the data there is on the
/// disk, so that a small file that claims a billion records is refused before anything is allocated for them.
final class TraceImage {
  let source: any TraceSource
  private var allowance: UInt64

  /// Room for what a file with holes may claim beyond its data.
  private static let baseAllowance: UInt64 = 256 << 20
  /// Kept values are at most this many times as large as their records.
  private static let allowancePerStoredByte: UInt64 = 4

  var file: String { source.file }
  var size: UInt64 { source.size }

  init(_ source: any TraceSource) {
    self.source = source
    let stored = min(source.storedSize, source.size)
    allowance = TraceImage.baseAllowance &+ TraceImage.allowancePerStoredByte &* min(stored, 1 << 50)
  }

  /// Takes note of memory that is about to be kept.
  /// - Throws: `.tooLarge`.
  func charge(_ count: UInt64, each bytes: Int, at offset: UInt64) throws(TraceError) {
    let (total, overflow) = count.multipliedReportingOverflow(by: UInt64(bytes))
    guard !overflow, total <= allowance else { throw .tooLarge(file: file, offset: offset) }
    allowance -= total
  }

  /// One record.
  /// - Throws: `.truncated` when it does not lie in the file.
  func load<Record: BitwiseCopyable>(_ type: Record.Type, at offset: UInt64, what: String) throws(TraceError) -> Record
  {
    let bytes = try copy(at: offset, count: UInt64(MemoryLayout<Record>.size), what: what)
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
  }

  /// `count` records that stand `stride` bytes apart. Copied, and not charged: for a row that is soon let go.
  /// - Throws: `.truncated` when they do not lie in the file, `.tooLarge`, `.damaged` when a record is longer than the stride.
  func row<Record: BitwiseCopyable>(
    of type: Record.Type, at offset: UInt64, count: UInt64, stride: UInt32, what: String
  ) throws(TraceError) -> TraceRow<Record> {
    guard stride >= MemoryLayout<Record>.size else {
      throw .damaged(file: file, offset: offset, what: "records of \(what) are too short")
    }
    let (length, overflow) = count.multipliedReportingOverflow(by: UInt64(stride))
    guard !overflow else { throw .tooLarge(file: file, offset: offset) }
    let bytes = try copy(at: offset, count: length, what: what)
    return TraceRow(bytes: bytes, stride: Int(stride), count: Int(count), offset: offset)
  }

  /// Bytes as they stand.
  /// - Throws: `.truncated`, `.tooLarge`.
  func copy(at offset: UInt64, count: UInt64, what: String) throws(TraceError) -> [UInt8] {
    guard count <= allowance else { throw .tooLarge(file: file, offset: offset) }
    guard offset <= size, count <= size - offset else { throw .truncated(file: file, size: size, missing: what) }
    var failure: TraceError?
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      do throws(TraceError) {
        try source.read(
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<Int(count)]),
          at: offset)
        filled = Int(count)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Records of one kind in a row, copied out of the trace.
struct TraceRow<Record: BitwiseCopyable>: RandomAccessCollection {
  private let bytes: [UInt8]
  private let stride: Int
  let count: Int
  /// Of the first one, in the file.
  let offset: UInt64

  /// `bytes` holds `count` records, `stride` apart, and `stride` is not less than a record; TraceImage has checked it.
  fileprivate init(bytes: [UInt8], stride: Int, count: Int, offset: UInt64) {
    self.bytes = bytes
    self.stride = stride
    self.count = count
    self.offset = offset
  }

  /// No records.
  init() { self.init(bytes: [], stride: MemoryLayout<Record>.size, count: 0, offset: 0) }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Record {
    precondition(index >= 0 && index < count, "no such record")
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * stride, as: Record.self) }
  }

  /// Where a record stands in the file.
  func offset(of index: Int) -> UInt64 { offset + UInt64(index * stride) }
}
