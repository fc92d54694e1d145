// SPDX-License-Identifier: MIT
//
// Survival: what was alive, of every call site and birth, at every mark and at the end. Built once from a recording;
// every question of diff and growth is answered from it. Totals that need no history are in Generation and CallSites.
//
// A *row* is one (call site, birth). It holds one *step* for each mark at which its live amount changed, so that
// size follows what changed and not call sites × births × marks. Births are asked for by generation index (see
// Generation): rows whose births fall into one generation, because history was thinned, add up.

/// An index of what was alive when.
public struct Survival: Sendable {
  /// Call sites that had something alive at a mark or at the end, ascending.
  public let callSites: [CallTree.NodeID]
  /// Kept marks; their indices are those of `Recording.marks`.
  public let markCount: Int
  /// One more than marks.
  public var generationCount: Int { markCount + 1 }

  /// Rows of `callSites[i]` begin at `rowStarts[i]` and end at `rowStarts[i + 1]`, by ascending birth.
  private let rowStarts: [Int]
  private let rows: [Row]
  private let steps: [Step]

  /// One (call site, birth).
  struct Row: Sendable {
    var birth: GenerationNumber
    /// Index of the generation that the birth belongs to.
    var generation: Int
    /// Its steps, by ascending mark.
    var steps: Range<Int>
    /// Alive at the end.
    var final: Amount
  }

  /// The live amount of a row from one mark up to its next step.
  public struct Step: Sendable {
    public var mark: Int
    public var live: Amount
  }

  /// What is alive of one call site.
  public struct Survivors: Sendable, Hashable {
    public var callSite: CallTree.NodeID
    public var live: Amount
    public init(callSite: CallTree.NodeID, live: Amount) {
      self.callSite = callSite
      self.live = live
    }
  }

  /// - Complexity: O((changes + cells) · log), in practice little more than a sort.
  public init(_ recording: Recording) {
    var builder = SurvivalBuilder(recording)
    builder.build()
    callSites = builder.callSites
    rowStarts = builder.rowStarts
    rows = builder.rows
    steps = builder.steps
    markCount = recording.marks.count
  }

  /// What was alive of a call site at a moment, whenever born.
  /// - Complexity: O(births of the call site · log marks)
  public func live(of callSite: CallTree.NodeID, at moment: Moment) -> Amount {
    live(of: callSite, bornIn: 0..<generationCount, at: moment)
  }

  /// What was alive of a call site at a moment and had been born in these generations (by index).
  /// - Complexity: O(births of the call site · log marks)
  public func live(of callSite: CallTree.NodeID, bornIn generations: Range<Int>, at moment: Moment) -> Amount {
    guard let index = callSites.sortedIndex(of: callSite) else { return .zero }
    return live(site: index, bornIn: generations, at: moment)
  }

  /// Live amounts of a call site at every mark, and last at the end: `markCount + 1` values.
  /// - Complexity: O(steps of the call site + marks)
  public func series(of callSite: CallTree.NodeID) -> [Amount] { series(of: CollectionOfOne(callSite)) }

  /// Live amounts of several call sites together at every mark, and last at the end: `markCount + 1` values.
  /// - Complexity: O(steps of the call sites + marks)
  public func series(of callSites: some Sequence<CallTree.NodeID>) -> [Amount] {
    // Steps become differences, which then are added up once.
    var series = [Amount](repeating: .zero, count: markCount + 1)
    for callSite in callSites {
      guard let index = self.callSites.sortedIndex(of: callSite) else { continue }
      for row in rows[rowStarts[index]..<rowStarts[index + 1]] {
        var before = Amount.zero
        for step in steps[row.steps] {
          series[step.mark] += step.live - before
          before = step.live
        }
        series[markCount] += row.final - before
      }
    }
    for moment in series.indices.dropFirst() { series[moment] += series[moment - 1] }
    return series
  }

  /// What was alive of a call site at a moment, by the generation it was born in: `generationCount` values.
  /// - Complexity: O(births of the call site · log marks + marks)
  public func survivors(of callSite: CallTree.NodeID, at moment: Moment) -> [Amount] {
    survivors(of: CollectionOfOne(callSite), at: moment)
  }

  /// What was alive of several call sites together, by the generation it was born in: `generationCount` values.
  public func survivors(of callSites: some Sequence<CallTree.NodeID>, at moment: Moment) -> [Amount] {
    var survivors = [Amount](repeating: .zero, count: generationCount)
    for callSite in callSites {
      guard let index = self.callSites.sortedIndex(of: callSite) else { continue }
      for row in rows[rowStarts[index]..<rowStarts[index + 1]] {
        survivors[row.generation] += live(of: row, at: moment)
      }
    }
    return survivors
  }

  /// What is alive at a moment of blocks born in these generations (by index): the call sites that have any, ascending.
  /// - Complexity: O(rows · log marks)
  public func survivors(bornIn generations: Range<Int>, at moment: Moment) -> [Survivors] {
    var result: [Survivors] = []
    for (index, callSite) in callSites.enumerated() {
      let live = live(site: index, bornIn: generations, at: moment)
      if live != .zero { result.append(Survivors(callSite: callSite, live: live)) }
    }
    return result
  }

  /// What was alive at `start` and is freed at `end`, of blocks born before `start`: the call sites that have any,
  /// ascending. Bytes that realloc took away count as freed; what it added does not count against it.
  /// - Complexity: O(rows · log marks)
  public func freed(from start: Moment, to end: Moment) -> [Survivors] {
    var result: [Survivors] = []
    for (index, callSite) in callSites.enumerated() {
      var freed = Amount.zero
      for row in rows[rowStarts[index]..<rowStarts[index + 1]] {
        freed += (live(of: row, at: start) - live(of: row, at: end)).clamped
      }
      if freed != .zero { result.append(Survivors(callSite: callSite, live: freed)) }
    }
    return result
  }

  /// Visits the rows of a call site by ascending birth: the index of the generation, its steps, and what is alive of
  /// it at the end. For those who need a whole survival matrix at once.
  /// - Complexity: O(log call sites + rows of the call site)
  public func forEachRow(
    of callSite: CallTree.NodeID, _ body: (_ generation: Int, _ steps: ArraySlice<Step>, _ final: Amount) -> Void
  ) {
    guard let index = callSites.sortedIndex(of: callSite) else { return }
    for row in rows[rowStarts[index]..<rowStarts[index + 1]] { body(row.generation, steps[row.steps], row.final) }
  }

  private func live(site index: Int, bornIn generations: Range<Int>, at moment: Moment) -> Amount {
    var sum = Amount.zero
    for row in rows[rowStarts[index]..<rowStarts[index + 1]] where generations.contains(row.generation) {
      sum += live(of: row, at: moment)
    }
    return sum
  }

  private func live(of row: Row, at moment: Moment) -> Amount {
    guard case .mark(let mark) = moment else { return row.final }
    // The newest step that is not after the mark.
    var low = row.steps.lowerBound
    var high = row.steps.upperBound
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].mark <= mark { low = middle + 1 } else { high = middle }
    }
    return low == row.steps.lowerBound ? .zero : steps[low - 1].live
  }
}
