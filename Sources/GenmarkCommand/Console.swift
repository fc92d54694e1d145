// SPDX-License-Identifier: MIT
//
// Console: the only writer to standard output and standard error. A reader that closes the pipe (`| head`) is no
// error: what is left is dropped and the verb's exit status stays.

import GenmarkReports

#if canImport(Glibc)
  import Glibc
#endif

/// Standard output, buffered, and lines on standard error.
final class Console {
  private var buffer: [UInt8] = []
  private var isClosed = false
  private let output: Int32
  private let error: Int32
  let style: Style

  private static let bufferSize = 1 << 16

  init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO, style: Style = Terminal.style()) {
    self.output = output
    self.error = error
    self.style = style
  }

  /// Text that is already escaped for where it goes.
  func write(_ text: String) throws(CommandError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Console.bufferSize { try flush() }
  }

  func write(line: String) throws(CommandError) { try write(line + "\n") }

  /// A document in one line, in pieces as it is made.
  func write(_ document: JSONValue) throws(CommandError) {
    var stream = Stream(console: self)
    document.write(to: &stream)
    if let error = stream.error { throw error }
    try write("\n")
  }

  /// Keeps the first error, since a text stream can not throw.
  private struct Stream: TextOutputStream {
    let console: Console
    var error: CommandError?

    mutating func write(_ text: String) {
      guard error == nil else { return }
      do throws(CommandError) { try console.write(text) } catch { self.error = error }
    }
  }

  func write(bytes: [UInt8]) throws(CommandError) {
    buffer.append(contentsOf: bytes)
    try flush()
  }

  func flush() throws(CommandError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard !isClosed, !buffer.isEmpty else { return }
    switch Console.writeAll(buffer, to: output) {
    case 0: break
    case EPIPE: isClosed = true
    case let code: throw .cannotWrite(path: "standard output", reason: SystemText.reason(code))
    }
  }

  /// One `genmark:` line on standard error; escaped and, where it is very long, cut here.
  func note(_ message: String) { Console.note(message, to: error) }

  /// Text that is already escaped, on standard error.
  func writeError(_ text: String) { _ = Console.writeAll(Array(text.utf8), to: error) }

  static func note(_ message: String, to descriptor: Int32 = STDERR_FILENO) {
    // Nothing to be done when even this can not be written.
    _ = writeAll(Array(("genmark: " + Escaping.terminal(Escaping.cut(message)) + "\n").utf8), to: descriptor)
  }

  /// Writes all of it; returns 0 or errno. A closed pipe is EPIPE and no signal; afterwards the disposition of SIGPIPE
  /// is as before, since `genmark run` hands it on.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    return bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let written = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if written >= 0 {
          done += written
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }
}
