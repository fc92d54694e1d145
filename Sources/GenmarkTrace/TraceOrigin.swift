// SPDX-License-Identifier: MIT
//
// TraceOrigin: which process of which run made a trace, from its header alone: to choose among the traces of one
// `genmark run`, and to find the one that is meant by a pid or a name. Reading all of a trace is Recording(trace:).

internal import CTraceFormat
public import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Where a trace comes from.
public struct TraceOrigin: Sendable {
  public let file: String
  /// As the process called itself.
  public let pid: UInt32
  /// Pid of the `genmark run` that it is of; 0 for none.
  public let run: UInt32
  /// A shell or another program that is there to start others.
  public let isLauncher: Bool
  /// The process has become another program.
  public let hasBecomeAnother: Bool
  public let marks: GenerationNumber
  /// Of the file, in bytes: a measure of how much was recorded.
  public let used: UInt64
  /// Path of the program; empty when it is not known.
  public let program: String
  /// Nanoseconds of the monotonic clock.
  public let startedAt: UInt64

  private let startTicks: UInt64

  /// - Throws: what reading a header throws.
  public init(_ path: String) throws(TraceError) {
    let image = TraceImage(try TraceFile(path: path))
    let raw = try TraceHeader(image).raw
    file = path
    pid = raw.pid
    run = raw.run
    isLauncher = Int(raw.flags) & GM_FLAG_LAUNCHER != 0
    hasBecomeAnother = Int(raw.end_kind) == GM_END_EXEC
    marks = raw.generation
    used = raw.used
    startedAt = raw.start_monotonic_ns
    startTicks = raw.process_start_ticks
    let name = raw.program.length <= 4096 ? raw.program : gm_string()
    let bytes = try? image.copy(at: name.offset, count: UInt64(name.length), what: "the program's name")
    program = String(pathBytes: bytes ?? [])
  }

  /// True while the process runs and is still the program that the trace is of.
  public var isRunning: Bool {
    !hasBecomeAnother && ProcessStatus.find(ownPid: pid, startTicks: startTicks) != nil
  }

  /// What a trace stands for that is of a launcher or has ended, while its run goes on: the newest program of the run that
  /// is being recorded. Nil when there is none; then it stands for itself.
  static func program(insteadOf path: String) -> TraceOrigin? {
    guard let named = try? TraceOrigin(path), named.run != 0, named.isLauncher || !named.isRunning else { return nil }
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? ""
    return entries(of: directory.isEmpty ? "." : directory).lazy
      .compactMap { try? TraceOrigin(directory + $0) }
      .filter { $0.run == named.run && !$0.isLauncher && $0.isRunning }
      .max { $0.startedAt < $1.startedAt }
  }

  private static func entries(of directory: String) -> [String] {
    guard let stream = directory.withPathBytes({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(pathBytes: $0.prefix { $0 != 0 }) })
    }
    return names
  }
}
