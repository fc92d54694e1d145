// SPDX-License-Identifier: MIT
//
// OpenTrace: what a verb's TRACE stands for: a file, packed or not, or the process id of a running program; with its
// symbols.

import GenmarkAnalysis
import GenmarkModel
import GenmarkPack
import GenmarkReports
import GenmarkSymbols
import GenmarkTrace

/// A recording with names for its call sites.
struct OpenTrace {
  let recording: Recording
  let frames: any FrameSource
  /// What the program says of its own leaks; looked up when it is asked for.
  let ownSuppressions: () -> OwnSuppressions
  /// What is to be said of the names.
  private let symbolNotes: () -> [String]
  private let progress: Progress

  /// - Throws: TraceError, PackError.
  init(_ word: String, symbols: SymbolArguments = SymbolArguments()) throws {
    progress = Progress()
    progress.step("reading \(word)")
    switch try OpenTrace.open(word, symbols: symbols) {
    case .pack(let pack):
      recording = pack.recording
      frames = symbols.withoutSymbols ? AddressFrames(recording) : pack.symbols
      let unused = symbols.namesFiles ? ["options that say where symbols are have no use for a packed trace"] : []
      symbolNotes = { pack.notes + unused }
      ownSuppressions = { pack.ownSuppressions }
    case .trace(let recording) where symbols.withoutSymbols:
      self.recording = recording
      frames = AddressFrames(recording)
      symbolNotes = { [] }
      ownSuppressions = { .none }
    case .trace(let recording):
      self.recording = recording
      let symbolizer = Symbolizer(recording, options: symbols.symbolOptions)
      frames = WatchedFrames(symbolizer, progress)
      symbolNotes = { symbolizer.warnings }
      let options = symbols.symbolOptions
      ownSuppressions = { OwnSuppressions.find(in: recording, options: options) }
    }
  }

  private enum Contents {
    case trace(Recording)
    case pack(Pack)
  }

  private static func open(_ word: String, symbols: SymbolArguments = SymbolArguments()) throws -> Contents {
    let file = try file(word)
    guard try Pack.isPack(file) else { return .trace(try Recording(trace: file)) }
    return .pack(try Pack(file, options: symbols.symbolOptions))
  }

  /// The facts alone.
  static func read(_ word: String) throws -> Recording {
    switch try open(word) {
    case .trace(let recording): recording
    case .pack(let pack): pack.recording
    }
  }

  /// The file that a word stands for: a number that is no file is a process id.
  static func file(_ word: String) throws -> String {
    try processID(word).map { try LiveTrace(program: $0).file } ?? word
  }

  static func processID(_ word: String) -> Int32? {
    guard let pid = Int32(word), pid > 0, !Paths.exists(word) else { return nil }
    return pid
  }

  /// What reports say of the trace; ask after the report was computed, since looking up symbols adds warnings.
  var summary: TraceSummary {
    progress.clear()
    var summary = TraceSummary(recording)
    summary.notes += symbolNotes()
    return summary
  }

  /// A report as JSON or as text. JSON has the losses in it; notes then go to standard error.
  static func show(
    _ console: Console, asJSON: Bool, _ summaries: [TraceSummary], json: () -> JSONValue, text: () -> String
  ) throws {
    guard asJSON else { return try console.write(text()) }
    try console.write(json())
    for summary in summaries { for note in summary.notes { console.note(Escaping.cut(note)) } }
  }
}

/// Looking up names is what takes long: says how many.
private final class WatchedFrames: FrameSource {
  private let source: any FrameSource
  private let progress: Progress
  private var count: UInt64 = 0

  init(_ source: any FrameSource, _ progress: Progress) {
    self.source = source
    self.progress = progress
  }

  func frames(of callSite: CallTree.NodeID) -> [Frame] {
    count += 1
    progress.step("looking up names: \(UnitText.grouped(count)) call sites")
    return source.frames(of: callSite)
  }

  func frames(ofNode node: CallTree.NodeID) -> [Frame] { source.frames(ofNode: node) }
}
