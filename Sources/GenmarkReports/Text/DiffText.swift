// SPDX-License-Identifier: MIT
//
// DiffText: what `genmark diff` prints, for two marks and for two recordings.

import GenmarkAnalysis
import GenmarkModel

extension DiffReport {
  /// - Parameter depth: frames shown below each call site; 0 is the table alone.
  public func text(_ trace: TraceSummary, style: Style, depth: Int = 4) -> String {
    var out = trace.title + "\n\n"
    out += "from \(from.text) to \(to.text)" + (aliveAt == to ? "" : ", alive at \(aliveAt.text)") + ": born and alive "
    out += UnitText.amount(born) + "; freed " + UnitText.amount(freed) + "; net "
    out += UnitText.bytes(born.bytes - freed.bytes, signed: true) + "\n\n"
    if rows.isEmpty && tree.isEmpty { return out + "nothing born between them is alive\n" + trace.warnings(style) }
    var table = Table([
      .init("Bytes"), .init("Blocks"), .init("Freed"), .init("Net"), .init(title, .leading, flexible: true),
    ])
    for row in rows { row.add(to: &table, grouping: grouping, style: style, depth: depth) }
    for node in tree { node.add(to: &table, style: style, level: 0) }
    out += table.text(style)
    let shown = grouping == .tree ? tree.count : rows.count
    if rowCount > shown { out += "\n\(UnitText.grouped(UInt64(rowCount - shown))) more rows; --top N shows more\n" }
    return out + trace.warnings(style)
  }

  private var title: String {
    switch grouping {
    case .callSite: "Call site"
    case .function: "Function"
    case .module: "Module"
    case .tree: "Allocating function, callers below"
    }
  }
}

extension DiffRow {
  fileprivate func add(to table: inout Table, grouping: DiffOptions.Grouping, style: Style, depth: Int) {
    let frame = headline ?? frames.first
    let name =
      grouping == .module ? Escaping.terminal(Escaping.cut(frame?.module ?? "?", to: 160)) : FrameText.line(frame)
    table.add(amounts(born: born, freed: freed) + [name])
    guard grouping == .callSite else { return }
    for line in StackText.lines(frames, after: frame, depth: depth) { table.add(line: style.cut("    " + line)) }
  }
}

extension DiffNode {
  fileprivate func add(to table: inout Table, style: Style, level: Int) {
    // Past this, the indentation leaves no room for names.
    let indent = String(repeating: "  ", count: min(level, 30))
    table.add(amounts(born: born, freed: freed) + [indent + FrameText.line(frame)])
    for child in children { child.add(to: &table, style: style, level: level + 1) }
  }
}

private func amounts(born: Amount, freed: Amount) -> [String] {
  [
    UnitText.bytes(born.bytes), UnitText.blocks(born.blocks), UnitText.bytes(freed.bytes),
    UnitText.bytes(born.bytes - freed.bytes, signed: true),
  ]
}

extension ComparisonReport {
  public func text(old oldTrace: TraceSummary, new newTrace: TraceSummary, style: Style) -> String {
    var out = "old  \(oldTrace.title)\n     \(old.cycles.text)\nnew  \(newTrace.title)\n     \(new.cycles.text)\n\n"
    if rows.isEmpty {
      out += "no call site grows in either\n"
    } else {
      var table = Table([
        .init("Change", .leading), .init("Blocks then"), .init("now"), .init("Bytes then"), .init("now"),
        .init("Fingerprint", .leading), .init("Finding", .leading, flexible: true),
      ])
      for row in rows {
        table.add(
          [
            row.change.rawValue, UnitText.rate(row.old?.growingBlocksPerCycle ?? 0),
            UnitText.rate(row.new?.growingBlocksPerCycle ?? 0), UnitText.byteRate(row.old?.growingBytesPerCycle ?? 0),
            UnitText.byteRate(row.new?.growingBytesPerCycle ?? 0), row.fingerprint,
            FrameText.line(row.new?.headline ?? row.old?.headline),
          ], row.change == .appeared || row.change == .faster ? .bad : .plain)
      }
      out += table.text(style) + "\nBlocks and bytes are growth per cycle.\n"
    }
    for (which, report) in [("old", old), ("new", new)] {
      for reason in report.inconclusive {
        out += style.text("\(which) is inconclusive: " + Escaping.terminal(reason), .doubtful) + "\n"
      }
    }
    return out + oldTrace.warnings(style) + newTrace.warnings(style)
  }
}
