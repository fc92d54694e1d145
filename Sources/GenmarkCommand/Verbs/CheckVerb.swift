// SPDX-License-Identifier: MIT
//
// CheckVerb: `genmark check`: growth against a budget, as an exit status and as reports for CI. What is over budget is
// decided in GenmarkAnalysis.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports
import GenmarkSymbols

struct CheckVerb: Verb {
  enum Inconclusive: String, CaseIterable { case fail, pass }

  static let name = "check"
  static let summary = "fail when something grows over its budget (for CI)"
  static let usage = "[options] TRACE|PID"
  static let explanation = """
    Judges growth as `growth` does and holds it against a budget. Exit status: 0 within budget, 1 over it, 2
    inconclusive (fewer than 3 judged cycles, or something was not recorded), 3 the trace or the call is wrong.
    Without any limit, nothing may grow. Limits, accepted findings and their reasons may stand in genmark.json.
    """
  static let example = "genmark check app.genmark --label pop --max-growth 0B --report junit=growth.xml"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static let budgetFile = "genmark.json"
  static let size = "a size such as 0B, 512B or 4KiB"
  static var options: [Option<CheckVerb>] {
    [
      .value(
        "--max-growth", value: "SIZE", set: \.maxGrowth, expected: size,
        "Bytes that one finding may grow by in a cycle.", parse: Values.bytes),
      .value(
        "--max-total", value: "SIZE", set: \.maxTotal, expected: size,
        "Bytes that all findings together may grow by in a cycle.", parse: Values.bytes),
      .count("--max-blocks", set: \.maxBlocks, "Blocks that one finding may grow by in a cycle."),
      .text(
        "--budget", value: "FILE", set: \.budget, files: true,
        "Limits and accepted findings. Default: genmark.json, if there is one."),
      .list(
        "--suppressions", value: "FILE", append: \.suppressions, files: true,
        "Do not count what matches, in the syntax of LeakSanitizer (leak:pattern). May be given several times."),
      .flag("--no-own-suppressions", set: \.ignoresOwn, "Leave the program's __lsan_default_suppressions alone."),
      .list(
        "--baseline", value: "FILE", append: \.baselines, files: true,
        "Count only what is new or grows faster than in this earlier trace, pack, or JSON of a check. May be given several "
          + "times: what differs among them is noise."),
      .value(
        "--slack", value: "SIZE", set: \.slack, expected: size,
        "With --baseline: bytes a cycle by which a finding may be faster.", parse: Values.bytes),
      .choice(
        "--inconclusive", set: \.inconclusive, "What to make of an inconclusive check: status 2, or 0. Default: fail."),
    ] + GrowthArguments.options.map { $0.within(\.growth) } + [
      .flag("--all", set: \.showsAll, "With --json: also findings that do not grow."),
      .list(
        "--report", value: "FORMAT=FILE", append: \.reports, files: true,
        "Write a report for CI: junit, sarif, markdown or json; '-' is standard output. May be given several times."),
      .flag("--github", set: \.annotates, "Print GitHub workflow commands, which annotate the lines of a change."),
      .text(
        "--source-root", value: "DIR", set: \.sourceRoot, files: true,
        "Reports name sources relative to it. Default: the working directory."),
      .flag("--json", set: \.isJSON, "Write JSON (schema genmark.check/1)."),
    ] + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var maxGrowth: Bytes?
  var maxTotal: Bytes?
  var maxBlocks: Int?
  var budget: String?
  var suppressions: [String] = []
  var ignoresOwn = false
  var baselines: [String] = []
  var slack: Bytes?
  var inconclusive = Inconclusive.fail
  var growth = GrowthArguments()
  var reports: [String] = []
  var annotates = false
  var sourceRoot: String?
  var showsAll = false
  var isJSON = false
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    let files = try reports.map { word throws(CommandError) in
      guard let file = ReportFile(word) else {
        throw .badValue(option: "--report", value: word, expected: ReportFile.expected)
      }
      return file
    }
    var options = CheckOptions(budget: try readBudget(), today: Today.text, slack: slack ?? .zero)
    for file in suppressions {
      options.suppressions += try SuppressionFile.parse(TextFile.read(file), file: file)
    }
    options.passesInconclusive = inconclusive == .pass
    options.baselines = try baselines.map(readBaseline)
    let trace = try OpenTrace(words[0], symbols: symbols)
    let (own, note) = ignoresOwn ? ([], nil) : CheckVerb.suppressions(trace.ownSuppressions())
    options.suppressions += own
    let root = SourceRoot(Paths.resolved(sourceRoot ?? ".") ?? Paths.absolute(sourceRoot ?? "."))
    let judged: Result<GrowthReport, AnalysisError> = Result { () throws(AnalysisError) in
      try Growth.report(of: trace.recording, frames: trace.frames, options: growth.growthOptions(all: showsAll))
    }
    if case .failure(let error) = judged {
      // CI shows reports and not standard error: they say so too.
      let report = Check.report(of: .unmarked(error.description), options: options)
      for file in files { try file.write(report, trace.summary, root: root) }
    }
    var report = Check.report(of: try judged.get(), options: options)
    report.notes += note.map { [$0] } ?? []
    let summary = trace.summary
    for file in files { try file.write(report, summary, root: root) }
    // A report on standard output stands there alone.
    if !files.contains(where: { $0.path == "-" }) {
      try OpenTrace.show(console, asJSON: isJSON, [summary]) {
        report.json(summary, all: showsAll)
      } text: {
        report.text(summary, style: console.style)
      }
    }
    if annotates {
      let annotations = GitHubAnnotations.text(report, root: root)
      // With --json nothing else may stand on standard output; the runner reads both.
      if isJSON { console.writeError(annotations) } else { try console.write(annotations) }
    }
    return CheckVerb.status(of: report.outcome)
  }

