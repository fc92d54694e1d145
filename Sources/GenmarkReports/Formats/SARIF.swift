// SPDX-License-Identifier: MIT
//
// SARIF: a check as SARIF 2.1.0 (OASIS, errata 01), for code hosts that annotate lines.

import GenmarkAnalysis
import GenmarkModel

public enum SARIF {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  private static let reported: [Verdict] = [.leak, .stepwise, .inconclusive]
  private static let rootID = "SRCROOT"

  /// - Parameters:
  ///   - root: paths below it are written relative to it.
  ///   - version: of genmark.
  public static func document(
    _ check: CheckReport, _ trace: TraceSummary, root: SourceRoot, version: String
  ) -> JSONValue {
    .object([
      ("$schema", .string(schema)), ("version", "2.1.0"),
      (
        "runs",
        .array([
          .object([
            (
              "tool",
              .object([
                (
                  "driver",
                  .object([
                    ("name", "genmark"), ("semanticVersion", .string(version)), ("rules", .array(reported.map(rule))),
                  ])
                )
              ])
            ),
            (
              "invocations",
              .array([
                .object([
                  ("executionSuccessful", .bool(check.outcome != .inconclusive)),
                  ("toolExecutionNotifications", .array(notifications(check, trace))),
                ])
              ])
            ),
            ("columnKind", "utf16CodeUnits"),
            ("results", .array(check.cases.map { result($0, root) } + check.exceededInAll.map(result))),
          ])
        ])
      ),
    ])
  }

  private static func rule(_ verdict: Verdict) -> JSONValue {
    .object([
      ("id", .string("genmark/" + verdict.rawValue)),
      ("shortDescription", message("Heap growth: \(verdict.meaning).")),
      ("defaultConfiguration", .object([("level", verdict == .inconclusive ? "note" : "error")])),
    ])
  }

  private static func result(_ item: CheckReport.Case, _ root: SourceRoot) -> JSONValue {
    let finding = item.finding
    var text = finding.sentence
    var level: JSONValue = "note"
    var suppressions: [JSONValue] = []
    switch item.outcome {
    case .failed(let exceeded):
      level = "error"
      text += "; over " + exceeded.map(\.sentence).joined(separator: ", over ")
    case .excused(let excuse):
      suppressions = [
        .object([("kind", "external"), ("justification", .string("\(excuse.reason) (\(excuse.pattern))"))])
      ]
    case .withinBudget: text += "; within budget"
    case .inconclusive: break
    }
    var fields: [(String, JSONValue)] = [
      ("ruleId", .string("genmark/" + (reported.contains(finding.verdict) ? finding.verdict : .leak).rawValue)),
      ("level", level), ("message", message(text + "." + (finding.why.isEmpty ? "" : " " + finding.why))),
      ("locations", .array(location(finding.headline, root).map { [$0] } ?? [])),
      ("partialFingerprints", .object([("genmark/v1", .string(finding.fingerprint))])),
      ("stacks", .array(finding.callSites.prefix(10).map { stack($0.frames, root) })),
      (
        "properties",
        .object([
          ("blocksPerCycle", .number(finding.blocksPerCycle)), ("bytesPerCycle", .number(finding.bytesPerCycle)),
          ("certainty", .string(finding.certainty.rawValue)),
        ])
      ),
    ]
    if !suppressions.isEmpty { fields.append(("suppressions", .array(suppressions))) }
    return .object(fields)
  }

  /// A limit on the whole has no place.
  private static func result(_ exceeded: CheckReport.Exceeded) -> JSONValue {
    .object([
      ("ruleId", "genmark/leak"), ("level", "error"), ("message", message("In all over \(exceeded.sentence).")),
      ("locations", .array([])),
    ])
  }

  private static func stack(_ frames: [Frame], _ root: SourceRoot) -> JSONValue {
    .object([
      (
        "frames",
        .array(
          frames.map { frame in
            let place = location(frame, root)
            let name = message(FrameText.plainName(frame))
            guard case .object(let fields)? = place else {
              return .object([("location", .object([("message", name)]))])
            }
            return .object([("location", .object(fields + [("message", name)]))])
          })
      )
    ])
  }

  /// Nil when the source is not known.
  private static func location(_ frame: Frame?, _ root: SourceRoot) -> JSONValue? {
    guard let file = frame?.file, !file.isEmpty, !file.hasPrefix("<") else { return nil }
    let artifact: [(String, JSONValue)] =
      if let relative = root.relative(file) {
        [("uri", .string(Escaping.uriPath(relative))), ("uriBaseId", .string(rootID))]
      } else if file.hasPrefix("/") {
        [("uri", .string("file://" + Escaping.uriPath(file)))]
      } else {
        [("uri", .string(Escaping.uriPath(file)))]
      }
    var physical: [(String, JSONValue)] = [("artifactLocation", .object(artifact))]
    if let line = frame?.line, line > 0 {
      physical.append(("region", .object([("startLine", .integer(Int64(line)))])))
    }
    return .object([("physicalLocation", .object(physical))])
  }

  private static func notifications(_ check: CheckReport, _ trace: TraceSummary) -> [JSONValue] {
    let texts =
      check.reasons.map { (check.outcome == .inconclusive ? "error" : "warning", $0) }
      + trace.losses.map { ("warning", "Loss: \($0.sentence).") }
    return texts.map { .object([("level", .string($0.0)), ("message", message($0.1))]) }
  }

  private static func message(_ text: String) -> JSONValue { .object([("text", .string(Escaping.cut(text)))]) }
}
