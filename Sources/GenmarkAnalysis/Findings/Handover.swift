// SPDX-License-Identifier: MIT
//
// Handover: a call site that grows while others of the same function lose as much. A window of values that was filled
// at the start by one way and goes on by another looks like a leak of the second; the function as a whole is level.

import GenmarkModel

struct Handover {
  private let survival: Survival
  private let window: Window
  private let namer: SiteNamer
  /// Call sites of which less is alive after the judged cycles than before.
  private let draining: [CallTree.NodeID]
  private let places: InnermostPlaces

  /// So many are named; of more, only those with a frame at the place of a headline, since naming takes time.
  private static let fewEnough = 500

  init(_ draining: [CallTree.NodeID], survival: Survival, window: Window, recording: Recording, namer: SiteNamer) {
    self.survival = survival
    self.window = window
    self.namer = namer
    self.draining = draining
    places = InnermostPlaces(recording, of: draining.count > Handover.fewEnough ? draining : [])
  }

  /// Takes growth that only takes over from other call sites for turnover. Sites must be named.
  func judge(_ sites: inout [JudgedSite]) {
    guard !draining.isEmpty else { return }
    var groups: [FrameKey: [Int]] = [:]
    for (index, site) in sites.enumerated() where site.judgement.verdict.isGrowth {
      if let key = site.chain.functions.first { groups[key, default: []].append(index) }
    }
    for (key, others) in losing(beside: groups, sites) {
      guard let members = groups[key] else { continue }
      let losing = series(others)
      var rest: [Int] = []
      for index in members {
        if isLevel(series(sites[index].callSites), losing, sites[index].judgement) {
          sites[index].judgement = turnover(sites[index].judgement)
        } else {
          rest.append(index)
        }
      }
      guard rest.count > 1, rest.count == members.count, let first = rest.first else { continue }
      if isLevel(series(rest.flatMap { sites[$0].callSites }), losing, sites[first].judgement) {
        for index in rest { sites[index].judgement = turnover(sites[index].judgement) }
      }
    }
  }

  /// Draining call sites by headline function, for those functions that also grow.
  private func losing(beside groups: [FrameKey: [Int]], _ sites: [JudgedSite]) -> [FrameKey: [CallTree.NodeID]] {
    var asked = Set(draining)
    if draining.count > Handover.fewEnough {
      asked = []
      for site in groups.values.lazy.flatMap({ $0 }).map({ sites[$0] }) {
        guard let callSite = site.callSites.first else { continue }
        if let place = places.place(at: site.headlineDepth, of: callSite) {
          asked.formUnion(places.callSites(with: place))
        }
      }
    }
    var found: [FrameKey: [CallTree.NodeID]] = [:]
    for callSite in asked {
      guard let key = namer.name(callSite).chain.functions.first, groups[key] != nil else { continue }
      found[key, default: []].append(callSite)
    }
    return found
  }

  private func series(_ callSites: some Sequence<CallTree.NodeID>) -> GrowthSeries {
    GrowthSeries(of: callSites, in: survival, cycles: window.cycles)
  }

  /// Both together hardly move while the one grows, in blocks and in bytes.
  private func isLevel(_ growing: GrowthSeries, _ losing: GrowthSeries, _ judgement: Judgement) -> Bool {
    let first = max(0, window.judged.lowerBound + judgement.range.lowerBound - 1)
    let cycles = first..<window.judged.upperBound
    func isLevel(_ amount: (Amount) -> Int64) -> Bool {
      let alone = cycles.map { amount(growing.live[$0]) }
      let together = cycles.map { amount(growing.live[$0]) + amount(losing.live[$0]) }
      guard let start = alone.first, let end = alone.last, end > start, let low = together.min(),
        let high = together.max(), let from = together.first, let to = together.last
      else { return false }
      let growth = end - start
      return 10 * abs(to - from) <= growth && 3 * (high - low) <= growth
    }
    return isLevel { $0.blocks.count } && isLevel { $0.bytes.count }
  }

  private func turnover(_ judgement: Judgement) -> Judgement {
    var judgement = judgement
    judgement.verdict = .turnover
    judgement.certainty = .high
    judgement.why = "As much of the same function that was allocated by another way goes: together they are level."
    judgement.period = nil
    judgement.fromCycle = nil
    return judgement
  }
}
