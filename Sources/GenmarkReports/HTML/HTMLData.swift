// SPDX-License-Identifier: MIT
//
// HTMLData: what the HTML report shows, as JSON for page.js. Names and frames stand once in tables; call sites form one
// tree, so that a hundred thousand of them stay a few megabytes. The page around it is in HTMLReport.swift.

import GenmarkAnalysis
import GenmarkModel

/// Gathers the tables of one report.
struct HTMLData {
  private struct FrameKey: Hashable {
    var name: String
    var file: String?
    var line: Int?
    var isFolded: Bool
  }
  private struct NodeKey: Hashable {
    var parent: Int
    var frame: Int
  }
  private struct LeafKey: Hashable {
    var node: Int
    var generation: Int
  }

  /// More rows and columns of a survival matrix than can be told apart.
  private static let matrixSize = 60
  /// Findings with a matrix; the page stays small.
  private static let findingsWithMatrix = 50
  private static let mostFindings = 500
  private static let mostCallSites = 20

  private var strings: [String] = []
  private var stringIndex: [String: Int] = [:]
  private var frames: [Int64] = []
  private var frameIndex: [FrameKey: Int] = [:]
  /// Parent and frame of each node; node 0 is the whole.
  private var nodes: [Int64] = [0, -1]
  private var nodeIndex: [NodeKey: Int] = [:]

  /// - Parameter growth: nil where there are no marks to judge by; `noGrowth` then says so.
  mutating func document(
    _ recording: Recording, _ trace: TraceSummary, source: any FrameSource, generations: GenerationsReport,
    growth: GrowthReport?, noGrowth: String
  ) -> JSONValue {
    let alive = leaves(recording, source)
    let shown = growth.map { findings($0, recording) } ?? []
    let outcome = growth.map {
      $0.findings.contains { $0.verdict.isGrowth } ? "bad" : $0.inconclusive.isEmpty ? "good" : "doubt"
    }
    return .object([
      ("title", .string(trace.plainTitle)), ("verdict", .string(growth?.headline(.plain) ?? noGrowth)),
      ("outcome", .string(outcome ?? "doubt")),
      ("noFindings", .string(growth == nil ? noGrowth : "No call site grows.")),
      (
        "warnings",
        .array((trace.losses.map { "loss: " + $0.sentence } + trace.notes).map { .string(Escaping.cut($0)) })
      ),
      ("generations", .array(generations.generations.map(row))), ("findings", .array(shown)),
      ("strings", .array(strings.map(JSONValue.string))), ("frames", .array(frames.map(JSONValue.integer))),
      ("nodes", .array(nodes.map(JSONValue.integer))), ("leaves", .array(alive.map(JSONValue.integer))),
    ])
  }

  // MARK: - Parts

  private func row(_ row: GenerationRow) -> JSONValue {
    let generation = row.generation
    return .object([
      ("number", .unsigned(UInt64(generation.number))),
      ("label", JSONValue(row.closedBy.map { Escaping.cut($0, to: 200) })),
      ("startedAt", JSONValue(generation.startedAt)), ("duration", JSONValue(generation.duration)),
      ("growth", JSONValue(generation.persistent.bytes)), ("persistent", JSONValue(generation.persistent.blocks)),
      ("transient", JSONValue(generation.transient.blocks)), ("live", JSONValue(generation.live.bytes)),
      ("rss", JSONValue(generation.residentBytes)),
    ])
  }

  /// Node, index of the generation of birth, blocks, bytes of everything alive at the end.
  private mutating func leaves(_ recording: Recording, _ source: any FrameSource) -> [Int64] {
    var nodeOfSite: [CallTree.NodeID: Int] = [:]
    var sums: [LeafKey: Amount] = [:]
    for cell in recording.cells where cell.live.blocks > .zero || cell.live.bytes > .zero {
      let node = nodeOfSite[cell.callSite] ?? node(of: source.frames(of: cell.callSite))
      nodeOfSite[cell.callSite] = node
      let key = LeafKey(node: node, generation: recording.generationIndex(ofBirth: cell.birth))
      sums[key, default: .zero] += cell.live.clamped
    }
    return sums.sorted { ($0.key.node, $0.key.generation) < ($1.key.node, $1.key.generation) }.flatMap { key, amount in
      [Int64(key.node), Int64(key.generation), amount.blocks.count, amount.bytes.count]
    }
  }

