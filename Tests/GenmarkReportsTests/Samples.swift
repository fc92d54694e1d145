// SPDX-License-Identifier: MIT
//
// Samples: reports made by hand, so that the writers are tested without the analysis. Names are hostile on purpose.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports

enum Sample {
  static let recording = Recording(
    file: "app.genmark",
    process: RecordedProcess(
      program: "/opt/app", pid: 42, duration: Nanoseconds(2_100_000_000), end: .exit(status: 0)),
    marks: [
      Mark(
        generation: 1, label: 0, ordinal: 1, time: Nanoseconds(500_000_000), born: Amount(blocks: 10, bytes: 1000),
        live: Amount(blocks: 4, bytes: 400), residentBytes: Bytes(4_194_304), threads: 1)
    ],
    labels: [Label("pop\u{1b}[2J")], losses: [Loss(kind: .stacksCut, count: 3), Loss(kind: .marks, count: 0)])

  static let trace = TraceSummary(recording)

  static let allocator = Frame(function: "malloc", module: "/lib/libc.so.6", offset: 16, folded: true)
  static let screen = Frame(
    function: "Screen<A|B>::init(\"x\")", linkageName: "_Z1", module: "/opt/app", offset: 4660, file: "/src/Screen.cc",
    line: 12)
  static let main = Frame(function: "main", module: "/opt/app", offset: 32, file: "/src/main.cc", line: 3)
  static let unknown = Frame(module: "/opt/lib x.so", offset: 255)

  static let leak = Finding(
    fingerprint: "0123456789abcdef", verdict: .leak, certainty: .certain, blocksPerCycle: 1, bytesPerCycle: 96,
    live: Amount(blocks: 20, bytes: 1920), headline: screen,
    callSites: [
      JudgedCallSite(
        frames: [allocator, screen, main], live: Amount(blocks: 20, bytes: 1920), verdict: .leak, blocksPerCycle: 1,
        bytesPerCycle: 96, survivors: [Blocks(0), Blocks(0), Blocks(1), Blocks(1), Blocks(1)])
    ], why: "every judged cycle keeps 1 block", period: 1, fromCycle: 3,
    liveByCycle: [0, 96, 192, 288].map { Amount(blocks: $0 / 96, bytes: $0) })

  static let cache = Finding(
    fingerprint: "fedcba9876543210", verdict: .saturating, certainty: .high, blocksPerCycle: 0.25, bytesPerCycle: 8,
    live: Amount(blocks: 5, bytes: 160), headline: unknown,
    callSites: [
      JudgedCallSite(
        frames: [unknown], live: Amount(blocks: 5, bytes: 160), verdict: .saturating, blocksPerCycle: 0.25,
        bytesPerCycle: 8)
    ])

  static let growth = GrowthReport(
    cycles: CycleSummary(
      label: "pop", marked: 23, warmUp: 2, settling: 1, judged: 20, warmUpReason: "first use ends after cycle 2"),
    process: ProcessGrowth(heapBytesPerCycle: 96, rssBytesPerCycle: 4096, verdict: .heapGrows),
    findings: [leak, cache], losses: [Loss(kind: .stacksCut, count: 3)])

  static let check = CheckReport(
    growth: growth, outcome: .fail,
    exceeded: [
      .init(fingerprint: leak.fingerprint, limit: "max-growth 0B", value: 96),
      .init(fingerprint: nil, limit: "max-total 0B", value: 96),
    ],
    excused: [.init(fingerprint: cache.fingerprint, reason: "bounded <cache>", pattern: "leak:cache*")],
    unused: ["leak:gone"], reasons: [])

  static let generations = GenerationsReport(
    generations: recording.generations().enumerated().map { index, generation in
      GenerationRow(
        generation: generation, openedBy: index == 0 ? nil : "pop\u{1b}[2J",
        closedBy: index == 0 ? "pop\u{1b}[2J" : nil,
        callSites: [
          GenerationCallSite(
            frames: [allocator, screen, main], headline: screen, persistent: Amount(blocks: 1, bytes: 96))
        ])
    })

  static let diff = DiffReport(
    from: MarkPoint(position: 0, kind: .start),
    to: MarkPoint(position: 1, kind: .mark(generation: 1, label: "pop", ordinal: 1)),
    aliveAt: MarkPoint(position: 2, kind: .end), born: Amount(blocks: 3, bytes: 300),
    freed: Amount(blocks: 1, bytes: 50),
    rows: [
      DiffRow(
        frames: [allocator, screen, main], headline: screen, born: Amount(blocks: 3, bytes: 300),
        freed: Amount(blocks: 1, bytes: 50))
    ], rowCount: 7)

  static let tree = DiffReport(
    from: diff.from, to: diff.to, aliveAt: diff.to, born: diff.born, freed: diff.freed, rowCount: 1, grouping: .tree,
    tree: [
      DiffNode(
        frame: screen, born: Amount(blocks: 3, bytes: 300), freed: .zero,
        children: [DiffNode(frame: main, born: Amount(blocks: 3, bytes: 300), freed: .zero)])
    ])

  static let comparison = ComparisonReport(
    old: growth, new: growth,
    rows: [
      ComparisonRow(fingerprint: leak.fingerprint, old: nil, new: leak, change: .appeared),
      ComparisonRow(fingerprint: cache.fingerprint, old: cache, new: nil, change: .gone),
    ])
}
