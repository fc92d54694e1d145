// SPDX-License-Identifier: MIT
//
// HTMLData: what the HTML report shows, as JSON for the page's scripts, which compute every choice of marks from it. The
// findings in it are in HTMLFindings.swift, names and call stacks in HTMLTables.swift, the page in HTMLReport.swift.

import GenmarkAnalysis
import GenmarkModel

/// Gathers the data of one report.
struct HTMLData {
  /// More steps of all rows than a page can hold; then it only knows what is alive at the last mark and at the end.
  private static let mostSteps = 400_000

  private let recording: Recording
  private let survival: Survival
  private var tables: HTMLTables

  init(_ recording: Recording) {
    self.recording = recording
    survival = Survival(recording)
    tables = HTMLTables(program: recording.mainModule?.path)
  }

  /// - Parameters:
  ///   - trace: asked after all names were looked up, which adds notes to it.
  ///   - growth: nil where there are no marks to judge by; `noGrowth` then says so.
  ///   - choice: marks that the page shows first; nil is what was judged.
  mutating func document(
    _ trace: () -> TraceSummary, source: any FrameSource, growth: GrowthReport?, noGrowth: String,
    choice: (from: MarkPoint?, to: MarkPoint?)
  ) -> JSONValue {
    let rows = rows(source)
    let window = growth.flatMap { judgedWindow($0.cycles) }
    var first = choice.from?.position ?? window?.lowerBound ?? 0
    var last = choice.to?.position ?? window?.upperBound ?? recording.endPoint.position
    if first >= last, choice.to == nil { last = recording.endPoint.position }
    if first >= last, choice.from == nil { first = 0 }
    // Alive when the last cycle ended, as findings are: programs clean up at exit. Not before B.
    let alive = max(choice.to?.position ?? 0, recording.marks.count) - 1
    let findings = growth.map { HTMLFindings(recording, survival).values($0, &tables) } ?? []
    return .object(
      [
        ("trace", header(trace())), ("verdict", .string(growth?.headline(.plain) ?? noGrowth)),
        ("outcome", .string(growth?.outcome ?? "unsure")), ("cycles", growth.map { cycles($0.cycles) } ?? .null),
        ("process", growth.map { process($0.process) } ?? .null),
        ("generations", .array(Generations.report(of: recording).generations.map(row))),
        ("judged", window.map { .array([JSONValue($0.lowerBound), JSONValue($0.upperBound)]) } ?? .null),
        ("choice", .array([first, last, max(alive, 0)].map { JSONValue($0) })),
        ("moments", .array(rows.moments.map { JSONValue($0) })), ("rows", HTMLTables.numbers(rows.numbers)),
        ("findings", .array(findings)),
      ] + tables.fields)
  }

  // MARK: - Parts

  private func header(_ trace: TraceSummary) -> JSONValue {
    .object([
      ("file", .string(HTMLTables.shown(trace.file))), ("program", .string(HTMLTables.shown(trace.program))),
      ("pid", .unsigned(UInt64(trace.pid))), ("end", .string(trace.end.text)),
      ("isRunning", .bool(trace.end == .running)), ("duration", JSONValue(trace.duration)),
      ("losses", .array(trace.losses.map { .string($0.sentence) })),
      ("notes", .array(trace.notes.map { .string(HTMLTables.shown($0)) })),
    ])
  }

  private func cycles(_ cycles: CycleSummary) -> JSONValue {
    .object([
      ("label", JSONValue(cycles.label.map { HTMLTables.shown($0, limit: 60) })), ("marked", JSONValue(cycles.marked)),
      ("warmUp", JSONValue(cycles.warmUp)), ("settling", JSONValue(cycles.settling)),
      ("judged", JSONValue(cycles.judged)), ("warmUpReason", .string(cycles.warmUpReason)),
      ("labelReason", JSONValue(cycles.labelReason)),
    ])
  }

