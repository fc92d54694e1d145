// SPDX-License-Identifier: MIT
//
// ExplainVerb: `genmark explain`: one finding with all that is known of it.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports
import GenmarkSymbols

struct ExplainVerb: Verb {
  static let name = "explain"
  static let summary = "one finding in full: all stacks, survivors by cycle, why this verdict"
  static let usage = "[options] TRACE|PID FINGERPRINT"
  static let explanation = """
    Shows the finding with this fingerprint (`growth` prints it in brackets; its first digits will do): every call
    stack, what is alive of each cycle's blocks at the end of each later one, the course of it, why the verdict is
    this and not its neighbour, and what would change it.
    """
  static let example = "genmark explain app.1234.genmark 9f2c41d07be3a856"
  static let operands = Operands(needed: ["a trace", "a fingerprint"], optional: 0)
  static var options: [Option<ExplainVerb>] {
    GrowthArguments.options.map { $0.within(\.growth) }
      + [.flag("--json", set: \.isJSON, "Write JSON (schema genmark.explain/1).")]
      + SymbolArguments.options.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var growth = GrowthArguments()
  var isJSON = false
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    let trace = try OpenTrace(words[0], symbols: symbols)
    let options = growth.growthOptions(all: true)
    let report = try Growth.report(of: trace.recording, frames: trace.frames, options: options)
    let finding = try ExplainVerb.finding(words[1], in: report.findings)
    let explanation = try Growth.explain(
      finding, of: trace.recording, options: options,
      columns: isJSON ? 256 : ExplainVerb.columns(width: console.style.width))
    let summary = trace.summary
    try OpenTrace.show(console, asJSON: isJSON, [summary]) {
      report.json(summary, explaining: finding, explanation: explanation)
    } text: {
      report.text(
        explaining: finding, summary, style: console.style, explanation: explanation,
        fullName: Symbolizer.fullName(of:))
    }
    return .success
  }

  /// Cycles of the survival matrix that fit beside each other, with numbers of three digits.
  private static func columns(width: Int?) -> Int { min(24, max(4, ((width ?? 110) - 10) / 4)) }

  /// By the whole fingerprint, or by its beginning where only one finding has it.
  static func finding(_ fingerprint: String, in findings: [Finding]) throws(CommandError) -> Finding {
    let wanted = fingerprint.lowercased()
    if let finding = findings.first(where: { $0.fingerprint == wanted }) { return finding }
    let begun = findings.filter { $0.fingerprint.hasPrefix(wanted) }
    if begun.count == 1, wanted.count >= 4 { return begun[0] }
    let nearest = begun.first?.fingerprint ?? Suggestion.nearest(to: wanted, in: findings.map(\.fingerprint))
    throw .unknownFingerprint(fingerprint, nearest: nearest)
  }
}
