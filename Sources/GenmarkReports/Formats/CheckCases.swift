// SPDX-License-Identifier: MIT
//
// CheckCases: what a check says of each finding, decided once for all the formats that CI systems read. How each
// format writes it down is in the neighbours.

import GenmarkAnalysis
import GenmarkModel

extension CheckReport {
  /// A finding with what the check makes of it.
  struct Case {
    enum Outcome {
      /// Over these limits.
      case failed([Exceeded])
      case excused(Excused)
      /// Grows, and is allowed to.
      case withinBudget
      case inconclusive
    }

    var finding: Finding
    var outcome: Outcome
  }

  /// Every finding that grows, is excused or could not be judged, in the order of the report.
  var cases: [Case] {
    growth.findings.compactMap { finding in
      let exceeded = exceeded.filter { $0.fingerprint == finding.fingerprint }
      if !exceeded.isEmpty { return Case(finding: finding, outcome: .failed(exceeded)) }
      if let excuse = excused.first(where: { $0.fingerprint == finding.fingerprint }) {
        return Case(finding: finding, outcome: .excused(excuse))
      }
      if finding.verdict.isGrowth { return Case(finding: finding, outcome: .withinBudget) }
      return finding.verdict == .inconclusive ? Case(finding: finding, outcome: .inconclusive) : nil
    }
  }

  /// Limits on the whole that are exceeded.
  var exceededInAll: [Exceeded] { exceeded.filter { $0.fingerprint == nil } }

  /// What reports say at their end, a line each; not escaped.
  func notes(_ trace: TraceSummary) -> [String] {
    trace.losses.map { "loss: " + $0.sentence } + trace.notes + notes
      + suppressions.map { "suppressed: \($0.sentence)" } + unused.map { "unused: " + $0 }
  }
}

extension CheckReport.SuppressionUse {
  /// `leak:Cache::* (app.supp:3): 2 findings, 3 call sites, +96 B a cycle, 1.9 KiB live`; not escaped.
  var sentence: String {
    "\(suppression.text) (\(suppression.place)): \(UnitText.count(findings, "finding")), "
      + "\(UnitText.count(callSites, "call site")), \(UnitText.byteRate(bytesPerCycle)) a cycle, "
      + "\(UnitText.amount(live)) live"
  }
}

extension Suppression {
  /// Where it stands; not escaped.
  var place: String { line > 0 ? "\(file):\(line)" : file }
}

extension CheckReport.Exceeded {
  /// `max-growth 0B: +96 B a cycle`; not escaped.
  var sentence: String {
    "\(limit): \(limit.hasPrefix("max-blocks") ? UnitText.rate(value) + " blocks" : UnitText.byteRate(value)) a cycle"
  }
}

extension Finding {
  /// `leak: +1 block, +96 B a cycle in Cache.insert(_:) (Cache.swift:12)`; not escaped.
  var sentence: String {
    let place = FrameText.plainPlace(headline)
    return "\(verdict.rawValue): \(UnitText.rate(blocksPerCycle)) \(abs(blocksPerCycle) == 1 ? "block" : "blocks"), "
      + "\(UnitText.byteRate(bytesPerCycle)) a cycle in \(Escaping.cut(FrameText.plainName(headline), to: 300))"
      + (place.isEmpty ? "" : " (\(place))")
  }

  /// The stack that the finding is headed by, a frame a line, folded ones marked; not escaped.
  var stackLines: [String] {
    (callSites.first?.frames ?? []).map { frame in
      let place = frame.file.map { $0 + (frame.line.map { ":\($0)" } ?? "") } ?? FrameText.plainPlace(frame)
      return FrameText.plainName(frame) + (place.isEmpty ? "" : "  " + place) + (frame.folded ? "  (folded)" : "")
    }
  }
}

/// Where the sources are, to which code hosts want paths to be relative.
public struct SourceRoot: Sendable {
  /// Absolute, with a slash at its end.
  private let path: String

  /// - Parameter path: absolute.
  public init(_ path: String) { self.path = path.hasSuffix("/") ? path : path + "/" }

  /// The path below the root; nil when it lies elsewhere.
  public func relative(_ file: String) -> String? {
    if !file.hasPrefix("/") { return file.hasPrefix("../") || file.isEmpty || file.hasPrefix("<") ? nil : file }
    guard file.hasPrefix(path), file.count > path.count, !file.contains("/../") else { return nil }
    return String(file.dropFirst(path.count))
  }
}
