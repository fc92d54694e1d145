// SPDX-License-Identifier: MIT
//
// ExportVerb: `genmark export`: call stacks with what they hold, for flame graphs and profile stores.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

struct ExportVerb: Verb {
  enum Format: String, CaseIterable { case folded, speedscope, pprof, csv, json }
  enum Unit: String, CaseIterable { case bytes, blocks }

  static let name = "export"
  static let summary = "call stacks for other tools: flame graphs, speedscope, pprof, CSV"
  static let usage = "[options] TRACE|PID [A..B]"
  static let explanation = """
    Writes the call stacks of what was born between marks A and B and is alive at B, with bytes and blocks. Default:
    from the start to the end, so all that is alive. With --growing, what is alive of the call sites that grow.
    """
  static let example = """
    genmark export app.genmark --format speedscope -o app.speedscope.json
    genmark export app.genmark --format folded | flamegraph.pl --countname bytes > app.svg
    """
  static let operands = Operands(needed: ["a trace"], optional: 1)
  static var options: [Option<ExportVerb>] {
    [
      .choice("-f", "--format", set: \.format, "How to write it. Default: folded."),
      .text(
        "-o", "--output", value: "FILE", set: \.output, files: true, "Where to write it. Default: standard output."),
      .text("--alive-at", value: "C", set: \.aliveAt, "Count what is alive at mark C (or 'end') instead of B."),
      .flag("--growing", set: \.onlyGrowing, "Only call sites that grow, judged as by `growth`."),
      .choice("--unit", set: \.unit, "What folded stacks count. Default: bytes."),
    ] + GrowthArguments.options.map { $0.within(\.growth) } + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var format = Format.folded
  var output: String?
  var aliveAt: String?
  var onlyGrowing = false
  var unit = Unit.bytes
  var growth = GrowthArguments()
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    if onlyGrowing, words.count == 2 { throw CommandError.conflict("--growing", "'\(words[1])'") }
    if format == .pprof, output == nil, Terminal.isTerminal(1) {
      throw CommandError.missingValue(option: "--output (pprof is binary)", placeholder: "FILE")
    }
    let trace = try OpenTrace(words[0], symbols: symbols)
    let bytes = try onlyGrowing ? growing(trace) : born(trace)
    for note in trace.summary.notes { console.note(note) }
    if let output, output != "-" {
      try TextFile.write(bytes, to: output)
    } else {
      try console.write(bytes: bytes)
    }
    return .success
  }

  private func born(_ trace: OpenTrace) throws -> [UInt8] {
    var options = DiffOptions(range: words.count == 2 ? words[1] : "start..end")
    options.aliveAt = aliveAt
    let diff = try Diff.report(of: trace.recording, frames: trace.frames, options: options)
    if format == .json { return Array((diff.json(trace.summary).text + "\n").utf8) }
    return write(StackSamples(diff, of: trace.recording), trace)
  }

  private func growing(_ trace: OpenTrace) throws -> [UInt8] {
    let report = try Growth.report(of: trace.recording, frames: trace.frames, options: growth.growthOptions())
    if format == .json { return Array((report.json(trace.summary, all: false).text + "\n").utf8) }
    return write(StackSamples(report, of: trace.recording), trace)
  }

  private func write(_ stacks: StackSamples, _ trace: OpenTrace) -> [UInt8] {
    switch format {
    case .folded: Array(Folded.text(stacks, blocks: unit == .blocks).utf8)
    case .speedscope: Array((Speedscope.document(stacks, version: Main.version).text + "\n").utf8)
    case .pprof: Pprof.bytes(stacks, modules: trace.recording.modules)
    case .csv: Array(CSV.text(stacks, program: trace.recording.mainModule?.path).utf8)
    // Written by the callers, from the report itself.
    case .json: []
    }
  }
}
