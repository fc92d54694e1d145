// SPDX-License-Identifier: MIT
//
// CheckText: what `genmark check` prints: the outcome, which limits are exceeded, what was excused, and why nothing
// could be said where nothing could.

import GenmarkAnalysis
import GenmarkModel

extension CheckReport {
  public func text(_ trace: TraceSummary, style: Style, depth: Int = 4) -> String {
    var out = trace.title + "\n\n" + headline(style) + "\n"
    for reason in reasons { out += style.text("inconclusive: " + Escaping.terminal(reason), .doubtful) + "\n" }
    for excess in exceeded { out += "\n" + text(of: excess, style: style, depth: depth) }
    if !exceededInAll.isEmpty {
      // A limit on the whole names no finding, so that what it is made of has to be said.
      for finding in growth.findings where finding.verdict.isGrowth {
        out += "  \(finding.summary(style))  \(FrameText.line(finding.headline))\n"
      }
    }
    if !excused.isEmpty {
      out += "\nexcused:\n"
      for excuse in excused {
        out += "  [\(excuse.fingerprint)]  \(FrameText.name(finding(excuse.fingerprint)?.headline))  "
        out += Escaping.terminal("\(excuse.reason) (\(excuse.pattern))") + "\n"
      }
    }
    if !suppressions.isEmpty {
      out += "\nsuppressions used:\n" + suppressionTable(style)
    }
    for note in notes { out += Escaping.terminal(note) + "\n" }
    for pattern in unused { out += style.text("unused: " + Escaping.terminal(pattern), .faint) + "\n" }
    return out + trace.warnings(style)
  }

  /// `FAIL: 2 limits exceeded over 20 judged cycles of "pop" (…)`.
  public func headline(_ style: Style) -> String {
    switch outcome {
    case .pass: style.text("PASS", .good) + ": within budget over " + growth.cycles.text
    case .fail:
      style.text("FAIL", .bad) + ": \(UnitText.count(exceeded.count, "limit")) exceeded over " + growth.cycles.text
    case .inconclusive:
      style.text("INCONCLUSIVE", .doubtful) + ": "
        + (exceeded.isEmpty
          ? "" : "\(UnitText.count(exceeded.count, "limit")) exceeded, and not all can be judged, over ")
        + growth.cycles.text
    }
  }

  private func text(of excess: Exceeded, style: Style, depth: Int) -> String {
    let value =
      excess.limit.hasPrefix("max-blocks") ? UnitText.rate(excess.value) + " blocks" : UnitText.byteRate(excess.value)
    let line = style.text("over \(Escaping.terminal(excess.limit))", .bad) + ": \(value) a cycle"
    guard let fingerprint = excess.fingerprint, let finding = finding(fingerprint) else { return line + " in all\n" }
    return line + "\n" + finding.text(style: style, depth: depth)
  }

  /// What each suppression took out, as LeakSanitizer lists them.
  private func suppressionTable(_ style: Style) -> String {
    var table = Table([
      Table.Column("Findings"), Table.Column("Call sites"), Table.Column("Blocks/cycle"), Table.Column("Bytes/cycle"),
      Table.Column("Live"), Table.Column("Suppression", .leading, flexible: true),
    ])
    for use in suppressions {
      table.add([
        "\(use.findings)", "\(use.callSites)", UnitText.rate(use.blocksPerCycle), UnitText.byteRate(use.bytesPerCycle),
        UnitText.bytes(use.live.bytes), Escaping.terminal("\(use.suppression.text)  \(use.suppression.place)"),
      ])
    }
    return table.text(style)
  }

  /// The finding of a fingerprint.
  func finding(_ fingerprint: String) -> Finding? { growth.findings.first { $0.fingerprint == fingerprint } }
}
