// SPDX-License-Identifier: MIT
//
// TraceSource: where the bytes of a trace come from: a file, or memory in tests. It hands out copies and never a
// mapping: a mapped file that someone cuts short ends its reader with SIGBUS.

internal import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Bytes that can be copied from any place.
protocol TraceSource: AnyObject {
  /// What to call it in messages.
  var file: String { get }
  /// How many bytes there are; looked up once.
  var size: UInt64 { get }
  /// How many of them really take room on the disk: less in a file with holes.
  var storedSize: UInt64 { get }
  /// Fills the buffer. The range lies below `size`.
  /// - Throws: `.unreadable` when the kernel says no, `.truncated` when the file has become shorter.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TraceError)
}

/// An open file. Only regular files: a pipe may block for ever, a device may do things when it is read.
final class TraceFile: TraceSource {
  enum Access { case read, write }

  let file: String
  let descriptor: Int32
  let size: UInt64
  let storedSize: UInt64
  /// User who owns it.
  let owner: UInt32

  /// - Throws: `.notFound`, `.unreadable`, `.unwritable`, `.notRegular`, `.empty`.
  init(path: String, for access: Access = .read) throws(TraceError) {
    file = path
    guard !path.utf8.contains(0) else { throw .notFound(file: path) }
    // Not blocking: opening a pipe that no one writes to would hang.
    let flags = (access == .read ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var opened: Int32
    repeat { opened = path.withPathBytes { open($0, flags) } } while opened < 0 && errno == EINTR
    guard opened >= 0 else { throw TraceFile.openError(path: path, code: errno, for: access) }
    descriptor = opened
    var status = stat()
    guard fstat(opened, &status) == 0 else {
      let code = errno
      close(opened)
      throw .unreadable(file: path, reason: systemMessage(code))
    }
    size = UInt64(max(0, status.st_size))
    storedSize = UInt64(max(0, status.st_blocks)) &* 512
    owner = status.st_uid
    if let kind = TraceFile.kindUnlessRegular(status.st_mode) {
      close(opened)
      throw .notRegular(file: path, kind: kind)
    }
    if size == 0 {
      close(opened)
      throw .empty(file: path)
    }
  }

  deinit { close(descriptor) }

  /// How many bytes there are now; nil when that can not be told.
  var currentSize: UInt64? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(max(0, status.st_size)) : nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TraceError) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      if count > 0 {
        done += count
      } else if count == 0 {
        throw .truncated(file: file, size: offset + UInt64(done), missing: "what was there when reading began")
      } else if errno != EINTR {
        throw .unreadable(file: file, reason: systemMessage(errno))
      }
    }
  }

  private static func openError(path: String, code: Int32, for access: Access) -> TraceError {
    switch code {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound(file: path)
    case EISDIR: .notRegular(file: path, kind: "a directory")
    case ENXIO: .notRegular(file: path, kind: "a pipe, a socket or a device")
    default:
      access == .read
        ? .unreadable(file: path, reason: systemMessage(code))
        : .unwritable(file: path, reason: systemMessage(code))
    }
  }

  private static func kindUnlessRegular(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}

/// Bytes in memory.
final class TraceBytes: TraceSource {
  let file: String
  private let bytes: [UInt8]
  var size: UInt64 { UInt64(bytes.count) }
  var storedSize: UInt64 { size }

  /// - Throws: `.empty`.
  init(_ bytes: [UInt8], file: String) throws(TraceError) {
    if bytes.isEmpty { throw .empty(file: file) }
    self.bytes = bytes
    self.file = file
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TraceError) {
    guard offset <= size, UInt64(buffer.count) <= size - offset else {
      throw .truncated(file: file, size: size, missing: "offset \(offset)")
    }
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + buffer.count]))
    }
  }
}

/// The kernel's word for an error number.
func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
