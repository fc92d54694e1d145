// SPDX-License-Identifier: MIT
//
// GenerationsReport: the table of generations, as Instruments shows it, with labels and call sites. Computed by
// Generations; the counts of a generation are the model's (Generation).

import GenmarkModel

/// All generations of a recording, oldest first; the last one is still open.
public struct GenerationsReport: Sendable {
  public var generations: [GenerationRow]
  public init(generations: [GenerationRow] = []) { self.generations = generations }
}

/// One line of the table.
public struct GenerationRow: Sendable {
  public var generation: Generation
  /// Label of the mark that began it; nil for generation 0.
  public var openedBy: String?
  /// Label of the mark that ended it; nil for the newest.
  public var closedBy: String?
  /// What is persistent, by call site, most bytes first; empty unless asked for.
  public var callSites: [GenerationCallSite]

  public init(
    generation: Generation, openedBy: String?, closedBy: String?, callSites: [GenerationCallSite] = []
  ) {
    self.generation = generation
    self.openedBy = openedBy
    self.closedBy = closedBy
    self.callSites = callSites
  }
}

/// What one call site left in one generation.
public struct GenerationCallSite: Sendable {
  /// Innermost first and complete.
  public var frames: [Frame]
  public var headline: Frame?
  public var persistent: Amount
  public init(frames: [Frame], headline: Frame? = nil, persistent: Amount) {
    self.frames = frames
    self.headline = headline
    self.persistent = persistent
  }
}
