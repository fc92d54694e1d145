// SPDX-License-Identifier: MIT
//
// GenerationsVerb: `genmark generations`: the table of generations.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

struct GenerationsVerb: Verb {
  enum Grouping: String, CaseIterable {
    case generation
    case callSite = "call-site"
  }

  static let name = "generations"
  static let summary = "the table of generations: what was born in each and is still alive"
  static let usage = "[options] TRACE|PID"
  static let explanation = """
    One line for each generation: the time between two marks, and the blocks born in it. Growth and # Persistent are
    what of them is alive now (at the end of the trace), # Transient what was freed.
    """
  static let example = "genmark generations app.1234.genmark --by call-site --top 5"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static var options: [Option<GenerationsVerb>] {
    [
      .choice("--by", set: \.grouping, "Open each generation into its call sites."),
      .count("--top", set: \.top, atLeast: 1, "Show the N largest call sites of each generation. Default: 10."),
      .flag("--json", set: \.isJSON, "Write JSON (schema genmark.generations/1), all call sites."),
    ] + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var grouping = Grouping.generation
  var top: Int?
  var isJSON = false
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    let byCallSite = grouping == .callSite
    let trace = try OpenTrace(words[0], symbols: symbols)
    let report = Generations.report(of: trace.recording, frames: byCallSite ? trace.frames : nil)
    let summary = trace.summary
    try OpenTrace.show(console, asJSON: isJSON, [summary]) {
      report.json(summary, byCallSite: byCallSite)
    } text: {
      report.text(summary, style: console.style, byCallSite: byCallSite, top: top ?? 10)
    }
    return .success
  }
}
