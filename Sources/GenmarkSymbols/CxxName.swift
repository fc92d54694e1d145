// SPDX-License-Identifier: MIT
//
// CxxName: demangled names of C++, shortened for people and stripped for comparison. Demangling is in Demangler.
//
// Names are text of unknown origin: every function here reads each byte a bounded number of times, and what does not
// parse comes out as it went in.

enum CxxName {
  /// Leaves out what the standard library adds by itself: allocators, comparers, hashes, deleters, the names of ABI
  /// versions. `std::vector<int, std::allocator<int> >` becomes `std::vector<int>`.
  static func short(_ name: String) -> String {
    var parser = Parser(name)
    return parser.parse()
  }

  /// The bare path of a function: no template arguments, parameters, or type of the answer, as folding patterns and
  /// people write it: `std::vector::push_back`.
  static func plain(_ name: String) -> String {
    var out: [UInt8] = []
    var depth = 0
    var parameters = 0
    let bytes = Array(name.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if depth == 0, parameters == 0, let length = operatorLength(bytes, at: index) {
        out.append(contentsOf: bytes[index..<index + length])
        index += length
        continue
      }
      switch byte {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">") where depth > 0 && bytes[index - 1] != UInt8(ascii: "-"): depth -= 1
      case UInt8(ascii: "{") where depth == 0:
        let end = groupEnd(bytes, at: index) ?? bytes.count - 1
        out.append(contentsOf: bytes[index...end])
        index = end
      case UInt8(ascii: "(") where depth == 0:
        // "(anonymous namespace)::" is part of the path, parameters end it.
        let rest = bytes[index...]
        if let end = groupEnd(bytes, at: index), end + 2 < bytes.count, bytes[end + 1] == UInt8(ascii: ":"),
          bytes[end + 2] == UInt8(ascii: ":")
        {
          if !rest.starts(with: "(anonymous".utf8) {
            parameters = 0
          } else {
            out.append(contentsOf: bytes[index...end])
          }
          index = end + 1
          continue
        }
        parameters = 1
      default: if depth == 0, parameters == 0 { out.append(byte) }
      }
      if parameters > 0 { break }
      index += 1
    }
    return lastWord(String(decoding: out, as: UTF8.self))
  }

  /// What follows the type of the answer: "void f" and "std::pair f" both give "f".
  private static func lastWord(_ text: String) -> String {
    var depth = 0
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case " " where depth == 0 && !text[..<index].hasSuffix("operator"): start = text.index(after: index)
      default: break
      }
      if text[start...].hasPrefix("operator "), start == index { return String(text[start...]) }
      index = text.index(after: index)
    }
    return String(text[start...])
  }

  /// Length of "operator" with its sign when one begins here: the sign may hold brackets that are none.
  fileprivate static func operatorLength(_ bytes: [UInt8], at index: Int) -> Int? {
    let word = Array("operator".utf8)
    guard bytes[index] == word[0], bytes[index...].starts(with: word) else { return nil }
    if index > 0, isIdentifier(bytes[index - 1]) { return nil }
    let sign = index + word.count
    for text in ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "<", ">"] {
      if bytes[sign...].starts(with: text.utf8) { return word.count + text.utf8.count }
    }
    return nil
  }

  /// Index of the bracket that closes the one at `start`.
  private static func groupEnd(_ bytes: [UInt8], at start: Int) -> Int? {
    var depth = 0
    for index in start..<bytes.count {
      if bytes[index] == UInt8(ascii: "(") || bytes[index] == UInt8(ascii: "{") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") || bytes[index] == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  fileprivate static func isIdentifier(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z"))
      || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"))
      || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte >= 0x80
  }
}

