// SPDX-License-Identifier: MIT
//
// HTMLFindings: the findings of the HTML report, with what survives of each birth at each mark. The words of verdicts are
// the text report's.

import GenmarkAnalysis
import GenmarkModel

/// Writes findings down for the page.
struct HTMLFindings {
  /// More rows and columns than can be told apart; neighbours are then taken together.
  private static let matrixSize = 40
  /// Findings with a matrix, call sites of one finding: the page stays small.
  private static let mostMatrices = 50
  private static let mostCallSites = 50

  private let recording: Recording
  private let survival: Survival

  init(_ recording: Recording, _ survival: Survival) {
    self.recording = recording
    self.survival = survival
  }

  func values(_ growth: GrowthReport, _ tables: inout HTMLTables) -> [JSONValue] {
    growth.findings.prefix(HTMLReport.mostFindings).enumerated().map { index, finding in
      .object([
        ("fingerprint", .string(finding.fingerprint)), ("verdict", .string(finding.verdict.rawValue)),
        ("meaning", .string(finding.verdict.meaning)), ("certainty", .string(finding.certainty.words)),
        ("grows", .bool(finding.verdict.isGrowth)), ("isReported", .bool(finding.isReported)),
        ("blocksPerCycle", .number(finding.blocksPerCycle)), ("bytesPerCycle", .number(finding.bytesPerCycle)),
        ("blocks", JSONValue(finding.live.blocks)), ("bytes", JSONValue(finding.live.bytes)),
        ("headline", .integer(Int64(finding.headline.map { tables.frame($0) } ?? -1))),
        ("why", .string(HTMLTables.shown(finding.why))), ("furtherCycles", JSONValue(finding.furtherCycles)),
        ("period", JSONValue(finding.period)), ("fromCycle", JSONValue(finding.fromCycle)),
        ("live", .array(finding.liveByCycle.map { JSONValue($0.bytes) })),
        ("matrix", index < HTMLFindings.mostMatrices ? matrix(of: finding) : .null),
        ("callSiteCount", JSONValue(finding.callSites.count)),
        ("callSites", .array(finding.callSites.prefix(HTMLFindings.mostCallSites).map { callSite($0, &tables) })),
      ])
    }
  }

  private func callSite(_ site: JudgedCallSite, _ tables: inout HTMLTables) -> JSONValue {
    .object([
      ("node", JSONValue(tables.node(of: site.frames))), ("verdict", .string(site.verdict.rawValue)),
      ("blocksPerCycle", .number(site.blocksPerCycle)), ("bytesPerCycle", .number(site.bytesPerCycle)),
      ("blocks", JSONValue(site.live.blocks)), ("bytes", JSONValue(site.live.bytes)),
    ])
  }

  /// Blocks by birth (rows) and mark (columns): `values[i][j]` is born up to mark i, after mark i − 1, and alive at mark j.
  private func matrix(of finding: Finding) -> JSONValue {
    let count = recording.marks.count
    guard count > 1 else { return .null }
    let step = (count + HTMLFindings.matrixSize - 1) / HTMLFindings.matrixSize
    // The last mark is always one of them.
    let marks = Array(stride(from: (count - 1) % step, to: count, by: step))
    var values = [[Int64]](repeating: [Int64](repeating: 0, count: marks.count), count: marks.count)
    for callSite in finding.callSites.lazy.flatMap(\.callSites) {
      survival.forEachRow(of: callSite) { birth, steps, _ in
        guard let row = marks.firstIndex(where: { $0 >= birth }) else { return }
        var next = steps.startIndex
        var live: Int64 = 0
        for (column, mark) in marks.enumerated() {
          while next < steps.endIndex, steps[next].mark <= mark {
            live = steps[next].live.blocks.count
            next += 1
          }
          values[row][column] += max(0, live)
        }
      }
    }
    return .object([
      ("marks", .array(marks.map { .unsigned(UInt64(recording.marks[$0].generation)) })),
      (
        "births",
        .array(
          marks.indices.map { index in
            .unsigned(UInt64(index == 0 ? 0 : recording.generationNumber(at: marks[index - 1] + 1)))
          })
      ),
      ("values", .array(values.map { .array($0.map(JSONValue.integer)) })),
    ])
  }
}
