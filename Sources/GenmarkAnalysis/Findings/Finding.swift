// SPDX-License-Identifier: MIT
//
// Finding: what is reported as one thing: call sites that grow together. Made by Cluster, named by Fingerprint.

import GenmarkModel

/// Call sites that grow together.
public struct Finding: Sendable {
  /// Stable name across builds; see Fingerprint. 16 hexadecimal digits.
  public var fingerprint: String
  public var verdict: Verdict
  public var certainty: Certainty
  /// Sum over `callSites` that are no containers. Exact where `certainty` is certain.
  public var blocksPerCycle: Double
  public var bytesPerCycle: Double
  /// Alive at the mark of the last cycle, whatever its birth. Not at the end: programs clean up at exit.
  public var live: Amount
  /// The frame in the user's code to look at; nil when there is no frame at all.
  public var headline: Frame?
  /// Largest first.
  public var callSites: [JudgedCallSite]
  /// Why this verdict and not its neighbour, in a sentence or two.
  public var why: String
  /// For `inconclusive`: how many more cycles would settle it; nil where more cycles do not help.
  public var furtherCycles: Int?
  /// Cycles from one growth to the next where that repeats exactly; 1 is every cycle, nil irregular.
  public var period: Int?
  /// First marked cycle, from 1, from which the growth is steady; nil where it does not grow.
  public var fromCycle: Int?
  /// Why this is known to be bounded, where it is: a library's own store. Then it is no growth, but shown.
  public var known: String?
  /// Everything of these call sites that was alive at the end of each kept cycle, oldest first.
  public var liveByCycle: [Amount]
  /// From the headline outwards, as in every build; empty where not known. See StableChain.
  var chain = CallerChain(functions: [])

  public init(
    fingerprint: String, verdict: Verdict, certainty: Certainty, blocksPerCycle: Double, bytesPerCycle: Double,
    live: Amount, headline: Frame?, callSites: [JudgedCallSite], why: String = "", furtherCycles: Int? = nil,
    period: Int? = nil, fromCycle: Int? = nil, known: String? = nil, liveByCycle: [Amount] = []
  ) {
    self.fingerprint = fingerprint
    self.verdict = verdict
    self.certainty = certainty
    self.blocksPerCycle = blocksPerCycle
    self.bytesPerCycle = bytesPerCycle
    self.live = live
    self.headline = headline
    self.callSites = callSites
    self.why = why
    self.furtherCycles = furtherCycles
    self.period = period
    self.fromCycle = fromCycle
    self.known = known
    self.liveByCycle = liveByCycle
  }

  /// Shown without being asked for: grows, could not be judged, or would be called growth if it were not known.
  public var isReported: Bool { verdict.isReported || known != nil }
  /// 0 unless the verdict is one of growth.
  public var growingBlocksPerCycle: Double { verdict.isGrowth ? blocksPerCycle : 0 }
  /// 0 unless the verdict is one of growth.
  public var growingBytesPerCycle: Double { verdict.isGrowth ? bytesPerCycle : 0 }
}

/// One call site of a finding: recorded call sites with equal frames are one.
public struct JudgedCallSite: Sendable {
  public var callSites: [CallTree.NodeID]
  /// Innermost first and complete.
  public var frames: [Frame]
  /// Alive at the mark of the last cycle, whatever its birth.
  public var live: Amount
  /// Its own, or the finding's where only the level above it grows steadily.
  public var verdict: Verdict
  public var blocksPerCycle: Double
  public var bytesPerCycle: Double
  /// Blocks alive at the mark of the last cycle, by the kept cycle in which they were born, oldest first.
  public var survivors: [Blocks]
  /// It is the container of what the others allocate: it grows with them, and its rate is not in the finding's.
  public var isContainer: Bool

  public init(
    callSites: [CallTree.NodeID] = [], frames: [Frame], live: Amount, verdict: Verdict, blocksPerCycle: Double,
    bytesPerCycle: Double, survivors: [Blocks] = [], isContainer: Bool = false
  ) {
    self.callSites = callSites
    self.frames = frames
    self.live = live
    self.verdict = verdict
    self.blocksPerCycle = blocksPerCycle
    self.bytesPerCycle = bytesPerCycle
    self.survivors = survivors
    self.isContainer = isContainer
  }
}
