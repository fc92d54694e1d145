// SPDX-License-Identifier: MIT
//
// LiveTrace: the trace of a running program, open for marks. The program is not stopped, signalled or told: the mark
// is added in the file that it has mapped. How marks are written is in CMark; reading is Recording(trace:).

internal import CMark
internal import CTraceFormat
public import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A trace that a running program is writing. Used by one thread at a time.
public final class LiveTrace {
  /// Path of the trace.
  public let file: String
  /// The process that writes it, as it is called here (which another pid namespace may call otherwise).
  public let pid: Int32

  private let process: ProcessStatus
  private let mapping: TraceMapping
  private let startedAt: UInt64
  private let startTicks: UInt64
  /// Of a shell or another program that is there to start others.
  public let isLauncher: Bool

  /// Finds the trace of a process among the files that it has mapped.
  /// - Throws: `.noProcess`, `.processUnreadable`, `.otherUsersProcess`, `.notRecorded`, and what `init(path:)` throws.
  public convenience init(pid: Int32) throws(TraceError) {
    guard pid > 0 else { throw .noProcess(pid: pid) }
    let process = ProcessStatus(pid: pid)
    guard process.startTicks != nil, let user = process.user else { throw .noProcess(pid: pid) }
    let mappings: [(path: String, kernelName: String)]
    do throws(TraceError) {
      mappings = try process.sharedMappings()
    } catch {
      throw user == geteuid() ? error : .otherUsersProcess(pid: pid, user: user)
    }
    for mapping in mappings {
      guard let file = LiveTrace.openTrace(of: process, mapping) else { continue }
      try self.init(path: file, process: process)
      return
    }
    throw user == geteuid() ? .notRecorded(pid: pid) : .otherUsersProcess(pid: pid, user: user)
  }

  /// Finds the trace that is meant by a process: its own, or that of the newest program that it or its descendants started, when
  /// it is a launcher, or a `genmark run`, which has none.
  /// - Throws: As `init(pid:)`.
  public convenience init(program pid: Int32) throws(TraceError) {
    var own: LiveTrace?
    var refusal: TraceError?
    do throws(TraceError) {
      own = try LiveTrace(pid: pid)
    } catch {
      refusal = error
    }
    if own.map({ $0.isLauncher }) ?? (refusal == .notRecorded(pid: pid)) {
      let started = ProcessStatus(pid: pid).descendants().compactMap { try? LiveTrace(pid: $0.pid) }
      if let newest = started.filter({ !$0.isLauncher }).max(by: { $0.startedAt < $1.startedAt }) { own = newest }
    }
    guard let own else { throw refusal ?? .notRecorded(pid: pid) }
    try self.init(path: own.file, process: own.process)
  }

  /// Opens the trace that is meant by a name: that file, or where it is of a launcher or of a program that has ended in a
  /// `genmark run`, the one of the newest program of that run.
  /// - Throws: As `init(path:)`.
  public convenience init(program path: String) throws(TraceError) {
    try self.init(path: TraceOrigin.program(insteadOf: path)?.file ?? path)
  }

  /// Opens a trace by its path; its program must be running here.
  /// - Throws: `.ended`, `.otherUsersFile`, `.unwritable`, and what reading a trace throws.
  public convenience init(path: String) throws(TraceError) {
    let header = try TraceHeader(TraceImage(TraceFile(path: path)))
    try self.init(
      path: path, process: header.runningProcess ?? ProcessStatus(pid: Int32(truncatingIfNeeded: header.raw.pid)))
  }

  private init(path: String, process: ProcessStatus) throws(TraceError) {
    let (opened, header) = try LiveTrace.openForWriting(path)
    file = path
    pid = process.pid
    self.process = process
    startedAt = header.raw.start_monotonic_ns
    startTicks = header.raw.process_start_ticks
    isLauncher = Int(header.raw.flags) & GM_FLAG_LAUNCHER != 0
    guard header.end == .unknown else { throw .ended(file: path, pid: header.raw.pid, end: header.end ?? .unknown) }
    guard let ticks = process.startTicks, startTicks == 0 || ticks == startTicks, process.ownPid == header.raw.pid
    else { throw .ended(file: path, pid: header.raw.pid, end: .unknown) }
    mapping = try TraceMapping(opened)
  }

  /// True until the program has ended or become another one.
  public var isRunning: Bool {
    guard mapping.isWhole, gm_load_acquire_u32(mapping.endKind) == UInt32(GM_END_NONE),
      let ticks = process.startTicks
    else { return false }
    return startTicks == 0 || ticks == startTicks
  }

