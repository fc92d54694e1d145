// SPDX-License-Identifier: MIT
//
// Levels: growth that no single call stack shows: a recursive parser or a dispatcher that leaks by another stack nearly
// every time. The call sites that can not be judged alone are put into the inverted tree (the function to look at,
// its callers below it), and each level is judged from the longest chains up to the function alone. The first, that is
// the most specific, level at which growth is steady is the finding.

import GenmarkModel

/// Call sites that grow together at one level.
struct LevelFinding {
  /// What their chains have in common.
  var chain: CallerChain
  var judgement: Judgement
  /// Those that have a part in the growth, with their shares of the rate.
  var members: [(site: JudgedSite, rate: Rate)]
}

struct Levels {
  let survival: Survival
  let window: Window
  let recording: Recording
  let namer: SiteNamer
  /// Call sites that left nothing, and so were not judged.
  let others: InnermostPlaces

  /// A level in the making: what is left of it and below it.
  private struct Level {
    /// Functions of the chain that its members have in common.
    var depth: Int
    var members: [Int]
    var series: GrowthSeries
    /// Call sites whose chains end here, and levels below with something left.
    var sources: Int
  }

  /// Judges the levels. What belongs to no finding comes back as it was, and is named only where it had to be.
  ///
  /// Growth in every cycle is looked for first, with all call sites: one that comes every few cycles may be a part of
  /// it. Growth in steps is then looked for without those that are settled alone.
  func judge(_ sites: [JudgedSite]) -> (findings: [LevelFinding], rest: [JudgedSite]) {
    var findings: [LevelFinding] = []
    var rest: [JudgedSite] = []
    for group in HeadlineGroups(recording: recording, namer: namer).groups(of: sites) {
      if !mayGrow(group) {
        rest += group
        continue
      }
      var named = group
      for index in named.indices {
        namer.name(&named[index])
        named[index].recognise()
      }
      rest += named.filter { $0.known != nil }
      named.removeAll { $0.known != nil }
      let every = judge(named) { $0.verdict == .leak }
      let steps = judge(every.rest.filter { !$0.isSettled }) {
        $0.verdict == .leak || ($0.verdict == .stepwise && $0.certainty >= .high)
      }
      findings += every.findings + steps.findings
      rest += every.rest.filter(\.isSettled) + steps.rest
    }
    return (findings, rest)
  }

  /// Without names: at least two call sites that together grow in each of the newest cycles, as they do at every level if
  /// they do at one; or that grow in steps as a whole.
  private func mayGrow(_ group: [JudgedSite]) -> Bool {
    guard group.count >= 2 else { return false }
    let evidence = Evidence(
      GrowthSeries(of: group.lazy.flatMap(\.callSites), in: survival, cycles: window.cycles), window)
    let newest = evidence.retained.suffix(max(TooFewCyclesRule.least, (evidence.count + 4) / 5))
    if newest.allSatisfy({ $0 > 0 }) { return true }
    return VerdictRules.judge(evidence).verdict.isGrowth
  }

  /// Walks the tree bottom up, without making it: of chains in order, neighbours share the longest beginnings, and a level
  /// is complete when the next chain shares less than its depth.
  private func judge(
    _ sites: [JudgedSite], accepting isSteady: (Judgement) -> Bool
  ) -> (findings: [LevelFinding], rest: [JudgedSite]) {
    guard sites.count >= 2 else { return ([], sites) }
    let chains = interned(sites)
    let order = sites.indices.sorted { chains[$0].lexicographicallyPrecedes(chains[$1]) }
    var findings: [LevelFinding] = []
    var taken = [Bool](repeating: false, count: sites.count)
    var open: [Level] = []

    func close(downTo depth: Int) {
      while let level = open.last, level.depth > depth {
        open.removeLast()
        if level.sources >= 2, let finding = judge(level, sites, isSteady) {
          for member in level.members { taken[member] = true }
          findings.append(finding)
          continue
        }
        let above = max(depth, open.last?.depth ?? 0)
        if let last = open.last, last.depth == above {
          open[open.count - 1].members += level.members
          open[open.count - 1].series += level.series
          open[open.count - 1].sources += 1
        } else if above > 0 {
          open.append(Level(depth: above, members: level.members, series: level.series, sources: 1))
        }
      }
    }

    var start = 0
    while start < order.count {
      let chain = chains[order[start]]
      let end = order[start...].firstIndex { chains[$0] != chain } ?? order.count
      let shared = start == 0 ? 0 : zip(chains[order[start - 1]], chain).prefix { $0 == $1 }.count
      close(downTo: shared)
      let own = Array(order[start..<end])
      open.append(Level(depth: chain.count, members: own, series: series(of: own, sites), sources: own.count))
      start = end
    }
    close(downTo: 0)
    return (findings, sites.indices.filter { !taken[$0] }.map { sites[$0] })
  }

