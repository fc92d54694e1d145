// SPDX-License-Identifier: MIT
//
// Growth: from a recording to judged findings. The steps are in the neighbours: Cycles and Window say what is judged,
// GrowthSeries counts, Verdicts/ judges each call site alone, Levels those together that can not be judged alone, Cluster
// makes findings. Functions are named last and only where it matters.

import GenmarkModel

/// Finds what grows in a recording.
public enum Growth {
  /// Fewer than three judged cycles, or losses, are no error: `GrowthReport.inconclusive` says so.
  /// - Throws: `noMarks`, `unknownLabel`.
  public static func report(
    of recording: Recording, frames: FrameSource, options: GrowthOptions = GrowthOptions()
  ) throws(AnalysisError) -> GrowthReport {
    let cycles = try Cycles(recording, options: options)
    let survival = Survival(recording)
    let window = Window(cycles, survival: survival, options: options)
    let namer = SiteNamer(frames: frames, tree: recording.callTree, program: recording.mainModule?.path)

    let (sites, draining) = judge(recording, survival, window)
    var settled = sites.filter { $0.judgement.verdict == .leak }
    var open = sites.filter { site in
      site.judgement.verdict != .leak && (site.keepsNewest || ![.none, .warmUp].contains(site.judgement.verdict))
    }
    let others = options.all ? sites.filter { !$0.keepsNewest && [.none, .warmUp].contains($0.judgement.verdict) } : []

    var levels: [LevelFinding] = []
    if window.judged.count >= TooFewCyclesRule.least, open.count >= 2 {
      let judged = Set(sites.lazy.flatMap(\.callSites))
      let judge = Levels(
        survival: survival, window: window, recording: recording, namer: namer,
        others: InnermostPlaces(recording, of: survival.callSites.lazy.filter { !judged.contains($0) }))
      (levels, open) = judge.judge(open)
    }
    settled += open.filter { $0.known != nil || $0.judgement.verdict.isReported || $0.lengthens }
    if options.all {
      let rest = open.filter { $0.known == nil && !$0.judgement.verdict.isReported && !$0.lengthens }
      settled += largest(options.mostOthers, of: rest + others, survival)
    }
    for index in settled.indices {
      namer.name(&settled[index])
      settled[index].recognise()
    }
    Handover(draining, survival: survival, window: window, recording: recording, namer: namer).judge(&settled)
    let clusters = Cluster.make(settled, levels, survival: survival, window: window)
    let program = recording.mainModule?.path
    var named = fingerprinted(clusters.map { $0.finding(window: window, program: program) }, clusters)
    if !options.all { named.removeAll { !$0.isReported } }

    let losses = recording.losses.filter { $0.count > 0 && $0.touchesCounts }
    var report = GrowthReport(
      cycles: window.summary, process: ProcessGrowth(of: recording, window: window), findings: ordered(named),
      losses: losses, inconclusive: doubts(recording, window, losses))
    report.isEmpty = !recording.cells.contains { $0.born != .zero }
    return report
  }

  // MARK: Steps

  /// Findings that differ only in what stable chains leave out, such as overloads, are told apart by all of it.
  private static func fingerprinted(_ findings: [Finding], _ clusters: [Cluster]) -> [Finding] {
    var findings = findings
    for same in Dictionary(grouping: findings.indices, by: { findings[$0].fingerprint }).values where same.count > 1 {
      for index in same { findings[index].fingerprint = Fingerprint.text(of: clusters[index].chain) }
    }
    return findings
  }

  /// Those with most bytes alive at the end; all when they are no more.
  private static func largest(_ most: Int, of sites: [JudgedSite], _ survival: Survival) -> [JudgedSite] {
    if sites.count <= most { return sites }
    let live = sites.map { site in site.callSites.reduce(0) { $0 + survival.live(of: $1, at: .end).bytes.count } }
    let order = sites.indices.sorted { (live[$0], $1) > (live[$1], $0) }
    return order.prefix(most).sorted().map { sites[$0] }
  }

