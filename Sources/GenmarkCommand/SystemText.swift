// SPDX-License-Identifier: MIT
//
// SystemText: words for the system's numbers.

#if canImport(Glibc)
  import Glibc
#endif

enum SystemText {
  /// What strerror(3) says of an error number.
  static func reason(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

  /// `SIGSEGV`, or `signal 42` for those without a name.
  static func signal(_ number: Int32) -> String {
    signals.first { $0.number == number }.map { "SIG" + $0.name } ?? "signal \(number)"
  }

  /// The signal that a program may be told to mark by, in a spelling that the recorder reads; nil for those that end or
  /// stop it unasked or that no one can catch.
  static func markSignal(_ word: String) -> String? {
    let upper = word.uppercased()
    let name = upper.hasPrefix("SIG") ? String(upper.dropFirst(3)) : upper
    if name.hasPrefix("RTMIN") || name.hasPrefix("RTMAX") {
      let rest = name.dropFirst(5)
      let sign: Character = name.hasPrefix("RTMIN") ? "+" : "-"
      let isOffset = rest.first == sign && (0...30).contains(Int(rest.dropFirst()) ?? -1)
      return rest.isEmpty || isOffset ? name : nil
    }
    let unfit = [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT]
    // 32 and 33 are the C library's.
    guard let number = Int32(name) ?? signals.first(where: { $0.name == name })?.number, !unfit.contains(number),
      (1...31).contains(number) || (34...64).contains(number)
    else { return nil }
    return String(number)
  }

  private static let signals: [(name: String, number: Int32)] = [
    ("HUP", SIGHUP), ("INT", SIGINT), ("QUIT", SIGQUIT), ("ILL", SIGILL), ("TRAP", SIGTRAP), ("ABRT", SIGABRT),
    ("BUS", SIGBUS), ("FPE", SIGFPE), ("KILL", SIGKILL), ("USR1", SIGUSR1), ("SEGV", SIGSEGV), ("USR2", SIGUSR2),
    ("PIPE", SIGPIPE), ("ALRM", SIGALRM), ("TERM", SIGTERM), ("CHLD", SIGCHLD), ("CONT", SIGCONT),
    ("STOP", SIGSTOP), ("TSTP", SIGTSTP), ("TTIN", SIGTTIN), ("TTOU", SIGTTOU), ("URG", SIGURG), ("XCPU", SIGXCPU),
    ("XFSZ", SIGXFSZ), ("VTALRM", SIGVTALRM), ("PROF", SIGPROF), ("WINCH", SIGWINCH), ("IO", SIGIO),
    ("PWR", SIGPWR), ("SYS", SIGSYS),
  ]
}
