// SPDX-License-Identifier: MIT
//
// Comparison: growth per cycle of two recordings, then and now, matched by fingerprint. Two marks of one
// recording are compared by Diff.

import GenmarkModel

/// Growth of two recordings side by side.
public struct ComparisonReport: Sendable {
  public var old: GrowthReport
  public var new: GrowthReport
  /// Every finding that grows in either, fastest change for the worse first.
  public var rows: [ComparisonRow]

  public init(old: GrowthReport, new: GrowthReport, rows: [ComparisonRow] = []) {
    self.old = old
    self.new = new
    self.rows = rows
  }
}

/// One finding, then and now.
public struct ComparisonRow: Sendable {
  public var fingerprint: String
  /// Nil when the old recording has no such finding.
  public var old: Finding?
  /// Nil when the new recording has no such finding.
  public var new: Finding?
  public var change: Change
  /// New minus old.
  public var blocksPerCycle: Double { (new?.growingBlocksPerCycle ?? 0) - (old?.growingBlocksPerCycle ?? 0) }
  /// New minus old.
  public var bytesPerCycle: Double { (new?.growingBytesPerCycle ?? 0) - (old?.growingBytesPerCycle ?? 0) }

  public enum Change: String, Sendable, CaseIterable {
    /// Grows now and did not.
    case appeared
    case faster
    case same
    case slower
    /// Grew and does not now.
    case gone
  }

  public init(fingerprint: String, old: Finding?, new: Finding?, change: Change) {
    self.fingerprint = fingerprint
    self.old = old
    self.new = new
    self.change = change
  }
}

/// Compares two recordings of the same program, also of different builds.
public enum Comparison {
  /// Rates that differ by less than a hundredth, as they do by chance of where cycles were cut off, are the same.
  static let tolerance = 0.01

  /// - Throws: what `Growth.report` throws.
  public static func report(
    old: Recording, oldFrames: FrameSource, new: Recording, newFrames: FrameSource,
    options: GrowthOptions = GrowthOptions()
  ) throws(AnalysisError) -> ComparisonReport {
    compare(
      old: try Growth.report(of: old, frames: oldFrames, options: options),
      new: try Growth.report(of: new, frames: newFrames, options: options))
  }

  /// Of two reports that were made before.
  public static func compare(old: GrowthReport, new: GrowthReport) -> ComparisonReport {
    let before = Dictionary(old.findings.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.findings.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    var rows: [ComparisonRow] = []
    for fingerprint in Set(before.keys).union(after.keys) {
      let (was, now) = (before[fingerprint], after[fingerprint])
      guard was?.verdict.isGrowth == true || now?.verdict.isGrowth == true else { continue }
      rows.append(ComparisonRow(fingerprint: fingerprint, old: was, new: now, change: change(from: was, to: now)))
    }
    rows.sort { a, b in
      if a.bytesPerCycle != b.bytesPerCycle { return a.bytesPerCycle > b.bytesPerCycle }
      if a.blocksPerCycle != b.blocksPerCycle { return a.blocksPerCycle > b.blocksPerCycle }
      return a.fingerprint < b.fingerprint
    }
    return ComparisonReport(old: old, new: new, rows: rows)
  }

  private static func change(from old: Finding?, to new: Finding?) -> ComparisonRow.Change {
    guard let old, old.verdict.isGrowth else { return .appeared }
    guard let new, new.verdict.isGrowth else { return .gone }
    func differs(_ a: Double, _ b: Double) -> Bool { abs(a - b) > tolerance * max(abs(a), abs(b)) }
    if differs(new.bytesPerCycle, old.bytesPerCycle) {
      return new.bytesPerCycle > old.bytesPerCycle ? .faster : .slower
    }
    if differs(new.blocksPerCycle, old.blocksPerCycle) {
      return new.blocksPerCycle > old.blocksPerCycle ? .faster : .slower
    }
    return .same
  }
}
