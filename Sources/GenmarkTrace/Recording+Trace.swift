// SPDX-License-Identifier: MIT
//
// Recording+Trace: reads a trace into a Recording. The order of steps is here; what each part of the file means is in
// the file named after it.

internal import CTraceFormat
public import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

extension Recording {
  /// Reads a trace: of a program that has ended, in whatever way, or that still runs.
  ///
  /// What is damaged in a way that would make a number wrong is an error; what can be left out without that is left out
  /// and said in `notes`.
  /// - Throws: `.otherUsersFile` for a trace that is neither the caller's nor root's, unless the caller is root;
  ///   what `TraceError` says, never anything for which the trace would have to be trusted.
  /// - Complexity: O(records); memory in proportion to the data in the file.
  public init(trace path: String) throws(TraceError) {
    let trace = try TraceFile(path: path)
    // A trace names files, and reading it opens them: whoever made it chooses which. As with perf's recordings, the reader's own
    // and root's are read. Root reads all: services are looked at as root, and a refusal would keep nothing from it.
    guard [geteuid(), 0].contains(trace.owner) || geteuid() == 0 else {
      throw .otherUsersFile(file: path, user: trace.owner)
    }
    try self.init(trace)
  }

  /// Reads a trace that is in memory; `file` is what to call it.
  public init(traceBytes bytes: [UInt8], file: String) throws(TraceError) {
    try self.init(TraceBytes(bytes, file: file))
  }

  init(_ source: any TraceSource) throws(TraceError) {
    let image = TraceImage(source)
    var notes = TraceNotes()
    var sections = TraceSections()

    // A running program adds records all the time. What is named is always written before what names it, so things are
    // read in the other direction: the marks before the cells that they name, the cells before their call sites.
    let history = try TraceHistory(image, &sections)

    let countingHeader = try TraceHeader(image)
    try sections.walk(image, countingHeader)
    let reader = TraceCells(image)
    let cells = try reader.cells(sections, countingHeader, notes: &notes)

    let treeHeader = try TraceHeader(image)
    try sections.walk(image, treeHeader)
    // Modules after nodes.
    let lastHeader = try TraceHeader(image)
    try sections.walk(image, lastHeader)
    let tree = try reader.callTree(sections, treeHeader.with(moduleCountOf: lastHeader), notes: &notes)
    try reader.check(cells, tree)

    let names = TraceNames(image, sections)
    self.init(file: source.file, process: try names.process(lastHeader, notes: &notes))
    self.cells = cells
    callTree = tree
    modules = try names.modules(lastHeader, notes: &notes)
    labels = try names.labels(lastHeader, notes: &notes)
    try history.decode(into: &self, notes: &notes)
    foreignFrees = min(lastHeader.raw.foreign_frees, Amount.recordedLimit)
    newestBirth = lastHeader.raw.birth
    losses = Recording.losses(lastHeader)
    (process.end, process.duration) = Recording.end(lastHeader, lastMark: marks.last?.time, notes: &notes)

    for (kind, count) in sections.unknown.sorted(by: { $0.key < $1.key }) {
      notes.add("sections of kind \(kind), which this version does not know, are left out", times: count)
    }
    if lastHeader.raw.verified_stacks > 0 {
      let differing = min(lastHeader.losses[Int(GM_LOSS_VERIFY)], lastHeader.raw.verified_stacks)
      notes.add("\(lastHeader.raw.verified_stacks) call stacks were compared with libunwind's: \(differing) differed")
    }
    if sections.cutBytes > 0 {
      notes.add("the file ends \(sections.cutBytes) bytes early; nothing but unused room is missing")
    }
    if Int(lastHeader.raw.minor) > GM_FORMAT_MINOR {
      notes.add("the trace was written by a newer version; what that added is left out")
    }
    if lastHeader.raw.flags & ~TraceHeader.knownFlags != 0 {
      notes.add("the trace has flags that this version does not know")
    }
    self.notes = notes.texts
  }

  private static func losses(_ header: TraceHeader) -> [Loss] {
    var losses: [Loss] = []
    var other: UInt64 = 0
    for (number, count) in header.losses.enumerated() where count > 0 {
      let count = min(count, Amount.recordedLimit)
      if let kind = Loss.Kind(number) {
        losses.append(Loss(kind: kind, count: count))
      } else {
        other += count
      }
    }
    if other > 0 { losses.append(Loss(kind: .other, count: other)) }
    return losses
  }

  private static func end(
    _ header: TraceHeader, lastMark: Nanoseconds?, notes: inout TraceNotes
  ) -> (ProcessEnd, Nanoseconds) {
    // After the last mark nothing is known of a program that was not there to write it down.
    let lastMark = lastMark ?? Nanoseconds(0)
    guard let end = header.end else {
      notes.add("the program ended in a way that this version does not know")
      return (.unknown, lastMark)
    }
    if end != .unknown { return (end, max(Nanoseconds(header.raw.end_ns), lastMark)) }
    guard header.runningProcess != nil else { return (.unknown, lastMark) }
    let now = monotonicNanoseconds()
    return (.running, Nanoseconds(now > header.raw.start_monotonic_ns ? now - header.raw.start_monotonic_ns : 0))
  }
}

extension TraceHeader {
  static let knownFlags = UInt32(
    GM_FLAG_STOPPED | GM_FLAG_VERIFIED | GM_FLAG_SCAN_ALL | GM_FLAG_FORKED | GM_FLAG_LAUNCHER)

  /// The end as it was written down; `.unknown` when none was, nil for a kind that this version does not know.
  var end: ProcessEnd? {
    switch Int(raw.end_kind) {
    case GM_END_NONE: .unknown
    case GM_END_EXIT: .exit(status: raw.end_value)
    case GM_END_SIGNAL: .signal(raw.end_value)
    case GM_END_EXEC: .exec
    default: nil
    }
  }

  /// The process that writes the trace; nil when it has ended.
  var runningProcess: ProcessStatus? {
    ProcessStatus.find(ownPid: raw.pid, startTicks: raw.process_start_ticks)
  }

  fileprivate func with(moduleCountOf later: TraceHeader) -> TraceHeader {
    var copy = self
    copy.raw.module_count = later.raw.module_count
    return copy
  }
}

extension Loss.Kind {
  /// Nil for a kind that this version does not know.
  fileprivate init?(_ number: Int) {
    switch number {
    case GM_LOSS_BLOCKS_MEMORY: self = .blocksMemory
    case GM_LOSS_BLOCKS_REENTRANT: self = .blocksReentrant
    case GM_LOSS_STACKS_MERGED: self = .stacksMerged
    case GM_LOSS_STACKS_CUT: self = .stacksCut
    case GM_LOSS_STACKS_BROKEN: self = .stacksBroken
    case GM_LOSS_HISTORY: self = .history
    case GM_LOSS_MARKS: self = .marks
    case GM_LOSS_LABELS: self = .labels
    case GM_LOSS_MODULES: self = .modules
    case GM_LOSS_VERIFY: self = .verify
    default: return nil
    }
  }
}

/// The clock that traces count by.
func monotonicNanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}
