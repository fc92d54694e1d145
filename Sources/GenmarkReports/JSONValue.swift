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
  /// An array whose elements are made when they are written: call sites and frames can be millions.
  case each(Int, @Sendable (Int) -> JSONValue)
  case object([(String, JSONValue)])

  public static func == (a: JSONValue, b: JSONValue) -> Bool { a.text == b.text }

  /// Compact, in one line, without a line end.
  public var text: String {
    var out = ""
    write(to: &out)
    return out
  }

  /// - Complexity: O(size of the document)
  public func write(to out: inout some TextOutputStream) {
    switch self {
    case .null: out.write("null")
    case .bool(let value): out.write(value ? "true" : "false")
    case .integer(let value): out.write(String(value))
    case .unsigned(let value): out.write(String(value))
    case .number(let value): out.write(JSONValue.text(of: value))
    case .string(let value): JSONValue.write(quoted: value, to: &out)
    case .array(let values): JSONValue.write(count: values.count, to: &out) { values[$0] }
    case .each(let count, let element): JSONValue.write(count: count, to: &out, element)
    case .object(let fields):
      for (index, field) in fields.enumerated() {
        out.write(index == 0 ? "{" : ",")
        JSONValue.write(quoted: field.0, to: &out)
        out.write(":")
        field.1.write(to: &out)
      }
      out.write(fields.isEmpty ? "{}" : "}")
    }
  }

  private static func write(count: Int, to out: inout some TextOutputStream, _ element: (Int) -> JSONValue) {
    out.write("[")
    for index in 0..<count {
      if index > 0 { out.write(",") }
      element(index).write(to: &out)
    }
    out.write("]")
  }

  private static func write(quoted text: String, to out: inout some TextOutputStream) {
    out.write("\"")
    out.write(Escaping.json(text))
    out.write("\"")
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
  /// An array of what is made of each value, when it is written.
  static func each<Value: Sendable>(
    _ values: [Value], _ element: @escaping @Sendable (Value) -> JSONValue
  ) -> JSONValue {
    .each(values.count) { element(values[$0]) }
  }

  init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: UInt64?) { self = value.map(JSONValue.unsigned) ?? .null }
  init(_ value: UInt32?) { self = value.map { .unsigned(UInt64($0)) } ?? .null }
  init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }
  init(_ value: Bytes?) { self = value.map { .integer($0.count) } ?? .null }
  init(_ value: Blocks?) { self = value.map { .integer($0.count) } ?? .null }
  init(_ value: Nanoseconds?) { self = value.map { .unsigned($0.count) } ?? .null }
}
