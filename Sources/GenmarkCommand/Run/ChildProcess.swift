// SPDX-License-Identifier: MIT
//
// ChildProcess: starts a program and waits for it, so that it notices nothing of its parent: descriptors, terminal,
// process group, signal mask and dispositions are those that `genmark` was started with.

import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

/// How a child ended.
enum ChildEnd: Equatable {
  case exit(Int32)
  case signal(Int32)

  /// As shells give it on: 128 + signal.
  var status: ExitStatus {
    switch self {
    case .exit(let status): ExitStatus(code: status)
    case .signal(let signal): ExitStatus(code: 128 + signal)
    }
  }
}

/// A started program.
struct ChildProcess {
  /// Passed on to the child when someone sends them to us. What the terminal sends reaches the child by itself.
  private static let forwarded = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

  /// A signal that ends up with another thread may be missed; then the end is noticed this late.
  private static let longestSleep: UInt64 = 1_000_000_000

  let pid: pid_t
  private let originalMask: sigset_t

  /// From here to the end of `wait` the forwarded signals and SIGCHLD are blocked in this thread.
  /// - Throws: `cannotExecute`.
  init(path: String, arguments: [RawText], environment: ChildEnvironment) throws(CommandError) {
    var waited = ChildProcess.waited
    var original = sigset_t()
    pthread_sigmask(SIG_BLOCK, &waited, &original)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setsigmask(&attributes, &original)

    var child: pid_t = 0
    let error = CStrings.with(arguments) { argv in
      CStrings.with(environment.entries) { envp in
        path.withPathBytes { posix_spawn(&child, $0, nil, &attributes, argv, envp) }
      }
    }
    guard error == 0 else {
      pthread_sigmask(SIG_SETMASK, &original, nil)
      if error == ENOENT { throw .cannotExecute(path, reason: "its loader or interpreter is not there") }
      throw .cannotExecute(path, reason: SystemText.reason(error))
    }
    pid = child
    originalMask = original
    // Where SIGCHLD was ignored when we began, the child inherited that, and the kernel would throw its status away.
    signal(SIGCHLD, SIG_DFL)
  }

  /// Waits for the end.
  /// - Parameters:
  ///   - interval: calls `tick` that often meanwhile; nil never.
  ///   - tick: is not made up for when it was late.
  func wait(every interval: Nanoseconds? = nil, tick: () -> Void = {}) -> ChildEnd {
    var waited = ChildProcess.waited
    defer {
      var original = originalMask
      pthread_sigmask(SIG_SETMASK, &original, nil)
    }
    var next = interval.map { Clock.now() + $0.count }
    while true {
      if let end = reap() { return end }
      if let interval, let due = next, Clock.now() >= due {
        tick()
        next = due + (max(Clock.now(), due) - due) / interval.count * interval.count + interval.count
        continue
      }
      let left = min(ChildProcess.longestSleep, next.map { $0 - min($0, Clock.now()) } ?? .max)
      var timeout = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      var information = siginfo_t()
      let signal = sigtimedwait(&waited, &information, &timeout)
      // SI_USER and SI_QUEUE are 0 and below; the kernel's own (a key on the terminal, a hang-up) are above.
      if signal > 0, signal != SIGCHLD, information.si_code <= 0 { kill(pid, signal) }
    }
  }

  /// Forwarded signals, and the one that says that a child has ended.
  private static var waited: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in forwarded + [SIGCHLD] { sigaddset(&set, signal) }
    return set
  }

  /// Nil while it lives.
  private func reap() -> ChildEnd? {
    var status: Int32 = 0
    switch waitpid(pid, &status, WNOHANG) {
    case pid:
      // Macros of wait.h are not imported: the low seven bits hold the signal, the byte above them the exit status.
      return status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    case -1 where errno == ECHILD: return .exit(0)
    default: return nil
    }
  }
}

/// The monotonic clock, in nanoseconds.
enum Clock {
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Bytes of a C string without the zero. Arguments and variables are any bytes; a String would mend what is not UTF-8.
typealias RawText = [CChar]

extension RawText {
  init(text: String) { self = text.pathBytes.map { CChar(bitPattern: $0) } }
  init(copying pointer: UnsafePointer<CChar>) {
    self = Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer)))
  }
}

/// The environment a child gets: ours in its order, byte for byte, but for what is set here.
struct ChildEnvironment {
  private(set) var entries: [RawText] = []

  init(entries: [RawText]) { self.entries = entries }

  static var ofThisProcess: ChildEnvironment {
    var entries: [RawText] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(RawText(copying: entry))
      next += 1
    }
    return ChildEnvironment(entries: entries)
  }

  mutating func set(_ name: String, _ value: String) {
    let prefix = RawText(text: name + "=")
    let entry = prefix + RawText(text: value)
    if let index = entries.firstIndex(where: { $0.starts(with: prefix) }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }
}

/// Arrays of C strings, ended by null.
private enum CStrings {
  static func with<Result>(
    _ strings: [RawText], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
      starts.append(bytes.count)
      bytes += string + [0]
    }
    return bytes.withUnsafeMutableBufferPointer { text in
      var pointers = starts.map { start in text.baseAddress.map { $0 + start } }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { buffer in
        // Never empty: the null is in it.
        buffer.baseAddress.map(body) ?? withUnsafePointer(to: nil, body)
      }
    }
  }
}
