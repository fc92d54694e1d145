// SPDX-License-Identifier: MIT
//
// ExplainText: what `genmark explain` prints of one finding: all stacks, survivors by birth, the course of what is
// alive, and why the verdict is what it is.

import GenmarkAnalysis
import GenmarkModel

extension GrowthReport {
  /// - Parameter fullName: the unshortened name of a frame's function, nil where it is not known.
  public func text(
    explaining finding: Finding, _ trace: TraceSummary, style: Style, explanation: FindingExplanation? = nil,
    fullName: (Frame) -> String? = { _ in nil }
  ) -> String {
    var out = trace.title + "\n\n" + finding.summary(style) + "\n"
    out +=
      "  " + style.text(FrameText.name(finding.headline), .heading) + "  " + FrameText.place(finding.headline) + "\n\n"
    out += "verdict   \(finding.verdict.rawValue): \(finding.verdict.meaning)\n"
    if !finding.why.isEmpty { out += "why       \(Escaping.terminal(finding.why))\n" }
    for line in explanation?.notNeighbours ?? [] { out += "          \(Escaping.terminal(line))\n" }
    if let change = explanation?.wouldChange { out += "change    \(change)\n" }
    out += "seen      \(cycles.text)\n"
    if let period = finding.period, period > 1 { out += "period    grows every \(period) cycles\n" }
    if let from = finding.fromCycle { out += "from      cycle \(from) on\n" }
    if let more = finding.furtherCycles { out += "unsettled \(UnitText.count(more, "more cycle")) would settle it\n" }
    for reason in inconclusive { out += "but       \(Escaping.terminal(reason))\n" }
    if let last = finding.liveByCycle.last, finding.liveByCycle.count > 1 {
      let values = finding.liveByCycle.map { Double($0.bytes.count) }
      out += "\nalive at the end of each cycle (bytes), oldest first, now \(UnitText.bytes(last.bytes)):\n  "
      out += Sparkline.text(values, width: min(style.width ?? 100, 100) - 4) + "\n"
    }
    if let table = explanation?.table { out += table.text(style) }
    for (index, site) in finding.callSites.enumerated() {
      out += "\ncall stack \(index + 1) of \(finding.callSites.count): \(site.verdict.rawValue), "
      out += "\(UnitText.rate(site.blocksPerCycle)) blocks, \(UnitText.byteRate(site.bytesPerCycle)) a cycle, "
      out += "\(UnitText.amount(site.live)) live\(site.isContainer ? "; the container of the others" : "")\n"
      for line in StackText.all(site.frames) { out += style.cut("    " + line) + "\n" }
      out += survivorsText(site)
    }
    return out + fullNamesText(finding, fullName) + trace.warnings(style)
  }

  /// Names that were shortened in the stacks above, each once, in full.
  private func fullNamesText(_ finding: Finding, _ fullName: (Frame) -> String?) -> String {
    var seen: Set<String> = []
    var out = ""
    for frame in finding.callSites.flatMap(\.frames) {
      guard let short = frame.function, let full = fullName(frame), full != short, seen.insert(short).inserted else {
        continue
      }
      out += "  " + Escaping.terminal(short) + "\n    " + Escaping.terminal(full) + "\n"
    }
    return out.isEmpty ? "" : "\nshortened names in full\n" + out
  }

  /// Blocks alive at the end by the cycle they were born in; equal neighbours are written once: `0×2 1×18`.
  private func survivorsText(_ site: JudgedCallSite) -> String {
    guard !site.survivors.isEmpty else { return "" }
    var runs: [(value: Int64, count: Int)] = []
    for blocks in site.survivors {
      if runs.last?.value == blocks.count {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((blocks.count, 1))
      }
    }
    let words = runs.prefix(60).map { $0.count == 1 ? "\($0.value)" : "\($0.value)×\($0.count)" }
    return "  survivors (blocks alive at the end, by cycle of birth): \(words.joined(separator: " "))"
      + (runs.count > 60 ? " …" : "") + "\n"
  }
}

extension Verdict {
  /// What the word says, for people who meet it for the first time.
  public var meaning: String {
    switch self {
    case .leak: "keeps something from every cycle"
    case .stepwise: "keeps growing, but not in every cycle"
    case .saturating: "grew and fades out, as a cache that fills"
    case .turnover: "each cycle leaves something and older blocks go, as in a cache of fixed size"
    case .oneOff: "kept something in exactly one cycle"
    case .warmUp: "kept something in the first cycles only"
    case .noise: "goes up and down without direction"
    case .inconclusive: "this recording does not say"
    case .none: "keeps nothing"
    }
  }
}

extension SurvivalTable {
  /// Blocks alive by cycle of birth (down) and cycle's end (across).
  func text(_ style: Style) -> String {
    guard let last = live.last, last.blocks > .zero || live.contains(where: { $0.blocks > .zero }) else { return "" }
    let cells = alive.map { $0.map { String($0.blocks.count) } }
    let sums = live.map { String($0.blocks.count) }
    let heads = cycles.map(String.init)
    let width = max(2, (cells.flatMap { $0 } + sums + heads).map(\.count).max() ?? 2)
    func cell(_ text: String) -> String { String(repeating: " ", count: width + 1 - text.count) + text }
    func row(_ head: String, _ skipped: Int, _ values: [String]) -> String {
      let blank = String(repeating: " ", count: skipped * (width + 1))
      return "  " + head + String(repeating: " ", count: max(0, 8 - head.count)) + blank + values.map(cell).joined()
    }
    let step = cycles.count > 1 && cycles[cycles.count - 1] > cycles.count
    var out = "\nblocks alive: born in cycle (down\(step ? ", each row since the one above" : ""))"
    out += " and alive at the end of cycle (across)\n"
    out += style.cut(row("", 0, heads)) + "\n"
    for (index, values) in cells.enumerated() { out += style.cut(row(heads[index], index, values)) + "\n" }
    return out + style.cut(row("all", 0, sums)) + "\n"
  }
}

/// A row of bars, as high as the values.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// At most `width` bars: neighbours become their highest. The lowest value is the lowest bar, also when it is not 0.
  static func text(_ values: [Double], width: Int) -> String {
    guard let low = values.min(), let high = values.max(), width > 0 else { return "" }
    let step = max(1, (values.count + width - 1) / width)
    var out = ""
    for start in stride(from: 0, to: values.count, by: step) {
      let peak = values[start..<min(start + step, values.count)].max() ?? low
      let height = high > low ? (peak - low) / (high - low) : 0
      out.append(bars[min(bars.count - 1, Int(height * Double(bars.count - 1) + 0.5))])
    }
    return out
  }
}
