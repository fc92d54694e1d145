// SPDX-License-Identifier: MIT
//
// GrowthJSON: `genmark growth --json`, `check --json` and `explain --json`, which share the finding.

import GenmarkAnalysis
import GenmarkModel

extension GrowthReport {
  /// - Parameter all: also findings that do not grow.
  public func json(_ trace: TraceSummary, all: Bool) -> JSONValue {
    .object(fields(SchemaName.growth, trace, findings: all ? findings : findings.filter(\.isReported)))
  }

  fileprivate func fields(_ schema: String, _ trace: TraceSummary, findings: [Finding]) -> [(String, JSONValue)] {
    [
      ("schema", .string(schema)), ("trace", trace.json), ("cycles", cycles.json), ("process", process.json),
      ("inconclusive", .array(inconclusive.map(JSONValue.string))), ("findings", .each(findings) { $0.json }),
    ]
  }

  /// `genmark explain --json`: one finding with all that is known of it.
  public func json(
    _ trace: TraceSummary, explaining finding: Finding, explanation: FindingExplanation? = nil
  ) -> JSONValue {
    .object(
      fields(SchemaName.explain, trace, findings: [finding])
        + [("explanation", explanation.map(\.json) ?? .null)])
  }
}

extension FindingExplanation {
  fileprivate var json: JSONValue {
    .object([
      ("notNeighbours", .array(notNeighbours.map(JSONValue.string))), ("wouldChange", .string(wouldChange)),
      (
        "survival",
        .object([
          ("cycles", .array(table.cycles.map { .integer(Int64($0)) })),
          ("blocks", .array(table.alive.map { .array($0.map { .integer($0.blocks.count) }) })),
          ("bytes", .array(table.alive.map { .array($0.map { .integer($0.bytes.count) }) })),
        ])
      ),
    ])
  }
}

extension CheckReport {
  /// Growth's object, with what the budget says of it.
  public func json(_ trace: TraceSummary, all: Bool) -> JSONValue {
    let shown = all ? growth.findings : growth.findings.filter(\.isReported)
    return .object(
      growth.fields(SchemaName.check, trace, findings: shown) + [
        ("outcome", .string(outcome.rawValue)),
        (
          "exceeded",
          .array(
            exceeded.map {
              .object([
                ("fingerprint", JSONValue($0.fingerprint)), ("limit", .string($0.limit)), ("value", .number($0.value)),
              ])
            })
        ),
        (
          "excused",
          .array(
            excused.map {
              .object([
                ("fingerprint", .string($0.fingerprint)), ("reason", .string($0.reason)),
                ("pattern", .string($0.pattern)),
              ])
            })
        ),
        ("unused", .array(unused.map(JSONValue.string))), ("suppressions", .array(suppressions.map(\.json))),
        ("reasons", .array(reasons.map(JSONValue.string))), ("notes", .array(notes.map(JSONValue.string))),
      ])
  }
}

extension CheckReport.SuppressionUse {
  fileprivate var json: JSONValue {
    .object(
      [
        ("pattern", .string(suppression.text)), ("file", .string(suppression.file)),
        ("line", .integer(Int64(suppression.line))), ("reason", .string(suppression.reason)),
        ("findings", .integer(Int64(findings))), ("callSites", .integer(Int64(callSites))),
        ("blocksPerCycle", .number(blocksPerCycle)), ("bytesPerCycle", .number(bytesPerCycle)),
      ] + JSONValue.fields("live", live))
  }
}

extension CycleSummary {
  var json: JSONValue {
    .object([
      ("label", JSONValue(label)), ("marked", .integer(Int64(marked))), ("warmUp", .integer(Int64(warmUp))),
      ("settling", .integer(Int64(settling))), ("judged", .integer(Int64(judged))),
      ("warmUpReason", .string(warmUpReason)), ("labelReason", JSONValue(labelReason)),
    ])
  }
}

extension ProcessGrowth {
  fileprivate var json: JSONValue {
    .object([
      ("heapBytesPerCycle", .number(heapBytesPerCycle)), ("rssBytesPerCycle", JSONValue(rssBytesPerCycle)),
      ("heldBytesPerCycle", JSONValue(heldBytesPerCycle)), ("threadsPerCycle", JSONValue(threadsPerCycle)),
      ("threads", threads.map { .integer(Int64($0)) } ?? .null), ("verdict", .string(verdict.rawValue)),
      ("verdicts", .array(verdicts.map { .string($0.rawValue) })),
    ])
  }
}

extension Finding {
  var json: JSONValue {
    .object(
      [
        ("fingerprint", .string(fingerprint)), ("verdict", .string(verdict.rawValue)),
        ("certainty", .string(certainty.rawValue)), ("blocksPerCycle", .number(blocksPerCycle)),
        ("bytesPerCycle", .number(bytesPerCycle)),
      ] + JSONValue.fields("live", live) + [
        ("headline", JSONValue(headline)), ("why", .string(why)), ("furtherCycles", JSONValue(furtherCycles)),
        ("period", JSONValue(period)), ("fromCycle", JSONValue(fromCycle)), ("known", JSONValue(known)),
        ("liveByCycle", .array(liveByCycle.map { .object(JSONValue.fields("", $0)) })),
        ("callSites", .each(callSites) { $0.json }),
      ])
  }
}

extension JudgedCallSite {
  fileprivate var json: JSONValue {
    .object(
      [("frames", .frames(frames))] + JSONValue.fields("", live) + [
        ("verdict", .string(verdict.rawValue)), ("blocksPerCycle", .number(blocksPerCycle)),
        ("bytesPerCycle", .number(bytesPerCycle)), ("survivors", .array(survivors.map { .integer($0.count) })),
        ("container", .bool(isContainer)),
      ])
  }
}