  /// How many marks were taken so far, by anyone.
  public var marksTaken: GenerationNumber { mapping.isWhole ? gm_load_acquire_u32(mapping.generation) : 0 }

  /// Ends the generation and begins the next; returns the number of the one that begins.
  /// - Throws: `.ended` when the program has ended meanwhile, `.truncated` when the file has been cut, `.locked`,
  ///   `.markRefused` when the trace has no room or is damaged.
  public func mark(_ label: String) throws(TraceError) -> GenerationNumber {
    guard mapping.isWhole else {
      throw .truncated(file: file, size: mapping.currentSize, missing: "what was there before")
    }
    guard isRunning else { throw .ended(file: file, pid: UInt32(bitPattern: pid), end: .unknown) }
    try mapping.waitForLock()
    let now = monotonicNanoseconds()
    var sample = gm_sample()
    sample.time_ns = now > startedAt ? now - startedAt : 0
    sample.rss_bytes = process.residentBytes ?? 0
    sample.threads = process.threads ?? 0
    sample.flags = UInt32(GM_MARK_OUTSIDE)
    var file = mapping.file
    let generation = label.pathBytes.withUnsafeBytes { text in
      gm_mark_take(&file, text.bindMemory(to: CChar.self).baseAddress, text.count, &sample, gm_thread_id())
    }
    guard generation != 0 else {
      throw isRunning
        ? .markRefused(file: self.file) : .ended(file: self.file, pid: UInt32(bitPattern: pid), end: .unknown)
    }
    return generation
  }

  /// Writes down how a program ended that could not do so itself (`genmark run` waited for it), and gives back the room
  /// in the file that was not used. Does nothing more when the program has said how it ended.
  /// - Precondition: the program has ended, so that no one else writes.
  /// - Throws: `.otherProcess`, `.otherUsersFile`, `.unwritable`, `.locked`, and what reading a trace throws.
  public static func finish(path: String, pid: Int32, end: ProcessEnd) throws(TraceError) {
    let (opened, header) = try openForWriting(path)
    guard header.raw.pid == UInt32(bitPattern: pid) else {
      throw .otherProcess(file: path, pid: header.raw.pid, named: pid)
    }
    let mapping = try TraceMapping(opened)
    try mapping.waitForLock()
    var file = mapping.file
    gm_lock(&file, gm_thread_id())
    defer { gm_unlock(&file) }
    mapping.writeEnd(end, at: monotonicNanoseconds(), startedAt: header.raw.start_monotonic_ns)
    // Again, under the lock: a mark may have come in between.
    let used = try TraceHeader(TraceImage(opened)).raw.used
    guard used >= UInt64(GM_HEADER_SIZE), used < opened.size else { return }
    mapping.limit(to: used)
    guard ftruncate(opened.descriptor, off_t(used)) == 0 else {
      throw .unwritable(file: path, reason: systemMessage(errno))
    }
  }

  /// The path of a mapped file when it is the trace of this process.
  private static func openTrace(of process: ProcessStatus, _ mapping: (path: String, kernelName: String)) -> String? {
    // The path as the process sees it leads elsewhere here when it lives in another root; the kernel's name for the
    // mapping always leads to it, even when it was deleted, but is for the privileged.
    for path in ["/proc/\(process.pid)/root\(mapping.path)", mapping.path, mapping.kernelName] {
      guard let opened = try? TraceFile(path: path), let header = try? TraceHeader(TraceImage(opened)),
        header.raw.pid == process.ownPid,
        header.raw.process_start_ticks == 0 || header.raw.process_start_ticks == process.startTicks
      else { continue }
      return isSameFile(path, mapping.path) ? mapping.path : path
    }
    return nil
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    return a.withPathBytes { stat($0, &first) } == 0 && b.withPathBytes { stat($0, &second) } == 0
      && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// Only the owner writes into a trace, root neither: what maps it too may be at war with us.
  private static func openForWriting(_ path: String) throws(TraceError) -> (TraceFile, TraceHeader) {
    let readable = try TraceFile(path: path)
    guard readable.owner == geteuid() else { throw .otherUsersFile(file: path, user: readable.owner) }
    let opened = try TraceFile(path: path, for: .write)
    guard opened.owner == geteuid() else { throw .otherUsersFile(file: path, user: opened.owner) }
    let header = try TraceHeader(TraceImage(opened))
    guard opened.size >= header.raw.used else {
      throw .truncated(file: path, size: opened.size, missing: "a part of what was recorded")
    }
    return (opened, header)
  }
}
