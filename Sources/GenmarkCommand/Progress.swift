// SPDX-License-Identifier: MIT
//
// Progress: a line on standard error that says what takes so long. Only on a terminal, only after a second,
// and wiped away before anything else is written.

import GenmarkReports

#if canImport(Glibc)
  import Glibc
#endif

/// Steps of one piece of work.
final class Progress {
  private static let patience: UInt64 = 1_000_000_000
  private static let interval: UInt64 = 200_000_000

  private let isShown: Bool
  private let start = Clock.now()
  private var lastShown: UInt64 = 0
  private var isOnScreen = false

  init(isShown: Bool = Terminal.isTerminal(STDERR_FILENO)) { self.isShown = isShown }

  deinit { clear() }

  /// Says what is being done now; cheap enough to be called for each of many things.
  func step(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let now = Clock.now()
    guard now - start > Progress.patience, now - lastShown > Progress.interval else { return }
    lastShown = now
    isOnScreen = true
    put("\r\u{1b}[K" + DisplayWidth.cut(Escaping.terminal("genmark: " + text()), to: 79))
  }

  func clear() {
    if isOnScreen { put("\r\u{1b}[K") }
    isOnScreen = false
  }

  private func put(_ text: String) { _ = Console.writeAll(Array(text.utf8), to: STDERR_FILENO) }

}