/// Reads a demangled name and writes it again without the defaults.
private struct Parser {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  /// Deeper template arguments come out as they are.
  private static let depthLimit = 64
  private static let defaults = [
    "std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<", "std::default_delete<",
  ]
  private static let aliases = [
    "std::basic_string<char>": "std::string", "std::basic_string_view<char>": "std::string_view",
    "std::basic_string<wchar_t>": "std::wstring", "std::basic_ostream<char>": "std::ostream",
    "std::basic_istream<char>": "std::istream", "std::basic_iostream<char>": "std::iostream",
    "std::basic_ifstream<char>": "std::ifstream", "std::basic_ofstream<char>": "std::ofstream",
    "std::basic_fstream<char>": "std::fstream", "std::basic_stringstream<char>": "std::stringstream",
    "std::basic_ostringstream<char>": "std::ostringstream", "std::basic_istringstream<char>": "std::istringstream",
  ]

  init(_ name: String) {
    var name = name
    for noise in ["std::__cxx11::", "std::__1::"] { name = name.replacing(noise, with: "std::") }
    bytes = Array(name.replacing("[abi:cxx11]", with: "").utf8)
  }

  mutating func parse() -> String {
    var out = ""
    while index < bytes.count {
      out += segment()
      // A bracket too many: a name that is none.
      if index < bytes.count {
        out.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        index += 1
      }
    }
    return out
  }

  /// Up to a comma or closing bracket that belongs to the one around.
  private mutating func segment() -> String {
    var out: [UInt8] = []
    while index < bytes.count {
      if let length = CxxName.operatorLength(bytes, at: index) {
        out.append(contentsOf: bytes[index..<index + length])
        index += length
        continue
      }
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: ",") where depth > 0: return String(decoding: out, as: UTF8.self)
      case UInt8(ascii: ">") where depth > 0 && out.last != UInt8(ascii: "-"):
        return String(decoding: out, as: UTF8.self)
      case UInt8(ascii: "<") where depth < Parser.depthLimit:
        index += 1
        let arguments = templateArguments()
        close(&out, with: arguments)
      case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["):
        group(into: &out)
      default:
        out.append(byte)
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private mutating func templateArguments() -> [String] {
    var arguments: [String] = []
    depth += 1
    defer { depth -= 1 }
    while index < bytes.count {
      let argument = segment()
      arguments.append(String(argument.drop { $0 == " " }))
      guard index < bytes.count else { break }
      index += 1
      if bytes[index - 1] == UInt8(ascii: ">") { break }
    }
    return arguments
  }

  /// Parameters, a lambda, an index: commas in it are its own.
  private mutating func group(into out: inout [UInt8]) {
    let saved = depth
    depth = 0
    defer { depth = saved }
    var open = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<"), saved < Parser.depthLimit, let last = out.last, CxxName.isIdentifier(last) {
        index += 1
        depth = saved
        let arguments = templateArguments()
        depth = 0
        close(&out, with: arguments)
        continue
      }
      out.append(byte)
      index += 1
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
        open -= 1
        if open <= 0 { return }
      default: break
      }
    }
  }

  /// Writes the arguments behind the template's name, which is the end of `out`.
  private func close(_ out: inout [UInt8], with arguments: [String]) {
    let nameStart = out.lastIndex { !CxxName.isIdentifier($0) && $0 != UInt8(ascii: ":") }.map { $0 + 1 } ?? 0
    let name = String(decoding: out[nameStart...], as: UTF8.self)
    var kept = arguments
    if name.hasPrefix("std::") {
      kept = arguments.enumerated().filter { number, argument in
        number == 0 || !Parser.defaults.contains { argument.hasPrefix($0) }
      }.map(\.element)
    }
    let text = "\(name)<\(kept.map { Parser.trimmed($0) }.joined(separator: ", "))>"
    out.removeSubrange(nameStart...)
    out.append(contentsOf: (Parser.aliases[text] ?? text).utf8)
  }

  private static func trimmed(_ text: String) -> Substring {
    var text = Substring(text)
    while text.last == " " { text.removeLast() }
    return text
  }
}
