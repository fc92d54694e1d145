// SPDX-License-Identifier: MIT
//
// Recording: one trace as a value. Filled by GenmarkTrace (or by a test), read by everything else. It holds
// facts only: no names of functions (GenmarkSymbols), no judgement (GenmarkAnalysis).
//
// Counting, used everywhere below: mark m (from 1) ends generation m−1 and begins generation m; generation
// 0 begins with the program. When a long history was thinned, a mark stands for several (`Mark.merged`), and a
// birth for the generations from it up to the next kept mark.

/// A generation by its number: how many marks had been taken when it began.
public typealias GenerationNumber = UInt32

/// What was recorded of one program.
public struct Recording: Sendable {
  /// Path of the trace, as the user named it.
  public var file: String
  public var process: RecordedProcess
  public var modules: [Module]
  public var callTree: CallTree
  /// Final counts (at the end, or at the time of reading) of every (call site, birth) that was ever used.
  public var cells: [Cell]
  /// In the order in which they were taken.
  public var marks: [Mark]
  /// All of `marks[i].changes` in one array; ascending by cell within a mark.
  public var changes: [Change]
  public var labels: [Label]
  /// The birth that new blocks get. Below the number of the newest mark while it is open whether thinning will keep
  /// that mark: what is born after it then counts to the generation before it.
  public var newestBirth: GenerationNumber
  public var losses: [Loss]
  /// Frees of pointers that were never seen allocated. Not a loss: the blocks are not ours.
  public var foreignFrees: UInt64
  /// Sections and flags that this version does not know, said once for each.
  public var notes: [String]

  public init(
    file: String, process: RecordedProcess, modules: [Module] = [], callTree: CallTree = CallTree(),
    cells: [Cell] = [], marks: [Mark] = [], changes: [Change] = [], labels: [Label] = [],
    newestBirth: GenerationNumber = .max, losses: [Loss] = [], foreignFrees: UInt64 = 0, notes: [String] = []
  ) {
    self.file = file
    self.process = process
    self.modules = modules
    self.callTree = callTree
    self.cells = cells
    self.marks = marks
    self.changes = changes
    self.labels = labels
    self.newestBirth = newestBirth
    self.losses = losses
    self.foreignFrees = foreignFrees
    self.notes = notes
  }
}

/// The program that was recorded.
public struct RecordedProcess: Sendable {
  /// Path of the executable; untrusted text.
  public var program: String
  public var arguments: [String]
  public var directory: String
  public var pid: UInt32
  /// Nanoseconds since 1970.
  public var startedAt: Nanoseconds
  /// From the start to the end, or to the reading when it runs.
  public var duration: Nanoseconds
  public var end: ProcessEnd
  /// True when the recording begins at a fork: what the parent had allocated is not in it.
  public var isForkChild: Bool
  /// True when recording stopped before the program did; `Recording.losses` says why.
  public var stoppedEarly: Bool

  public init(
    program: String, arguments: [String] = [], directory: String = "", pid: UInt32 = 0,
    startedAt: Nanoseconds = Nanoseconds(0), duration: Nanoseconds = Nanoseconds(0), end: ProcessEnd = .unknown,
    isForkChild: Bool = false, stoppedEarly: Bool = false
  ) {
    self.program = program
    self.arguments = arguments
    self.directory = directory
    self.pid = pid
    self.startedAt = startedAt
    self.duration = duration
    self.end = end
    self.isForkChild = isForkChild
    self.stoppedEarly = stoppedEarly
  }
}

/// How the program ended.
public enum ProcessEnd: Sendable, Hashable {
  case exit(status: Int32)
  case signal(Int32)
  /// The process became another program.
  case exec
  case running
  /// Not running any more, and nobody wrote down how it ended.
  case unknown
}

/// A loaded object: the program, a library, a plug-in. One load is one module: the same file loaded twice is two.
public struct Module: Sendable, Hashable {
  /// Index in `Recording.modules` plus 1; 0 stands for none.
  public typealias ID = UInt32
  /// Untrusted text.
  public var path: String
  /// What the loader added to the addresses of the file.
  public var bias: UInt64
  public var start: UInt64
  public var end: UInt64
  /// Empty when the file has none.
  public var buildID: [UInt8]
  public var isMain: Bool
  public var isVDSO: Bool
  public var isRecorder: Bool
  public var loadedIn: GenerationNumber
  /// Nil while it is loaded.
  public var unloadedIn: GenerationNumber?
  /// Of the file when it was loaded; 0 when not known.
  public var fileSize: UInt64
  public var modified: Nanoseconds

