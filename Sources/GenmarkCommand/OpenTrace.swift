// SPDX-License-Identifier: MIT
//
// OpenTrace: what a verb's TRACE stands for: a file, or the process id of a running program; with its symbols.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports
import GenmarkSymbols
import GenmarkTrace

/// A recording with names for its call sites.
struct OpenTrace {
  let recording: Recording
  let frames: any FrameSource
  private let symbolizer: Symbolizer?
  private let progress: Progress

  /// - Throws: TraceError.
  init(_ word: String, symbols: SymbolArguments = SymbolArguments()) throws {
    progress = Progress()
    progress.step("reading \(word)")
    recording = try OpenTrace.read(word)
    if symbols.withoutSymbols {
      symbolizer = nil
      frames = AddressFrames(recording)
    } else {
      let symbolizer = Symbolizer(recording, options: symbols.symbolOptions)
      self.symbolizer = symbolizer
      frames = WatchedFrames(symbolizer, progress)
    }
  }

  /// A number that is no file is a process id.
  static func read(_ word: String) throws -> Recording {
    try Recording(trace: processID(word).map { try LiveTrace(pid: $0).file } ?? word)
  }

  static func processID(_ word: String) -> Int32? {
    guard let pid = Int32(word), pid > 0, !Paths.exists(word) else { return nil }
    return pid
  }

  /// What reports say of the trace; ask after the report was computed, since looking up symbols adds warnings.
  var summary: TraceSummary {
    progress.clear()
    var summary = TraceSummary(recording)
    summary.notes += symbolizer?.warnings ?? []
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
}
