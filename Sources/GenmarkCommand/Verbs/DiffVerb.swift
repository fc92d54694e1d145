// SPDX-License-Identifier: MIT
//
// DiffVerb: `genmark diff`: two marks of one recording, or two recordings.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

struct DiffVerb: Verb {
  static let name = "diff"
  static let summary = "what was born between two marks and is still alive; or two recordings"
  static let usage = "[options] TRACE|PID [A..B]   or   [options] OLD NEW"
  static let explanation = """
    With one trace: blocks born after mark A, up to mark B, that are alive at B, by call site. A and B are numbers
    or labels; label#3 is the third mark with that label, start and end are the ends. Default: the last two marks.

    With two traces: growth per cycle of each finding, then and now, matched across builds.
    """
  static let example = "genmark diff app.1234.genmark pop#2..pop#20 --by function"
  static let operands = Operands(needed: ["a trace"], optional: 1)
  static var options: [Option<DiffVerb>] {
    [
      .text("--alive-at", value: "C", set: \.aliveAt, "Count what is alive at mark C (or 'end') instead of B."),
      .choice(
        "--by", set: \.grouping, "What makes a row; tree: allocating functions, callers below. Default: call-site."),
      .choice("--sort", set: \.sorting, "What comes first. Default: bytes."),
      .count("--top", set: \.top, atLeast: 1, "Show the N largest rows. Default: 20, with --json all."),
      .count("--depth", set: \.depth, "Show N callers of each call site. Default: 4."),
      .flag("--json", set: \.isJSON, "Write JSON (schema genmark.diff/1, of two traces genmark.comparison/1)."),
    ] + GrowthArguments.options.map { $0.within(\.growth) } + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var aliveAt: String?
  var grouping = DiffOptions.Grouping.callSite
  var sorting = DiffOptions.Sorting.bytes
  var top: Int?
  var depth: Int?
  var isJSON = false
  var growth = GrowthArguments()
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    // A second word that is a file is a trace, anything else refers to marks.
    if words.count == 2, Paths.exists(words[1]) { return try compare(console) }
    let trace = try OpenTrace(words[0], symbols: symbols)
    var options = DiffOptions(range: words.count == 2 ? words[1] : "")
    options.aliveAt = aliveAt
    options.grouping = grouping
    options.sorting = sorting
    options.top = top ?? (isJSON ? nil : 20)
    let report = try Diff.report(of: trace.recording, frames: trace.frames, options: options)
    let summary = trace.summary
    try OpenTrace.show(console, asJSON: isJSON, [summary]) {
      report.json(summary)
    } text: {
      report.text(summary, style: console.style, depth: depth ?? 4)
    }
    return .success
  }

  private func compare(_ console: Console) throws -> ExitStatus {
    let old = try OpenTrace(words[0], symbols: symbols)
    let new = try OpenTrace(words[1], symbols: symbols)
    let report = try Comparison.report(
      old: old.recording, oldFrames: old.frames, new: new.recording, newFrames: new.frames,
      options: growth.growthOptions())
    let summaries = (old: old.summary, new: new.summary)
    try OpenTrace.show(console, asJSON: isJSON, [summaries.old, summaries.new]) {
      report.json(old: summaries.old, new: summaries.new)
    } text: {
      report.text(old: summaries.old, new: summaries.new, style: console.style)
    }
    return .success
  }
}
