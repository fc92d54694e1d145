// SPDX-License-Identifier: MIT
//
// JSONValue: a JSON document as it is written: fields in the order of the schema, absent values as null. The
// schemas themselves are in report.schema.json; what goes into them is in the …+JSON files.

import GenmarkModel

/// A JSON value whose objects keep the order of their fields.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  public static func == (a: JSONValue, b: JSONValue) -> Bool { a.text == b.text }

  /// Compact, in one line, without a line end.
  public var text: String {
    var out = ""
    write(to: &out)
    return out
  }

  /// - Complexity: O(size of the document)
  public func write(to out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .unsigned(let value): out += String(value)
    case .number(let value): out += JSONValue.text(of: value)
    case .string(let value):
      out += "\""
      out += Escaping.json(value)
      out += "\""
    case .array(let values):
      out += "["
      for (index, value) in values.enumerated() {
        if index > 0 { out += "," }
        value.write(to: &out)
      }
      out += "]"
    case .object(let fields):
      out += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { out += "," }
        out += "\"" + Escaping.json(field.0) + "\":"
        field.1.write(to: &out)
      }
      out += "}"
    }
  }

  /// JSON has no infinity and no NaN; both are null. Whole numbers are written without a fraction.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return String(Int64(value)) }
    return String(value)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: UInt64?) { self = value.map(JSONValue.unsigned) ?? .null }
  init(_ value: UInt32?) { self = value.map { .unsigned(UInt64($0)) } ?? .null }
  init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }
  init(_ value: Bytes?) { self = value.map { .integer($0.count) } ?? .null }
  init(_ value: Blocks?) { self = value.map { .integer($0.count) } ?? .null }
  init(_ value: Nanoseconds?) { self = value.map { .unsigned($0.count) } ?? .null }
}
