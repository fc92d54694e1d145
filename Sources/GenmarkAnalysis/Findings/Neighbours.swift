// SPDX-License-Identifier: MIT
//
// Neighbours: what speaks against the other verdicts, in words, from the same evidence that the rules in Verdicts/ judge.

import GenmarkModel

struct Neighbours {
  private let evidence: Evidence

  init(_ evidence: Evidence) { self.evidence = evidence }

  /// In a sentence each; none where nothing was judged.
  func excluded(by verdict: Verdict) -> [String] {
    guard evidence.count > 0 else { return [] }
    switch verdict {
    case .leak: return [notTurnover, notSaturating, everyCycle]
    case .stepwise: return [notLeak, notSaturating, notNoise]
    case .saturating: return [stopped, notTurnover]
    case .turnover: return [drains, net]
    case .oneOff:
      return ["Not stepwise: it came once, and \(counted(evidence.trailing, "judged cycle")) followed without."]
    case .noise: return [notNoise, net]
    case .inconclusive: return [notLeak, notSaturating, drains]
    case .warmUp, .none: return ["Nothing that was born in a judged cycle is alive at the last."]
    }
  }

  func wouldChange(_ verdict: Verdict) -> String {
    let cycles = evidence.window.judgedCycles
    switch verdict {
    case .leak:
      return
        "A store whose bound lies beyond \(counted(cycles, "cycle")) looks the same: if it has one, cycles in which "
        + "nothing is added would make this saturating, and older blocks that go for new ones turnover."
    case .stepwise:
      return "As many cycles without growth as between two steps before, twice over, would make this saturating."
    case .saturating: return "Growth in further cycles would make this stepwise or a leak."
    case .turnover: return "Older blocks that stay, while new ones come, would make this a leak."
    case .oneOff: return "A second cycle that leaves something would make this stepwise or inconclusive."
    case .noise: return "A level that rises, also over the second half of the cycles, would make this a leak."
    case .inconclusive: return "More cycles: they show whether it goes on, stops, or gives back what is old."
    case .warmUp, .none: return "A judged cycle that leaves something would change this."
    }
  }

  private var unit: String { evidence.unit == .blocks ? "blocks" : "bytes" }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private var notTurnover: String {
    if evidence.unit == .bytes { return "Not turnover: the blocks stay, and get longer." }
    return evidence.drained == 0
      ? "Not turnover: of what older cycles left, nothing went in the last third."
      : "Not turnover: of what older cycles left, only \(percent(evidence.drained)) went in the last third."
  }

  private var drains: String {
    evidence.drained == 0
      ? "Of what older cycles left, nothing went in the last third."
      : "Of what older cycles left, \(percent(evidence.drained)) went in the last third."
  }

  private var net: String {
    let net = evidence.unit == .blocks ? evidence.net.blocks.count : evidence.net.bytes.count
    return "Not a leak: over all judged cycles, \(net) \(unit) more are alive than before, of \(allocatedAndKept)."
  }

  private var allocatedAndKept: String {
    let fresh = evidence.window.judged.reduce(Int64(0)) { $0 + evidence.series.fresh[$1].blocks.count }
    return "\(fresh) that were alive at the end of their own cycle"
  }

  private var halves: (first: Double, second: Double) {
    let growth = evidence.growthPerCycle
    let half = growth.count / 2
    guard half > 0 else { return (0, 0) }
    return (growth.prefix(half).reduce(0, +) / Double(half), growth.suffix(half).reduce(0, +) / Double(half))
  }

  private var notSaturating: String {
    let (first, second) = halves
    return "Not saturating: \(rounded(first)) \(unit) a cycle in the first half, \(rounded(second)) in the second."
  }

  private var stopped: String {
    let (first, second) = halves
    if evidence.trailing > 0 {
      return "Not a leak: nothing was added in the last \(counted(evidence.trailing, "judged cycle"))."
    }
    return "Not a leak: \(rounded(first)) \(unit) a cycle in the first half, \(rounded(second)) in the second."
  }

  private var everyCycle: String {
    "Not stepwise: it grew in each of the last \(counted(evidence.tailRun, "judged cycle"))."
  }

  private var notLeak: String {
    let without = evidence.count - evidence.events.count
    return without == 0
      ? "Not a leak: each of the judged cycles added something, but not so that it must go on."
      : "Not a leak: \(without) of \(counted(evidence.count, "judged cycle")) added nothing."
  }

  private var notNoise: String {
    let changes = evidence.changes.map { evidence.unit == .blocks ? $0.blocks.count : $0.bytes.count }
    let rises = changes.reduce(Int64(0)) { $0 + max(0, $1) }
    let falls = changes.reduce(Int64(0)) { $0 + max(0, -$1) }
    return "It rose by \(rises) \(unit) and fell by \(falls) over the judged cycles."
  }

  private func rounded(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String((value * 100).rounded() / 100)
  }
}
