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
  /// Call sites that were judged alone, and are not to be found as drained ones.
  let judged: Set<CallTree.NodeID>

  /// A node of the inverted tree with what is left to judge below it.
  private struct Node {
    var key: FrameKey?
    var parent: Int
    var depth: Int
    var children = 0
    var members: [Int] = []
    var series: GrowthSeries?
    /// Sources (own call sites and children) that gave something.
    var sources = 0
  }

  /// Judges the levels. What belongs to no finding comes back as it was.
  ///
  /// Growth in every cycle is looked for first, with all call sites: one that comes every few cycles may be a part of
  /// it. Growth in steps is then looked for without those that are settled alone.
  func judge(_ sites: [JudgedSite]) -> (findings: [LevelFinding], rest: [JudgedSite]) {
    var (findings, rest) = judge(sites) { $0.verdict == .leak }
    let settled = rest.filter(\.isSettled)
    let steps = judge(rest.filter { !$0.isSettled }) {
      $0.verdict == .leak || ($0.verdict == .stepwise && $0.certainty >= .high)
    }
    findings += steps.findings
    rest = settled + steps.rest
    return (findings, rest)
  }

  private func judge(
    _ sites: [JudgedSite], accepting isSteady: (Judgement) -> Bool
  ) -> (findings: [LevelFinding], rest: [JudgedSite]) {
    guard sites.count >= 2 else { return ([], sites) }
    var nodes = tree(of: sites)
    var findings: [LevelFinding] = []
    var taken = [Bool](repeating: false, count: sites.count)
    // Children have higher indices than their parents, so from the end on every level comes before the one above.
    for index in stride(from: nodes.count - 1, to: 0, by: -1) {
      guard let series = nodes[index].series, !nodes[index].members.isEmpty else { continue }
      if nodes[index].sources >= 2, let finding = judge(nodes, index, series, sites, isSteady) {
        for member in nodes[index].members { taken[member] = true }
        findings.append(finding)
        continue
      }
      let parent = nodes[index].parent
      if parent == 0 { continue }
      nodes[parent].members += nodes[index].members
      nodes[parent].sources += 1
      if nodes[parent].series != nil { nodes[parent].series? += series } else { nodes[parent].series = series }
      nodes[index].members = []
      nodes[index].series = nil
    }
    return (findings, sites.indices.filter { !taken[$0] }.map { sites[$0] })
  }

  private func tree(of sites: [JudgedSite]) -> [Node] {
    struct Edge: Hashable {
      var parent: Int
      var key: FrameKey
    }
    var nodes = [Node(key: nil, parent: 0, depth: 0)]
    var edges: [Edge: Int] = [:]
    for (member, site) in sites.enumerated() {
      var node = 0
      for key in site.chain.functions {
        let edge = Edge(parent: node, key: key)
        if let known = edges[edge] {
          node = known
        } else {
          edges[edge] = nodes.count
          nodes.append(Node(key: key, parent: node, depth: nodes[node].depth + 1))
          node = nodes.count - 1
        }
      }
      let series = GrowthSeries(of: site.callSites, in: survival, cycles: window.cycles)
      nodes[node].members.append(member)
      nodes[node].sources += 1
      if nodes[node].series != nil { nodes[node].series? += series } else { nodes[node].series = series }
    }
    return nodes
  }

  private func judge(
    _ nodes: [Node], _ index: Int, _ series: GrowthSeries, _ sites: [JudgedSite], _ isSteady: (Judgement) -> Bool
  ) -> LevelFinding? {
    guard isSteady(VerdictRules.judge(Evidence(series, window))) else { return nil }
    var chain: [FrameKey] = []
    var node = index
    while node != 0, let key = nodes[node].key {
      chain.append(key)
      node = nodes[node].parent
    }
    let common = CallerChain(functions: chain.reversed())
    // Call sites of which nothing is left are not among the members, but they tell turnover from growth.
    var whole = series
    whole += GrowthSeries(
      of: drained(below: common, beside: nodes[index].members.map { sites[$0] }), in: survival, cycles: window.cycles)
    let evidence = Evidence(whole, window)
    let judgement = VerdictRules.judge(evidence)
    guard isSteady(judgement) else { return nil }
    let members = nodes[index].members.compactMap { member -> (site: JudgedSite, rate: Rate)? in
      let own = GrowthSeries(of: sites[member].callSites, in: survival, cycles: window.cycles)
      let rate = Evidence.rate(of: own, evidence.unit, over: judgement.range, in: window)
      return rate == .zero ? nil : (sites[member], rate)
    }
    return LevelFinding(chain: common, judgement: judgement, members: members)
  }

  /// Call sites that were alive at some mark and left nothing, with the same innermost frames down to the headline's
  /// place. Only those in which the headline's own return address occurs are named, as naming takes time.
  private func drained(below chain: CallerChain, beside members: [JudgedSite]) -> [CallTree.NodeID] {
    struct Place: Hashable {
      var path: String
      var offset: UInt64
    }
    var places: Set<Place> = []
    for member in members where member.headline < member.frames.count {
      let frame = member.frames[member.headline]
      if let offset = frame.offset { places.insert(Place(path: frame.module ?? "", offset: offset)) }
    }
    let tree = recording.callTree
    return survival.callSites.filter { site in
      if judged.contains(site) || Int(site) >= tree.count { return false }
      var node = site
      for _ in 0..<32 where node != 0 {
        let module = Int(tree.modules[Int(node)])
        if module > 0, module <= recording.modules.count {
          let found = recording.modules[module - 1]
          let offset = tree.addresses[Int(node)] &- 1 &- found.bias
          if places.contains(Place(path: found.path, offset: offset)) {
            return namer.name(site).chain.functions.starts(with: chain.functions)
          }
        }
        let parent = tree.parents[Int(node)]
        if parent >= node { break }
        node = parent
      }
      return false
    }
  }
}
