// SPDX-License-Identifier: MIT
//
// GrowthText: what `genmark growth` prints: first the verdict on the whole, then each finding with its rate, then the
// process. One finding in full is in ExplainText, the gate in CheckText.

import GenmarkAnalysis
import GenmarkModel

extension GrowthReport {
  /// - Parameters:
  ///   - all: also findings that do not grow.
  ///   - depth: callers shown of each finding.
  public func text(_ trace: TraceSummary, style: Style, all: Bool = false, depth: Int = 4, top: Int? = nil) -> String {
    let shown = all ? findings : findings.filter(\.isReported)
    var out = trace.title + "\n\n" + headline(style) + "\n"
    var knownAreAnnounced = false
    for finding in shown.prefix(top ?? shown.count) {
      if finding.known != nil, !knownAreAnnounced {
        out += "\nknown to be bounded (a library's own store; not counted as growth):\n"
        knownAreAnnounced = true
      }
      out += "\n" + finding.text(style: style, depth: depth)
    }
    if let top, shown.count > top {
      out += "\n\(UnitText.count(shown.count - top, "more finding")); --top N shows more\n"
    }
    let hidden = findings.count - shown.count
    if hidden > 0 {
      out += "\n\(UnitText.count(hidden, "more finding")) without growth (\(hiddenVerdicts)); --all shows them\n"
    }
    return out + "\n" + processLine(style) + cycles.reasons(style) + trace.warnings(style)
  }

  /// `3 findings grow over 20 judged cycles of "pop" (2 warm-up, 1 settling)`, or what stands in the way of a verdict.
  public func headline(_ style: Style) -> String {
    let growing = findings.count { $0.verdict.isGrowth }
    let unsure = findings.count { $0.verdict == .inconclusive }
    var out: String
    if growing > 0 {
      out = style.text("\(UnitText.count(growing, "finding")) \(growing == 1 ? "grows" : "grow")", .bad)
    } else if inconclusive.isEmpty && unsure == 0 {
      out = style.text("nothing grows", .good)
    } else {
      out = style.text("no verdict", .doubtful)
    }
    out += " over " + cycles.text
    if unsure > 0 { out += "; \(UnitText.count(unsure, "finding")) inconclusive" }
    for reason in inconclusive { out += "\n" + style.text("inconclusive: " + Escaping.terminal(reason), .doubtful) }
    return out
  }

  private var hiddenVerdicts: String {
    var counts: [Verdict: Int] = [:]
    for finding in findings where !finding.isReported { counts[finding.verdict, default: 0] += 1 }
    return Verdict.allCases.compactMap { verdict in counts[verdict].map { "\($0) \(verdict.rawValue)" } }
      .joined(separator: ", ")
  }

  private func processLine(_ style: Style) -> String {
    func text(_ rate: Double?) -> String { rate.map(UnitText.byteRate) ?? "unknown" }
    var parts = [
      "heap \(UnitText.byteRate(process.heapBytesPerCycle))", "RSS \(text(process.rssBytesPerCycle))",
      "held by the allocator \(text(process.heldBytesPerCycle))",
    ]
    if let rate = process.threadsPerCycle {
      parts.append("threads \(UnitText.rate(rate))" + (process.threads.map { " (now \($0))" } ?? ""))
    }
    return "process, a cycle: " + parts.joined(separator: ", ") + ". " + process.sentence + "\n"
  }
}

extension ProcessGrowth {
  /// What grows, in a sentence each.
  var sentence: String { verdicts.isEmpty ? verdict.sentence : verdicts.map(sentence(of:)).joined(separator: " ") }

  private func sentence(of kind: Kind) -> String {
    guard kind == .rssGrows else { return kind.sentence }
    // What the allocator holds tells its own unused memory from memory that never came from it.
    let share = heldBytesPerCycle.flatMap { held in rssBytesPerCycle.map { held / max(1, $0) } }
    switch share {
    case .some(0.5...):
      return "RSS grows while the heap does not: fragmentation or arenas, try MALLOC_ARENA_MAX=2 or malloc_trim."
    case .some(..<0.1):
      return
        "RSS grows while the heap does not, nor what the allocator holds: memory not from malloc (mmap, thread stacks)."
    default: return kind.sentence
    }
  }
}

extension ProcessGrowth.Kind {
  var sentence: String {
    switch self {
    case .level: "Level."
    case .heapGrows: "The heap grows."
    case .rssGrows:
      "RSS grows while the heap does not: fragmentation or arenas, try MALLOC_ARENA_MAX=2 or malloc_trim; "
        + "or memory not from malloc."
    case .threadsGrow: "Threads grow."
    case .inconclusive: "Too little to say."
    }
  }
}

extension CycleSummary {
  /// `20 judged cycles of "pop" (2 warm-up, 1 settling)`.
  public var text: String {
    let name = label.map { " of \"\(Escaping.terminal(Escaping.cut($0, to: 60)))\"" } ?? ""
    return
      "\(UnitText.count(judged, "judged cycle"))\(name) (\(marked) marked: \(warmUp) warm-up, \(settling) settling)"
  }

  func reasons(_ style: Style) -> String {
    var lines: [String] = []
    if !warmUpReason.isEmpty { lines.append("warm-up: " + warmUpReason) }
    if let labelReason { lines.append("cycles: " + labelReason) }
    return lines.map { style.text(Escaping.terminal($0), .faint) + "\n" }.joined()
  }
}

extension Finding {
  /// `leak, certain  +1 block +96 B a cycle  20 blocks, 1,920 B live  [fingerprint]`.
  func summary(_ style: Style) -> String {
    let kind: Style.Kind = verdict.isGrowth ? .bad : verdict == .inconclusive ? .doubtful : .plain
    var out = style.text("\(verdict.rawValue), \(certainty.words)", kind)
    if verdict != .none {
      out += "  \(UnitText.rate(blocksPerCycle)) \(abs(blocksPerCycle) == 1 ? "block" : "blocks"), "
      out += "\(UnitText.byteRate(bytesPerCycle)) a cycle"
    }
    return out + "  \(UnitText.amount(live)) live  [\(fingerprint)]"
  }

  func text(style: Style, depth: Int) -> String {
    var out = summary(style) + "\n"
    out += "  " + style.text(FrameText.name(headline), .heading) + placeOf(headline) + "\n"
    if let site = siteOfHeadline {
      for line in StackText.lines(site.frames, after: headline, depth: depth) {
        out += style.cut("      " + line) + "\n"
      }
    }
    if callSites.count > 1 {
      out += "    from \(UnitText.count(callSites.count, "call stack")); all: genmark explain\n"
    }
    if !why.isEmpty { out += style.text("    " + Escaping.terminal(why), .faint) + "\n" }
    if let furtherCycles { out += "    \(UnitText.count(furtherCycles, "more cycle")) would settle it\n" }
    return out
  }

  /// The call site that allocates nearest to the headline, so that its callers are those of the finding.
  private var siteOfHeadline: JudgedCallSite? {
    func depth(_ site: JudgedCallSite) -> Int { site.frames.firstIndex { $0 == headline } ?? .max }
    return callSites.min { depth($0) < depth($1) }
  }

  private func placeOf(_ frame: Frame?) -> String {
    let place = FrameText.place(frame)
    return place.isEmpty ? "" : "  " + place
  }
}

extension Certainty {
  var words: String {
    switch self {
    case .certain: "certain"
    case .high: "high certainty"
    case .low: "low certainty"
    }
  }
}