  static func status(of outcome: CheckReport.Outcome) -> ExitStatus {
    switch outcome {
    case .pass: .success
    case .fail: .exceeded
    case .inconclusive: .inconclusive
    }
  }

  /// Suppressions that the program brings along, or why it has some that do not count.
  private static func suppressions(_ own: OwnSuppressions) -> (found: [Suppression], note: String?) {
    switch own {
    case .none: return ([], nil)
    case .text(let text, let module):
      do {
        return (try SuppressionFile.parse(text, file: "__lsan_default_suppressions of \(module)"), nil)
      } catch { return ([], "not used: \(error)") }
    case .unreadable(let module):
      return (
        [],
        "not used: __lsan_default_suppressions of \(module) does more than return a text, which can not be told without "
          + "running it; write what it returns into a file for --suppressions"
      )
    }
  }

  /// A trace, a pack, or the JSON of an earlier check.
  private func readBaseline(_ file: String) throws -> Baseline {
    if OpenTrace.processID(file) == nil, try TextFile.begins(file, with: "{") {
      return try Baseline(json: TextFile.read(file, limit: TextFile.reportLimit), name: file)
    }
    let old = try OpenTrace(file, symbols: symbols)
    var baseline = Baseline(
      try Growth.report(of: old.recording, frames: old.frames, options: growth.growthOptions()), name: file)
    baseline.notes = old.summary.notes
    return baseline
  }

  /// The file's limits, where the command line has no own.
  private func readBudget() throws -> Budget {
    var result = Budget()
    if let file = budget ?? (Paths.exists(CheckVerb.budgetFile) ? CheckVerb.budgetFile : nil) {
      result = try BudgetFile.parse(TextFile.read(file), file: file)
    }
    result.maxGrowth = maxGrowth ?? result.maxGrowth
    result.maxTotal = maxTotal ?? result.maxTotal
    result.maxBlocks = maxBlocks.map { Blocks($0) } ?? result.maxBlocks
    return result
  }
}
