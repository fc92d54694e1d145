// SPDX-License-Identifier: MIT
//
// GenerationsText: the tables of `genmark generations` and `genmark marks`.

import GenmarkAnalysis
import GenmarkModel

extension GenerationsReport {
  /// - Parameter top: call sites shown for each generation; nil is all.
  public func text(_ trace: TraceSummary, style: Style, byCallSite: Bool, top: Int? = nil) -> String {
    var table = Table([
      .init("Generation"), .init("Label", .leading, flexible: true), .init("Time"), .init("Duration"), .init("Growth"),
      .init("# Persistent"), .init("# Transient"), .init("Live heap"), .init("RSS"),
    ])
    for row in generations {
      let generation = row.generation
      let isThinned = generation.lastNumber > generation.number
      table.add([
        "\(generation.number)" + (isThinned ? "–\(generation.lastNumber)" : ""),
        row.closedBy.map { Escaping.terminal(Escaping.cut($0, to: 80)) } ?? (trace.end == .running ? "(now)" : "(end)"),
        UnitText.duration(generation.startedAt), UnitText.duration(generation.duration),
        UnitText.bytes(generation.persistent.bytes), UnitText.blocks(generation.persistent.blocks),
        UnitText.blocks(generation.transient.blocks), UnitText.bytes(generation.live.bytes),
        generation.residentBytes.map { UnitText.bytes($0) } ?? "-",
      ])
      if byCallSite { row.addCallSites(to: &table, style: style, top: top) }
    }
    var out = trace.title + "\n\n" + table.text(style) + "\n"
    out += style.text(
      "Growth and # Persistent: born in the generation and alive now. Label: the mark that ended it.\n", .faint)
    return out + trace.warnings(style)
  }
}

extension GenerationRow {
  fileprivate func addCallSites(to table: inout Table, style: Style, top: Int?) {
    for site in callSites.prefix(top ?? callSites.count) {
      let amount = UnitText.bytes(site.persistent.bytes) + " in " + UnitText.blocks(site.persistent.blocks)
      let line = "            \(padded(amount, to: 22))  \(FrameText.line(site.headline ?? site.frames.first))"
      table.add(line: style.width.map { DisplayWidth.cut(line, to: $0) } ?? line)
    }
    let rest = callSites.dropFirst(top ?? callSites.count)
    if !rest.isEmpty {
      let sum = rest.reduce(Amount.zero) { $0 + $1.persistent }
      table.add(line: "            and \(UnitText.count(rest.count, "call site")) more with \(UnitText.amount(sum))")
    }
  }
}

extension Recording {
  /// `genmark marks`.
  public func marksText(style: Style) -> String {
    let trace = TraceSummary(self)
    guard !marks.isEmpty else { return trace.title + "\n\nno marks\n" + trace.warnings(style) }
    var table = Table([
      .init("Mark"), .init("Label", .leading, flexible: true), .init("#"), .init("Time"), .init("Live heap"),
      .init("Live blocks"), .init("RSS"), .init("Threads"),
    ])
    for (index, mark) in marks.enumerated() {
      table.add([
        "\(mark.generation)", Escaping.terminal(Escaping.cut(label(ofMark: index), to: 80)), "\(mark.ordinal)",
        UnitText.duration(mark.time), UnitText.bytes(mark.live.bytes), UnitText.blocks(mark.live.blocks),
        mark.residentBytes.map { UnitText.bytes($0) } ?? "-", mark.threads.map(String.init) ?? "-",
      ])
    }
    var out = trace.title + "\n\n" + table.text(style)
    if marksTaken > marks.count {
      out += "\n\(UnitText.grouped(UInt64(marksTaken))) marks were taken; a long history keeps every n-th of them.\n"
    }
    return out + trace.warnings(style)
  }
}

/// Filled with blanks in front.
func padded(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
}