  private func series(of members: [Int], _ sites: [JudgedSite]) -> GrowthSeries {
    GrowthSeries(of: members.lazy.flatMap { sites[$0].callSites }, in: survival, cycles: window.cycles)
  }

  /// Chains as numbers, which are quick to compare.
  private func interned(_ sites: [JudgedSite]) -> [[Int32]] {
    sites.map { site in site.callSites.first.map(namer.numberedChain) ?? [] }
  }

  private func judge(
    _ level: Level, _ sites: [JudgedSite], _ isSteady: (Judgement) -> Bool
  ) -> LevelFinding? {
    guard isSteady(VerdictRules.judge(Evidence(level.series, window))), let first = level.members.first else {
      return nil
    }
    // Call sites of which nothing is left are not among the members, but they tell turnover from growth.
    var whole = level.series
    whole += GrowthSeries(
      of: drained(depth: level.depth, beside: level.members.map { sites[$0] }), in: survival, cycles: window.cycles)
    let evidence = Evidence(whole, window)
    let judgement = VerdictRules.judge(evidence)
    guard isSteady(judgement) else { return nil }
    let members = level.members.compactMap { member -> (site: JudgedSite, rate: Rate)? in
      let own = GrowthSeries(of: sites[member].callSites, in: survival, cycles: window.cycles)
      let rate = Evidence.rate(of: own, evidence.unit, over: judgement.range, in: window)
      return rate == .zero ? nil : (sites[member], rate)
    }
    let common = CallerChain(functions: Array(sites[first].chain.functions.prefix(level.depth)))
    return LevelFinding(chain: common, judgement: judgement, members: members)
  }

  /// Call sites that were alive at some mark and left nothing, by the same function as the members. Only those in which
  /// a member's headline has the same place are named, as naming takes time.
  private func drained(depth: Int, beside members: [JudgedSite]) -> [CallTree.NodeID] {
    guard let first = members.first?.callSites.first else { return [] }
    let common = namer.numberedChain(of: first).prefix(depth)
    var places: Set<InnermostPlaces.Place> = []
    for member in members {
      guard let callSite = member.callSites.first else { continue }
      if let place = others.place(at: member.headlineDepth, of: callSite) { places.insert(place) }
    }
    var found: Set<CallTree.NodeID> = []
    for place in places { found.formUnion(others.callSites(with: place)) }
    return found.sorted().filter { namer.numberedChain(of: $0).starts(with: common) }
  }
}

/// Call sites by the places of their innermost frames.
struct InnermostPlaces {
  struct Place: Hashable {
    var module: Module.ID
    var offset: UInt64
  }
  private let tree: CallTree
  private let placement: Placement
  private var callSites: [Place: [CallTree.NodeID]] = [:]

  /// Frames between the allocator and the headline are few.
  private static let limit = 16

  init(_ recording: Recording, of sites: some Sequence<CallTree.NodeID>) {
    tree = recording.callTree
    placement = Placement(recording.modules)
    for site in sites {
      var node = site
      for _ in 0..<InnermostPlaces.limit where node != 0 && Int(node) < tree.count {
        callSites[place(of: node), default: []].append(site)
        node = caller(of: node)
      }
    }
  }

  var isEmpty: Bool { callSites.isEmpty }

  /// Where the `depth`-th frame of a call site is; nil past its outermost.
  func place(at depth: Int, of callSite: CallTree.NodeID) -> Place? {
    var node = callSite
    for _ in 0..<depth where node != 0 { node = caller(of: node) }
    return node != 0 && Int(node) < tree.count ? place(of: node) : nil
  }

  /// Call sites in whose innermost frames a place occurs.
  func callSites(with place: Place) -> [CallTree.NodeID] { callSites[place] ?? [] }

  private func place(of node: CallTree.NodeID) -> Place {
    let place = placement.place(of: tree.addresses[Int(node)], in: tree.modules[Int(node)])
    return Place(module: place.module, offset: place.offset)
  }

  /// 0 at the outermost frame.
  private func caller(of node: CallTree.NodeID) -> CallTree.NodeID {
    let parent = tree.parents[Int(node)]
    return parent < node ? parent : 0
  }
}