  /// Judges each call site that kept something born after warm-up, or whose bytes rose. Those that lost some as well
  /// come back beside them.
  private static func judge(
    _ recording: Recording, _ survival: Survival, _ window: Window
  ) -> (sites: [JudgedSite], draining: [CallTree.NodeID]) {
    var sites: [JudgedSite] = []
    var draining: [CallTree.NodeID] = []
    for group in StableSites(recording).groups(of: survival.callSites) {
      let (keeps, rise) = summary(group, survival, window)
      if rise < 0 { draining += group }
      // With nothing to judge, everything that is alive may grow.
      guard window.judged.isEmpty || keeps || rise >= Evidence.gateBytes else { continue }
      let series = GrowthSeries(of: group, in: survival, cycles: window.cycles)
      let evidence = Evidence(series, window)
      sites.append(
        JudgedSite(
          callSites: group, judgement: VerdictRules.judge(evidence),
          lengthens: evidence.unit == .bytes && evidence.net.bytes.count >= Evidence.gateBytes,
          keepsNewest: series.survivors[window.judged.upperBound...].contains { $0.blocks > .zero }))
    }
    return (sites, draining)
  }

  /// Without making a series, as most call sites leave nothing: whether something born after the warm-up is alive, and
  /// how many bytes more than before the judged cycles.
  private static func summary(
    _ group: [CallTree.NodeID], _ survival: Survival, _ window: Window
  ) -> (keeps: Bool, rise: Int64) {
    guard let lastMark = window.cycles.marks.last, !window.judged.isEmpty else { return (false, 0) }
    let endMark = window.cycles.marks[window.judged.upperBound - 1]
    let startMark = window.judged.lowerBound > 0 ? window.cycles.marks[window.judged.lowerBound - 1] : -1
    var keeps = false
    var rise: Int64 = 0
    for callSite in group {
      survival.forEachRow(of: callSite) { generation, steps, _ in
        let born = window.cycles.cycleOfBirth[generation]
        var start = Amount.zero
        var end = Amount.zero
        var last = Amount.zero
        for step in steps {
          if step.mark <= startMark { start = step.live }
          if step.mark <= endMark { end = step.live }
          if step.mark <= lastMark { last = step.live }
        }
        if last.blocks > .zero, born >= window.judged.lowerBound { keeps = true }
        rise += end.bytes.count - start.bytes.count
      }
    }
    return (keeps, rise)
  }

  private static func ordered(_ findings: [Finding]) -> [Finding] {
    func rank(_ finding: Finding) -> Int {
      finding.verdict.isGrowth ? 0 : finding.verdict == .inconclusive ? 1 : 2
    }
    return findings.sorted { a, b in
      if rank(a) != rank(b) { return rank(a) < rank(b) }
      if a.bytesPerCycle != b.bytesPerCycle { return a.bytesPerCycle > b.bytesPerCycle }
      if a.blocksPerCycle != b.blocksPerCycle { return a.blocksPerCycle > b.blocksPerCycle }
      return a.fingerprint < b.fingerprint
    }
  }

  /// Why the recording as a whole can not pass.
  private static func doubts(_ recording: Recording, _ window: Window, _ losses: [Loss]) -> [String] {
    var doubts: [String] = []
    if window.judged.count < TooFewCyclesRule.least {
      let summary = window.summary
      doubts.append(
        "Only \(counted(summary.judged, "cycle")) of \(summary.marked) can be judged (\(summary.warmUp) warm-up, "
          + "\(summary.settling) settling), and \(TooFewCyclesRule.least) are needed.")
    }
    for loss in losses {
      doubts.append("The recording lost something that counts depend on: \(loss.count) \(loss.kind.rawValue).")
    }
    if recording.process.stoppedEarly { doubts.append("Recording stopped before the program did.") }
    if window.cycles.marks.contains(where: { recording.marks[$0].changesLost }) {
      doubts.append("What was alive at some of the marks could not be kept.")
    }
    return doubts
  }
}

extension Loss {
  /// Counts of blocks or cycles may be wrong. Stacks that were cut or broken off are still counted, under the frames
  /// that are known.
  var touchesCounts: Bool {
    switch kind {
    case .blocksMemory, .blocksReentrant, .stacksMerged, .history, .marks, .labels, .other: true
    case .stacksCut, .stacksBroken, .modules, .verify: false
    }
  }
}
