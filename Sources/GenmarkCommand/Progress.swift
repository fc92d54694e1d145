// SPDX-License-Identifier: MIT
//
// Progress: a line on standard error that says what takes so long, after a second. On a terminal it changes, and is
// wiped away before anything else is written; elsewhere, as in the log of a CI job, it is written once.

import GenmarkReports

#if canImport(Glibc)
  import Glibc
#endif

/// Steps of one piece of work.
final class Progress {
  private static let interval: UInt64 = 200_000_000

  private let descriptor: Int32
  private let isTerminal: Bool
  private let patience: UInt64
  private let start: UInt64
  private var lastShown: UInt64 = 0
  private var isOnScreen = false

  /// - Parameter patience: nanoseconds without a word.
  init(descriptor: Int32 = STDERR_FILENO, patience: UInt64 = 1_000_000_000) {
    self.descriptor = descriptor
    isTerminal = Terminal.isTerminal(descriptor)
    self.patience = patience
    start = Progress.now(isTerminal)
  }

  deinit { clear() }

  /// Says what is being done now; cheap enough to be called for each of many things.
  func step(_ text: @autoclosure () -> String) {
    guard isTerminal || lastShown == 0 else { return }
    let now = Progress.now(isTerminal)
    guard now - start >= patience, now - lastShown > Progress.interval || lastShown == 0 else { return }
    lastShown = now
    guard isTerminal else { return put(Escaping.terminal("genmark: " + text()) + " …\n") }
    isOnScreen = true
    put("\r\u{1b}[K" + DisplayWidth.cut(Escaping.terminal("genmark: " + text()), to: 79))
  }

  func clear() {
    if isOnScreen { put("\r\u{1b}[K") }
    isOnScreen = false
  }

  private func put(_ text: String) { _ = Console.writeAll(Array(text.utf8), to: descriptor) }

  /// Who sits at a terminal waits for whatever takes time. A log should look the same on a busy machine: there it is
  /// the process's own time that counts.
  private static func now(_ isTerminal: Bool) -> UInt64 {
    guard !isTerminal else { return Clock.now() }
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
