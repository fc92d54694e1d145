// SPDX-License-Identifier: MIT
//
// Cluster: puts judged call sites together into findings. One finding is what has one caller chain from the headline
// outwards (several allocations of one function, also through libraries), and what is allocated a few calls below
// it and grows in proportion (an object and what its initialiser makes). Containers are tied to what fills them in
// Cluster+Containers.

import GenmarkModel

struct Cluster {
  var chain: CallerChain
  var members: [Member]

  struct Member {
    var site: JudgedSite
    var rate: Rate
    var verdict: Verdict
    var series: GrowthSeries
    /// It holds what the others allocate, and so grows with them, but not in every cycle.
    var isContainer = false
  }

  /// Judgement of the member that grows most.
  var leading: Judgement

  /// Functions between two headlines that may grow as one: an object, its initialiser, what that calls, a helper.
  private static let reach = 4

  // MARK: Making

  /// Clusters from call sites judged alone and from levels.
  static func make(
    _ sites: [JudgedSite], _ levels: [LevelFinding], survival: Survival, window: Window
  ) -> [Cluster] {
    var clusters: [Cluster] = []
    var index: [CallerChain: Int] = [:]
    func series(_ site: JudgedSite) -> GrowthSeries {
      GrowthSeries(of: site.callSites, in: survival, cycles: window.cycles)
    }
    func add(_ member: Member, _ chain: CallerChain, _ judgement: Judgement) {
      if let known = index[chain] {
        clusters[known].members.append(member)
        clusters[known].leading = stronger(clusters[known].leading, judgement)
      } else {
        index[chain] = clusters.count
        clusters.append(Cluster(chain: chain, members: [member], leading: judgement))
      }
    }
    for site in sites {
      let verdict = site.judgement.verdict
      add(
        Member(site: site, rate: site.judgement.rate, verdict: verdict, series: series(site)), site.chain,
        site.judgement)
    }
    for level in levels {
      for member in level.members {
        add(
          Member(site: member.site, rate: member.rate, verdict: level.judgement.verdict, series: series(member.site)),
          level.chain, level.judgement)
      }
    }
    return tied(joined(clusters, window), window)
  }

  /// The verdict that counts for a whole: growth before what is not known before the rest, then the larger.
  private static func stronger(_ a: Judgement, _ b: Judgement) -> Judgement {
    func rank(_ judgement: Judgement) -> (Int, Certainty, Double, Double) {
      let kind =
        switch judgement.verdict {
        case .leak: 3
        case .stepwise: 2
        case .inconclusive: 1
        default: 0
        }
      return (kind, judgement.certainty, judgement.rate.bytes, judgement.rate.blocks)
    }
    return rank(b) > rank(a) ? b : a
  }

  /// Joins clusters that grow in proportion, one allocated a call or two below the other.
  private static func joined(_ clusters: [Cluster], _ window: Window) -> [Cluster] {
    // From the outermost headline inwards, so that a whole line of them ends in the first.
    var result: [Cluster] = []
    var byChain: [CallerChain: Int] = [:]
    for cluster in clusters.sorted(by: { $0.chain.functions.count < $1.chain.functions.count }) {
      var home: Int?
      if cluster.leading.verdict.isGrowth {
        for steps in 1...reach where cluster.chain.functions.count > steps + 1 {
          let above = CallerChain(functions: Array(cluster.chain.functions.dropFirst(steps)))
          if let found = byChain[above], result[found].isProportional(to: cluster, window) { home = found }
          if home != nil { break }
        }
      }
      if let home {
        result[home].members += cluster.members
        byChain[cluster.chain] = home
      } else {
        byChain[cluster.chain] = result.count
        result.append(cluster)
      }
    }
    return result
  }

  private func isProportional(to other: Cluster, _ window: Window) -> Bool {
    guard leading.verdict.isGrowth else { return false }
    let a = kept(window)
    let b = other.kept(window)
    let (sumA, sumB) = (a.reduce(0, +), b.reduce(0, +))
    guard sumA > 0, sumB > 0 else { return false }
    return zip(a, b).allSatisfy { $0.multipliedReportingOverflow(by: sumB) == $1.multipliedReportingOverflow(by: sumA) }
  }

  private func kept(_ window: Window) -> [Int64] {
    window.judged.map { cycle in
      members.reduce(0) {
        $0 + ($1.verdict.isGrowth && !$1.mayBeContainer ? $1.series.survivors[cycle].blocks.count : 0)
      }
    }
  }
}

extension Cluster {
  /// The finding that people see.
  /// - Parameter program: path of the program's own module; nil when not known.
  func finding(window: Window, program: String?) -> Finding {
    let counted = members.filter { leading.verdict.isGrowth ? $0.verdict.isGrowth && !$0.isContainer : true }
    let sites = members.map { member in
      JudgedCallSite(
        callSites: member.site.callSites, frames: member.site.frames,
        live: member.series.live.last ?? .zero, verdict: member.verdict,
        blocksPerCycle: member.rate.blocks, bytesPerCycle: member.rate.bytes,
        survivors: member.series.survivors.map(\.blocks), isContainer: member.isContainer)
    }.sorted { a, b in
      (a.bytesPerCycle, a.blocksPerCycle, b.callSites.first ?? 0)
        > (b.bytesPerCycle, b.blocksPerCycle, a.callSites.first ?? 0)
    }
    var live = [Amount](repeating: .zero, count: window.cycles.count)
    for member in members { for cycle in live.indices { live[cycle] += member.series.live[cycle] } }
    let stable = chain.stable(program: program)
    var finding = Finding(
      fingerprint: Fingerprint.text(of: stable), verdict: leading.verdict, certainty: leading.certainty,
      blocksPerCycle: counted.reduce(0) { $0 + $1.rate.blocks },
      bytesPerCycle: counted.reduce(0) { $0 + $1.rate.bytes },
      live: sites.reduce(.zero) { $0 + $1.live }, headline: headline, callSites: sites, why: why,
      furtherCycles: leading.furtherCycles, period: leading.period, fromCycle: leading.fromCycle,
      known: members.first?.site.known?.text, liveByCycle: live)
    finding.chain = stable
    return finding
  }

  private var why: String {
    let held = members.filter(\.isContainer).reduce(Bytes.zero) { $0 + ($1.series.live.last ?? .zero).bytes }
    return held == .zero
      ? leading.why : leading.why + " The container that holds it, now \(held.count) bytes, grows with it."
  }

  /// The frame of the chain's first function, from any member.
  private var headline: Frame? {
    for member in members {
      let frames = member.site.frames
      if let found = frames.dropFirst(member.site.headline).first(where: { FrameKey($0) == chain.functions.first }) {
        return found
      }
    }
    return members.first?.site.frames.first
  }
}
