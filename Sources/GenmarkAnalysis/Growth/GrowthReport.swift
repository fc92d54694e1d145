// SPDX-License-Identifier: MIT
//
// GrowthReport: what grows, decided and ordered, ready to be written down. Computed by Growth.

import GenmarkModel

/// What grows in a recording, by how much a cycle, and how sure that is.
public struct GrowthReport: Sendable {
  public var cycles: CycleSummary
  public var process: ProcessGrowth
  /// All findings, also those that do not grow: growing first, then inconclusive, then the rest; each by bytes
  /// per cycle. Reports show `findings.filter(\.isReported)` unless all are asked for.
  public var findings: [Finding]
  /// Losses of the recording that make its counts or stacks unsure. Not empty: nothing passes.
  public var losses: [Loss]
  /// Why no verdict on the whole can be given, in full sentences; empty when one can.
  public var inconclusive: [String]
  /// Nothing was recorded that could be judged: no marks, or no block at all. Then nothing passes, whatever is asked for.
  public var isEmpty = false

  public init(
    cycles: CycleSummary, process: ProcessGrowth = ProcessGrowth(), findings: [Finding] = [], losses: [Loss] = [],
    inconclusive: [String] = []
  ) {
    self.cycles = cycles
    self.process = process
    self.findings = findings
    self.losses = losses
    self.inconclusive = inconclusive
  }

  /// What there is to say of a recording without marks.
  public static func unmarked(_ reason: String) -> GrowthReport {
    var report = GrowthReport(
      cycles: CycleSummary(label: nil, marked: 0, warmUp: 0, settling: 0, judged: 0),
      process: ProcessGrowth(verdict: .inconclusive), inconclusive: [reason])
    report.isEmpty = true
    return report
  }
}

/// Which cycles there were and which were judged, as the program counted them (not as a thinned history keeps them).
public struct CycleSummary: Sendable, Hashable {
  /// Nil: all marks, whatever their labels.
  public var label: String?
  public var marked: Int
  public var warmUp: Int
  public var settling: Int
  public var judged: Int
  /// Why the warm-up is that long, in words.
  public var warmUpReason: String
  /// Why these marks are the cycles, where the label was not asked for; nil where it was.
  public var labelReason: String?

  public init(
    label: String?, marked: Int, warmUp: Int, settling: Int, judged: Int, warmUpReason: String = "",
    labelReason: String? = nil
  ) {
    self.label = label
    self.marked = marked
    self.warmUp = warmUp
    self.settling = settling
    self.judged = judged
    self.warmUpReason = warmUpReason
    self.labelReason = labelReason
  }
}

/// The process as a whole, over the judged cycles. Shown, never gated by itself.
public struct ProcessGrowth: Sendable {
  /// Change of all live bytes per cycle (Theil–Sen).
  public var heapBytesPerCycle: Double
  /// Nil where not known.
  public var rssBytesPerCycle: Double?
  /// Bytes that the allocator holds from the system, per cycle; nil where not known: marks from outside can not ask it.
  public var heldBytesPerCycle: Double?
  /// Nil where not known.
  public var threadsPerCycle: Double?
  /// At the last judged mark; nil where not known.
  public var threads: Int?
  /// The first of `verdicts`; level or inconclusive where there are none.
  public var verdict: Kind
  /// All that grows.
  public var verdicts: [Kind] = []

  public enum Kind: String, Sendable, CaseIterable {
    case level
    case heapGrows = "heap-grows"
    /// RSS rises while what is alive does not: fragmentation, arenas, or memory not from malloc.
    case rssGrows = "rss-grows"
    case threadsGrow = "threads-grow"
    case inconclusive
  }

  public init(
    heapBytesPerCycle: Double = 0, rssBytesPerCycle: Double? = nil, heldBytesPerCycle: Double? = nil,
    threadsPerCycle: Double? = nil, verdict: Kind = .level
  ) {
    self.heapBytesPerCycle = heapBytesPerCycle
    self.rssBytesPerCycle = rssBytesPerCycle
    self.heldBytesPerCycle = heldBytesPerCycle
    self.threadsPerCycle = threadsPerCycle
    self.verdict = verdict
  }
}
