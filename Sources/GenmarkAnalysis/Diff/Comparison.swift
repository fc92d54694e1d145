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
  /// - Throws: what `Growth.report` throws.
  public static func report(
    old: Recording, oldFrames: FrameSource, new: Recording, newFrames: FrameSource,
    options: GrowthOptions = GrowthOptions()
  ) throws(AnalysisError) -> ComparisonReport {
    throw .noMarks(file: new.file)
  }
}