  private mutating func findings(_ growth: GrowthReport, _ recording: Recording) -> [JSONValue] {
    let survival = Survival(recording)
    return growth.findings.prefix(HTMLData.mostFindings).enumerated().map { index, finding in
      let matrix = index < HTMLData.findingsWithMatrix ? matrix(of: finding, survival, recording) : nil
      return .object([
        ("fingerprint", .string(finding.fingerprint)), ("verdict", .string(finding.verdict.rawValue)),
        ("certainty", .string(finding.certainty.words)), ("grows", .bool(finding.verdict.isGrowth)),
        ("blocksPerCycle", .number(finding.blocksPerCycle)), ("bytesPerCycle", .number(finding.bytesPerCycle)),
        ("headline", .integer(Int64(finding.headline.map { frame($0) } ?? -1))), ("why", .string(finding.why)),
        ("live", .array(finding.liveByCycle.map { JSONValue($0.bytes) })), ("matrix", matrix ?? .null),
        (
          "callSites",
          .array(
            finding.callSites.prefix(HTMLData.mostCallSites).map { site in
              .object([
                ("frames", .array(site.frames.map { .integer(Int64(frame($0))) })),
                ("blocks", JSONValue(site.live.blocks)),
                ("bytes", JSONValue(site.live.bytes)),
              ])
            })
        ),
      ])
    }
  }

  /// Blocks by birth and mark; neighbours are taken together where there are too many.
  private func matrix(of finding: Finding, _ survival: Survival, _ recording: Recording) -> JSONValue? {
    let count = recording.marks.count
    guard count > 1 else { return nil }
    let step = (count + HTMLData.matrixSize - 1) / HTMLData.matrixSize
    let marks = Array(stride(from: step - 1, to: count, by: step))
    let sites = finding.callSites.flatMap(\.callSites)
    let columns = marks.map { survival.survivors(of: sites, at: .mark($0)).map(\.blocks.count) }
    let births = Array(stride(from: 0, to: survival.generationCount, by: step))
    let values = births.map { birth in
      columns.map { column in column[birth..<min(birth + step, column.count)].reduce(0, +) }
    }
    return .object([
      ("marks", .array(marks.map { .unsigned(UInt64(recording.marks[$0].generation)) })),
      ("births", .array(births.map { .unsigned(UInt64(recording.generationNumber(at: $0))) })),
      ("values", .array(values.map { .array($0.map(JSONValue.integer)) })),
    ])
  }

  // MARK: - Tables

  private mutating func node(of stack: [Frame]) -> Int {
    var parent = 0
    for frame in stack.reversed() {
      let key = NodeKey(parent: parent, frame: self.frame(frame))
      if let known = nodeIndex[key] {
        parent = known
        continue
      }
      nodes += [Int64(parent), Int64(key.frame)]
      parent = nodes.count / 2 - 1
      nodeIndex[key] = parent
    }
    return parent
  }

  private mutating func frame(_ frame: Frame) -> Int {
    let name = Escaping.cut(FrameText.plainName(frame), to: 500)
    let key = FrameKey(name: name, file: frame.file, line: frame.line, isFolded: frame.folded)
    if let known = frameIndex[key] { return known }
    let place = frame.file ?? frame.module
    frames += [
      Int64(string(name)), place.map { Int64(string(Escaping.cut($0, to: 500))) } ?? -1, Int64(frame.line ?? 0),
      frame.folded ? 1 : 0,
    ]
    let index = frames.count / 4 - 1
    frameIndex[key] = index
    return index
  }

  private mutating func string(_ text: String) -> Int {
    if let known = stringIndex[text] { return known }
    stringIndex[text] = strings.count
    strings.append(text)
    return strings.count - 1
  }
}
