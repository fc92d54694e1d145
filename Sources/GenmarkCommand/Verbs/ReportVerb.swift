// SPDX-License-Identifier: MIT
//
// ReportVerb: `genmark report`: one HTML page that works offline. Reports for CI are the verb `check`'s.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

struct ReportVerb: Verb {
  static let name = "report"
  static let summary = "one HTML page with all of it: chart, generations, findings, call tree"
  static let usage = "[options] TRACE|PID -o FILE"
  static let explanation = """
    Writes a page that needs nothing beside it: heap and RSS over the generations, the findings with what survives of
    each cycle, and the call tree of what was born between two marks and is alive, to zoom and to search. All marks can
    be chosen in the page; --from and --to say which it shows first. They are written as for 'genmark diff'.
    """
  static let example = "genmark report app.1234.genmark -o report.html"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static var options: [Option<ReportVerb>] {
    [
      .text(
        "-o", "--output", value: "FILE", set: \.output, files: true,
        "Where to write it; '-' is standard output. Needed."),
      .text("--from", value: "A", set: \.from, "First show what was born after mark A. Default: the end of warm-up."),
      .text("--to", value: "B", set: \.to, "And up to mark B. Default: the last judged one."),
    ]
      + GrowthArguments.options.map { $0.within(\.growth) } + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var output: String?
  var from: String?
  var to: String?
  var growth = GrowthArguments()
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    guard let output else { throw CommandError.missingValue(option: "--output", placeholder: "FILE") }
    let trace = try OpenTrace(words[0], symbols: symbols)
    let first = try from.map { try trace.recording.markPoint($0) }
    let last = try to.map { try trace.recording.markPoint($0) }
    if let first, let last, first >= last {
      throw AnalysisError.wrongOrder("--from and --to", from: from ?? "", to: to ?? "")
    }
    var options = growth.growthOptions(all: true)
    options.mostOthers = HTMLReport.mostFindings
    let judged: Result<GrowthReport, AnalysisError> = Result { () throws(AnalysisError) in
      try Growth.report(of: trace.recording, frames: trace.frames, options: options)
    }
    var report: GrowthReport?
    var reason = ""
    switch judged {
    case .success(let growth): report = growth
    // Without marks the page still shows what is alive.
    case .failure(.noMarks): reason = "No marks in this recording, so nothing can be judged."
    case .failure(let error): throw error
    }
    let page = HTMLReport.text(
      trace.recording, trace.summary, frames: trace.frames, growth: report, noGrowth: reason, from: first,
      to: last)
    try TextFile.write(Array(page.utf8), to: output)
    return .success
  }
}
