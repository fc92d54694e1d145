// SPDX-License-Identifier: MIT
//
// JSONText: reads JSON (RFC 8259) with the line of every value, so that a message about genmark.json can say where.
// Small on purpose: the file is written by people and is small itself. Reports are written elsewhere.

/// A JSON value and the line it begins in.
struct JSONValue: Equatable {
  enum Content: Equatable {
    case null
    case bool(Bool)
    /// As it stands, since only some fields are numbers.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the file.
    case object([Field])
  }
  struct Field: Equatable {
    var name: String
    var line: Int
    var value: JSONValue
  }
  var content: Content
  var line: Int
}

extension JSONValue {
  /// A field of an object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = content else { return nil }
    return fields.first { $0.name == name }?.value
  }
  var text: String? { if case .string(let text) = content { text } else { nil } }
  var number: Double? { if case .number(let text) = content { Double(text) } else { nil } }
  var items: [JSONValue] { if case .array(let items) = content { items } else { [] } }
}

/// What is wrong with a text, and where.
struct JSONProblem: Error, Equatable {
  var line: Int
  var reason: String
}

struct JSONText {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  /// Deeper nesting is no budget, and recursion must end.
  private static let depthLimit = 32

  private init(_ text: String) { bytes = Array(text.utf8) }

  static func parse(_ text: String) throws(JSONProblem) -> JSONValue {
    var parser = JSONText(text)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    if parser.index < parser.bytes.count { throw parser.problem("something follows after the end of the JSON value") }
    return value
  }

  private func problem(_ reason: String) -> JSONProblem { JSONProblem(line: line, reason: reason) }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) {
      if bytes[index] == 0x0a { line += 1 }
      index += 1
    }
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    if depth > JSONText.depthLimit { throw problem("nested too deeply") }
    skipSpace()
    let start = line
    guard index < bytes.count else { throw problem("the file ends where a value should be") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return JSONValue(content: .object(try object(depth: depth)), line: start)
    case UInt8(ascii: "["): return JSONValue(content: .array(try array(depth: depth)), line: start)
    case UInt8(ascii: "\""): return JSONValue(content: .string(try string()), line: start)
    default: return JSONValue(content: try word(), line: start)
    }
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> [JSONValue.Field] {
    index += 1
    var fields: [JSONValue.Field] = []
    if take("}") { return fields }
    repeat {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw problem("a field name in \"…\" is missing")
      }
      let start = line
      let name = try string()
      if fields.contains(where: { $0.name == name }) { throw problem("the field '\(name)' is there twice") }
      guard take(":") else { throw problem("':' is missing after '\(name)'") }
      fields.append(JSONValue.Field(name: name, line: start, value: try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw problem("',' or '}' is missing") }
    return fields
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> [JSONValue] {
    index += 1
    var values: [JSONValue] = []
    if take("]") { return values }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw problem("',' or ']' is missing") }
    return values
  }

  private mutating func word() throws(JSONProblem) -> JSONValue.Content {
    let start = index
    while index < bytes.count, JSONText.isWord(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
        Double(text) != nil
      else { throw problem(text.isEmpty ? "no JSON value" : "'\(text)' is no JSON value") }
      return .number(text)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
  }

  private mutating func string() throws(JSONProblem) -> String {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      let byte = bytes[index]
      if byte < 0x20 { throw problem("a line end or control character in a text") }
      index += 1
      if byte == UInt8(ascii: "\\") { text += try escape() } else { text.append(byte) }
    }
    guard index < bytes.count else { throw problem("the end of a text is missing") }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape() throws(JSONProblem) -> [UInt8] {
    guard index < bytes.count else { throw problem("the end of a text is missing") }
    let kind = bytes[index]
    index += 1
    switch kind {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [kind]
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      if (0xd800..<0xdc00).contains(unit), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u")
      {
        index += 2
        let low = try hexadecimal()
        guard (0xdc00..<0xe000).contains(low) else { throw problem("half a character: \\u without its second part") }
        unit = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw problem("half a character: \\u without its second part") }
      return Array(String(Character(scalar)).utf8)
    default: throw problem("an unknown escape in a text")
    }
  }

  private mutating func hexadecimal() throws(JSONProblem) -> UInt32 {
    guard index + 4 <= bytes.count, bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-"),
      let value = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { throw problem("\\u needs four hexadecimal digits") }
    index += 4
    return value
  }
}
