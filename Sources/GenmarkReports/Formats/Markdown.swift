// SPDX-License-Identifier: MIT
//
// Markdown: a check for the summary of a CI job, in the Markdown of GitHub and GitLab.

import GenmarkAnalysis
import GenmarkModel

public enum Markdown {
  /// Findings whose stacks are written out.
  private static let stacks = 20

  public static func text(_ check: CheckReport, _ trace: TraceSummary) -> String {
    var out = "## genmark: \(title(check))\n\n\(code(FrameText.baseName(trace.program))), \(trace.end.text), "
    out += Escaping.markdown(check.growth.cycles.text) + "\n\n"
    for reason in check.reasons { out += "- \(code(reason))\n" }
    for excess in check.exceededInAll { out += "- in all over \(code(excess.sentence))\n" }
    if !out.hasSuffix("\n\n") { out += "\n" }
    let cases = check.cases
    if !cases.isEmpty {
      out += "| | verdict | blocks/cycle | bytes/cycle | live | where | fingerprint |\n|---|---|--:|--:|--:|---|---|\n"
      for item in cases { out += row(item) }
      out += "\n"
    }
    for item in cases.prefix(stacks) {
      guard case .failed = item.outcome else { continue }
      out +=
        "<details><summary>\(code(Escaping.cut(FrameText.plainName(item.finding.headline), to: 200)))</summary>\n\n"
      if !item.finding.why.isEmpty { out += Escaping.markdown(item.finding.why) + "\n\n" }
      out += item.finding.stackLines.prefix(60).map { code(Escaping.cut($0, to: 300)) }.joined(separator: "<br>\n")
      out += "\n\n</details>\n\n"
    }
    for note in check.notes(trace) { out += "- \(code(note))\n" }
    return out
  }

  private static func title(_ check: CheckReport) -> String {
    switch check.outcome {
    case .pass: "✅ within budget"
    case .fail: "❌ \(UnitText.count(check.exceeded.count, "limit")) exceeded"
    case .inconclusive:
      "⚠️ inconclusive"
        + (check.exceeded.isEmpty ? "" : ", \(UnitText.count(check.exceeded.count, "limit")) exceeded")
    }
  }

  private static func row(_ item: CheckReport.Case) -> String {
    let finding = item.finding
    let mark =
      switch item.outcome {
      case .failed: "❌ over"
      case .excused(let excuse): "excused: " + code(Escaping.cut(excuse.reason, to: 200))
      case .withinBudget: "allowed"
      case .inconclusive: "⚠️ unsure"
      }
    let place = FrameText.plainPlace(finding.headline)
    let name =
      code(Escaping.cut(FrameText.plainName(finding.headline), to: 120)) + (place.isEmpty ? "" : " " + code(place))
    return "| \(mark) | \(finding.verdict.rawValue) | \(UnitText.rate(finding.blocksPerCycle)) "
      + "| \(UnitText.byteRate(finding.bytesPerCycle)) | \(UnitText.bytes(finding.live.bytes)) | \(name) "
      + "| \(code(finding.fingerprint)) |\n"
  }

  private static func code(_ text: String) -> String { "<code>" + Escaping.markdown(text) + "</code>" }
}