  public init(
    path: String, bias: UInt64 = 0, start: UInt64 = 0, end: UInt64 = 0, buildID: [UInt8] = [], isMain: Bool = false,
    isVDSO: Bool = false, isRecorder: Bool = false, loadedIn: GenerationNumber = 0, unloadedIn: GenerationNumber? = nil,
    fileSize: UInt64 = 0, modified: Nanoseconds = Nanoseconds(0)
  ) {
    self.path = path
    self.bias = bias
    self.start = start
    self.end = end
    self.buildID = buildID
    self.isMain = isMain
    self.isVDSO = isVDSO
    self.isRecorder = isRecorder
    self.loadedIn = loadedIn
    self.unloadedIn = unloadedIn
    self.fileSize = fileSize
    self.modified = modified
  }
}

/// The text of a mark's label, as recorded; untrusted.
public struct Label: Sendable, Hashable {
  public var text: String
  /// Longer than what is kept.
  public var isCut: Bool
  public init(_ text: String, isCut: Bool = false) {
    self.text = text
    self.isCut = isCut
  }
}

/// One mark.
public struct Mark: Sendable {
  /// The generation that begins here; the first mark begins generation 1.
  public var generation: GenerationNumber
  /// Index in `Recording.labels`.
  public var label: Int
  /// The how-many-eth with this label, from 1, as the program took them (not as they were kept).
  public var ordinal: UInt32
  /// Since the start.
  public var time: Nanoseconds
  /// Everything ever allocated up to here, since the start.
  public var born: Amount
  /// Everything alive here.
  public var live: Amount
  /// Nil when it could not be read.
  public var residentBytes: Bytes?
  /// Held by the allocator from the system.
  public var heldBytes: Bytes?
  public var threads: Int?
  /// Its range in `Recording.changes`.
  public var changes: Range<Int>
  /// How many marks it stands for: itself and those thinned away before it.
  public var merged: UInt32
  /// Its changes could not be kept: what was alive at it is not known by call site.
  public var changesLost: Bool

  public init(
    generation: GenerationNumber, label: Int, ordinal: UInt32, time: Nanoseconds = Nanoseconds(0), born: Amount = .zero,
    live: Amount = .zero, residentBytes: Bytes? = nil, heldBytes: Bytes? = nil, threads: Int? = nil,
    changes: Range<Int> = 0..<0, merged: UInt32 = 1, changesLost: Bool = false
  ) {
    self.generation = generation
    self.label = label
    self.ordinal = ordinal
    self.time = time
    self.born = born
    self.live = live
    self.residentBytes = residentBytes
    self.heldBytes = heldBytes
    self.threads = threads
    self.changes = changes
    self.merged = merged
    self.changesLost = changesLost
  }
}

/// What was alive of one call site and birth at a mark, where it differs from the mark before.
public struct Change: Sendable, Hashable {
  public var callSite: CallTree.NodeID
  public var birth: GenerationNumber
  public var live: Amount
  public init(callSite: CallTree.NodeID, birth: GenerationNumber, live: Amount) {
    self.callSite = callSite
    self.birth = birth
    self.live = live
  }
}

/// Counts of one call site and birth at the end of the recording.
///
/// `born` and `freed` are of all births that the cell has served (a cell with nothing alive is used again);
/// `live` is of this birth alone. live = born − freed.
public struct Cell: Sendable, Hashable {
  public var callSite: CallTree.NodeID
  public var birth: GenerationNumber
  public var born: Amount
  public var freed: Amount
  /// Reallocs that made one of its blocks longer.
  public var grown: UInt32
  public var live: Amount { born - freed }
  public init(
    callSite: CallTree.NodeID, birth: GenerationNumber, born: Amount, freed: Amount = .zero, grown: UInt32 = 0
  ) {
    self.callSite = callSite
    self.birth = birth
    self.born = born
    self.freed = freed
    self.grown = grown
  }
}

/// Something that was not recorded as it was.
public struct Loss: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    case blocksMemory, blocksReentrant, stacksMerged, stacksCut, stacksBroken, history, marks, labels, modules, verify
    /// A kind that this version does not know.
    case other
  }
  public var kind: Kind
  public var count: UInt64
  public init(kind: Kind, count: UInt64) {
    self.kind = kind
    self.count = count
  }
}