  private func process(_ process: ProcessGrowth) -> JSONValue {
    .object([
      ("heap", .number(process.heapBytesPerCycle)), ("rss", JSONValue(process.rssBytesPerCycle)),
      ("held", JSONValue(process.heldBytesPerCycle)), ("threads", JSONValue(process.threadsPerCycle)),
      ("verdict", .string(process.verdict.rawValue)), ("sentence", .string(process.verdict.sentence)),
    ])
  }

  private func row(_ row: GenerationRow) -> JSONValue {
    let generation = row.generation
    return .object([
      ("number", .unsigned(UInt64(generation.number))), ("last", .unsigned(UInt64(generation.lastNumber))),
      ("label", JSONValue(row.closedBy.map { HTMLTables.shown($0, limit: 200) })),
      ("startedAt", JSONValue(generation.startedAt)), ("duration", JSONValue(generation.duration)),
      ("growth", JSONValue(generation.persistent.bytes)), ("persistent", JSONValue(generation.persistent.blocks)),
      ("transient", JSONValue(generation.transient.blocks)), ("live", JSONValue(generation.live.bytes)),
      ("rss", JSONValue(generation.residentBytes)), ("threads", JSONValue(generation.threads)),
    ])
  }

  /// The marks between which cycles were judged, as positions of `MarkPoint`; nil when there are none.
  private func judgedWindow(_ cycles: CycleSummary) -> Range<Int>? {
    let marks = cycles.label.map { recording.markIndices(label: $0) } ?? Array(recording.marks.indices)
    func number(_ index: Int) -> Int {
      Int(cycles.label == nil ? recording.marks[index].generation : recording.marks[index].ordinal)
    }
    let first = cycles.warmUp == 0 ? 0 : marks.first { number($0) >= cycles.warmUp }.map { $0 + 1 }
    let last = marks.last { number($0) <= cycles.marked - cycles.settling }.map { $0 + 1 }
    guard let first, let last, first < last else { return nil }
    return first..<last
  }

  /// What is alive when, for every call site and birth: node, index of the generation of birth, how many steps, and of
  /// each step: moment, blocks, bytes alive from then on. A moment is the index of a mark, or the number of marks for
  /// the end. `moments` are those that can be asked for.
  private mutating func rows(_ source: any FrameSource) -> (numbers: [Int64], moments: [Int]) {
    let end = recording.marks.count
    var steps = 0
    for callSite in survival.callSites {
      survival.forEachRow(of: callSite) { _, rowSteps, _ in steps += rowSteps.count + 1 }
    }
    let hasHistory = steps <= HTMLData.mostSteps
    var numbers: [Int64] = []
    numbers.reserveCapacity(min(steps, 1 << 22) * 4)
    for callSite in survival.callSites {
      var rows: [(birth: Int, steps: [(moment: Int, live: Amount)])] = []
      survival.forEachRow(of: callSite) { birth, steps, final in
        var kept =
          hasHistory ? steps.map { ($0.mark, $0.live.clamped) } : steps.suffix(1).map { (end - 1, $0.live.clamped) }
        if kept.last?.1 ?? .zero != final.clamped { kept.append((end, final.clamped)) }
        if kept.contains(where: { $0.1 != .zero }) { rows.append((birth, kept)) }
      }
      guard !rows.isEmpty else { continue }
      let node = Int64(tables.node(of: callSite, in: recording.callTree, named: source))
      for row in rows {
        numbers += [node, Int64(row.birth), Int64(row.steps.count)]
        for step in row.steps {
          numbers += [Int64(step.moment), step.live.blocks.count, step.live.bytes.count]
        }
      }
    }
    let known = hasHistory ? recording.marks.indices.filter { !recording.marks[$0].changesLost } : [end - 1]
    return (numbers, known.filter { $0 >= 0 } + [end])
  }
}

extension GrowthReport {
  /// What the whole says, in a word: `grows`, `level`, `unsure`.
  fileprivate var outcome: String {
    if findings.contains(where: \.verdict.isGrowth) { return "grows" }
    return inconclusive.isEmpty && !findings.contains { $0.verdict == .inconclusive } ? "level" : "unsure"
  }
}
