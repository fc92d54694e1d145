// SPDX-License-Identifier: MIT
//
// ReportJSON: the parts that several schemas share: frames, call sites, marks. The documents are in the
// neighbours; report.schema.json says what they may hold.

import GenmarkModel
import GenmarkAnalysis

/// Names of the schemas. The number grows when a field changes its meaning, not when one is added.
public enum SchemaName {
  public static let generations = "genmark.generations/1"
  public static let marks = "genmark.marks/1"
  public static let diff = "genmark.diff/1"
  public static let comparison = "genmark.comparison/1"
  public static let growth = "genmark.growth/1"
  public static let check = "genmark.check/1"
  public static let explain = "genmark.explain/1"
}

extension Frame {
  /// `frame` of the schemas.
  var json: JSONValue {
    .object([
      ("function", JSONValue(function)), ("module", JSONValue(module)), ("offset", JSONValue(offset)),
      ("file", JSONValue(file)), ("line", JSONValue(line)), ("inlined", .bool(inlined)), ("folded", .bool(folded)),
    ])
  }
}

extension JSONValue {
  init(_ frame: Frame?) { self = frame?.json ?? .null }

  /// `frames` of a call site, innermost first and complete.
  static func frames(_ frames: [Frame]) -> JSONValue { .each(frames) { $0.json } }

  /// `{ <name>Blocks, <name>Bytes }` as two fields; with an empty name `blocks` and `bytes`.
  static func fields(_ name: String, _ amount: Amount) -> [(String, JSONValue)] {
    [
      (name.isEmpty ? "blocks" : name + "Blocks", .integer(amount.blocks.count)),
      (name.isEmpty ? "bytes" : name + "Bytes", .integer(amount.bytes.count)),
    ]
  }
}

extension MarkPoint {
  /// `point` of the schemas: the start, a mark by number, label and how-many-eth with it, or the end.
  var json: JSONValue {
    switch kind {
    case .start, .end:
      .object([("name", .string(name)), ("mark", nil), ("label", nil), ("ordinal", nil)])
    case .mark(let generation, let label, let ordinal):
      .object([
        ("name", .string(name)), ("mark", .unsigned(UInt64(generation))), ("label", .string(label)),
        ("ordinal", .unsigned(UInt64(ordinal))),
      ])
    }
  }

  /// `start`, `end`, `mark 5 ("pop")`.
  var text: String {
    switch kind {
    case .start: "the start"
    case .end: "the end"
    case .mark(let number, let label, _):
      "mark \(number)" + (label.isEmpty ? "" : " (\"\(Escaping.terminal(Escaping.cut(label, to: 60)))\")")
    }
  }
}
