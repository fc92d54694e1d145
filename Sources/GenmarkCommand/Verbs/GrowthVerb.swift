// SPDX-License-Identifier: MIT
//
// GrowthVerb: `genmark growth`: what keeps growing. As a gate it is the verb `check`, one finding in full is `explain`.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

struct GrowthVerb: Verb {
  static let name = "growth"
  static let summary = "which call sites keep growing, by how much a cycle, and how sure that is"
  static let usage = "[options] TRACE|PID"
  static let explanation = """
    Judges every call site over the cycles between marks. A leak keeps something from every cycle; a cache that
    fills (saturating), a ring (turnover) or first use (warm-up) does not. Call sites that grow together are one
    finding; its fingerprint, in brackets, is the same in the next build.
    """
  static let example = "genmark growth app.1234.genmark --label pop"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static var options: [Option<GrowthVerb>] {
    GrowthArguments.options.map { $0.within(\.growth) } + [
      .flag("--all", set: \.showsAll, "Show findings that do not grow, too."),
      .count("--top", set: \.top, atLeast: 1, "Show the first N findings."),
      .count("--depth", set: \.depth, "Show N callers of each finding. Default: 4."),
      .flag("--json", set: \.isJSON, "Write JSON (schema genmark.growth/1)."),
    ] + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var growth = GrowthArguments()
  var showsAll = false
  var top: Int?
  var depth: Int?
  var isJSON = false
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    let trace = try OpenTrace(words[0], symbols: symbols)
    let report = try Growth.report(
      of: trace.recording, frames: trace.frames, options: growth.growthOptions(all: showsAll))
    let summary = trace.summary
    try OpenTrace.show(console, asJSON: isJSON, [summary]) {
      report.json(summary, all: showsAll)
    } text: {
      report.text(summary, style: console.style, all: showsAll, depth: depth ?? 4, top: top)
    }
    return .success
  }
}
