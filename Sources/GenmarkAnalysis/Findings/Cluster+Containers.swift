// SPDX-License-Identifier: MIT
//
// Containers: an array or a table that grows by a factor is tied to the call sites that fill it. Alone it shows a step
// now and then, of which nobody can say whether the next one comes; beside what it holds that is no question.

import GenmarkModel

extension Cluster {
  /// Calls between where a container grows and where what it holds is allocated, on either side.
  private static let reach = 2

  /// A container is at least this far from empty to full: a factor of 2 or a little more, of what was asked for and of
  /// what is in it.
  private static let slack = 3.2

  /// Puts containers that stand alone into the finding that fills them, and marks those that are in it already.
  static func tied(_ clusters: [Cluster], _ window: Window) -> [Cluster] {
    var clusters = clusters
    let containers = clusters.indices.filter { clusters[$0].isContainer }
    var moved: Set<Int> = []
    if !containers.isEmpty {
      let fillers = clusters.indices.filter { clusters[$0].leading.verdict.isGrowth && !clusters[$0].isContainer }
      for container in containers {
        let held = clusters[container].series
        let home = fillers.first {
          clusters[container].chain.isNear(clusters[$0].chain, within: reach)
            && holds(held, clusters[$0].growing, window)
        }
        guard let home else { continue }
        clusters[home].members += clusters[container].members.map(\.asContainer)
        moved.insert(container)
      }
    }
    for index in clusters.indices where clusters[index].leading.verdict.isGrowth && !clusters[index].isContainer {
      var growing: GrowthSeries?
      for member in clusters[index].members.indices {
        let site = clusters[index].members[member]
        guard site.mayBeContainer, !site.isContainer else { continue }
        if growing == nil { growing = clusters[index].growing }
        if let growing, holds(site.series, growing, window) { clusters[index].members[member] = site.asContainer }
      }
    }
    return clusters.indices.filter { !moved.contains($0) }.map { clusters[$0] }
  }

  /// Nothing but what may be a container.
  private var isContainer: Bool { members.allSatisfy(\.mayBeContainer) }

  private var series: GrowthSeries { Cluster.sum(members) }

  /// Of the members that grow and are no containers.
  private var growing: GrowthSeries { Cluster.sum(members.filter { $0.verdict.isGrowth && !$0.mayBeContainer }) }

  private static func sum(_ members: [Member]) -> GrowthSeries {
    guard var sum = members.first?.series else { return GrowthSeries(cycles: 0) }
    for member in members.dropFirst() { sum += member.series }
    return sum
  }

  /// Whether one is as large as the container of the other has to be, all the time while that became much more.
  private static func holds(_ container: GrowthSeries, _ filler: GrowthSeries, _ window: Window) -> Bool {
    guard filler.live.count == container.live.count else { return false }
    var ratios: [Double] = []
    var counts: [Int64] = []
    var sizes: [Int64] = []
    for cycle in max(0, window.judged.lowerBound - 1)..<window.judged.upperBound {
      let count = filler.live[cycle].blocks.count
      let bytes = container.live[cycle].bytes.count
      guard count > 0, bytes > 0 else { continue }
      ratios.append(Double(bytes) / Double(count))
      counts.append(count)
      sizes.append(bytes)
    }
    guard ratios.count > TooFewCyclesRule.least, let low = ratios.min(), let high = ratios.max(),
      let first = counts.first, let last = counts.last, let smallest = sizes.min(), let largest = sizes.max()
    else { return false }
    // A block that only stays as it is keeps to such a ratio too, as long as what is allocated beside it grows little.
    return high <= slack * low && last >= 4 * first && 2 * largest >= 5 * smallest
  }
}

extension Cluster.Member {
  /// Not where every cycle makes it longer: that is growth of its own, with a rate of its own.
  var mayBeContainer: Bool { site.lengthens && site.judgement.verdict != .leak }

  fileprivate var asContainer: Cluster.Member {
    var member = self
    member.isContainer = true
    member.verdict = .stepwise
    return member
  }
}
