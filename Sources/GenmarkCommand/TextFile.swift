// SPDX-License-Identifier: MIT
//
// TextFile: small files that people write and reports that are written for machines. Traces are GenmarkTrace's.

import GenmarkAnalysis

import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

enum TextFile {
  /// More than any budget or suppression file needs.
  private static let limit = 16 << 20
  /// More than any report of an earlier check needs.
  static let reportLimit = 512 << 20

  /// - Throws: `cannotRead`.
  static func read(_ path: String, limit: Int = limit) throws(CommandError) -> String {
    let descriptor = path.withPathBytes { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotRead(path: path, reason: SystemText.reason(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(path: path, reason: SystemText.reason(errno))
      }
      bytes += buffer[..<count]
      if bytes.count > limit { throw .cannotRead(path: path, reason: "it has more than \(limit >> 20) MiB") }
    }
  }

  /// True when the first character that is no white space is this one.
  /// - Throws: `cannotRead`.
  static func begins(_ path: String, with character: Character) throws(CommandError) -> Bool {
    let descriptor = path.withPathBytes { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotRead(path: path, reason: SystemText.reason(errno)) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
    return buffer[..<count].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == character.asciiValue
  }

  /// Replaces the file in one step, so that a reader never finds half of it.
  /// - Throws: `cannotWrite`.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    if path == "-" { return try check(Console.writeAll(bytes, to: STDOUT_FILENO), "standard output") }
    var status = stat()
    // A device or a pipe can not be replaced, only written to.
    if path.withPathBytes({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try writeInto(path, bytes, O_WRONLY)
    }
    let temporary = path + ".\(getpid()).tmp"
    do throws(CommandError) {
      try writeInto(temporary, bytes, O_WRONLY | O_CREAT | O_EXCL)
      if temporary.withPathBytes({ from in path.withPathBytes { rename(from, $0) } }) != 0 {
        throw CommandError.cannotWrite(path: path, reason: SystemText.reason(errno))
      }
    } catch {
      _ = temporary.withPathBytes { unlink($0) }
      throw error
    }
  }

  private static func writeInto(_ path: String, _ bytes: [UInt8], _ flags: Int32) throws(CommandError) {
    let descriptor = path.withPathBytes { open($0, flags | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: SystemText.reason(errno)) }
    let written = Console.writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? 0 : errno
    try check(written == 0 ? closed : written, path)
  }

  private static func check(_ code: Int32, _ path: String) throws(CommandError) {
    if code != 0, code != EPIPE { throw .cannotWrite(path: path, reason: SystemText.reason(code)) }
  }
}

/// The day, for exceptions that expire.
enum Today {
  /// YYYY-MM-DD, local time.
  static var text: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  /// The word, when it is a day of the calendar.
  static func day(_ word: String) -> String? {
    BudgetFile.isDay(word) ? word : nil
  }
}
