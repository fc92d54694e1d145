// SPDX-License-Identifier: MIT
//
// CxxNameParser: reads a demangled name of C++ and writes it again without the standard library's defaults. For names
// that come from a demangler; others come out readable, but may lose blanks.

struct CxxNameParser {
  private let bytes: [UInt8]
  private var index = 0
  /// Of template brackets around the current place.
  private var depth = 0

  /// Deeper template arguments are copied as they are.
  private static let depthLimit = 64

  /// Arguments, from the second on, that the library's templates have by themselves.
  private static let defaults: [StaticString] = [
    "std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<", "std::default_delete<",
  ]

  /// Names that everybody knows by another.
  private static let aliases: [[UInt8]: [UInt8]] = {
    var aliases: [[UInt8]: [UInt8]] = [:]
    for name in [
      "string", "string_view", "ostream", "istream", "iostream", "ifstream", "ofstream", "fstream", "stringstream",
      "ostringstream", "istringstream", "streambuf", "filebuf", "stringbuf", "ios",
    ] {
      aliases[Array("std::basic_\(name)<char>".utf8)] = Array("std::\(name)".utf8)
    }
    return aliases
  }()

  init(_ name: String) { bytes = Array(name.utf8) }

  mutating func parse() -> [UInt8] {
    var out: [UInt8] = []
    segment(into: &out)
    return out
  }

  /// Up to a comma or closing bracket that belongs to the template around.
  private mutating func segment(into out: inout [UInt8]) {
    while index < bytes.count {
      let byte = bytes[index]
      if depth > 0 {
        if byte == UInt8(ascii: ",") { return }
        if byte == UInt8(ascii: ">"), out.last != UInt8(ascii: "-") { return }
      }
      step(into: &out)
    }
  }

  /// Copies what stands at `index`: a byte, an operator, a bracketed group, template arguments.
  private mutating func step(into out: inout [UInt8]) {
    let byte = bytes[index]
    if let length = CxxName.operatorLength(bytes, at: index) {
      out.append(contentsOf: bytes[index..<index + length])
      index += length
      return
    }
    switch byte {
    case UInt8(ascii: "<") where depth < CxxNameParser.depthLimit && out.last.map(CxxName.isIdentifier) == true:
      index += 1
      close(&out, with: templateArguments())
    case UInt8(ascii: "<") where CxxName.starts(bytes, index, "<lambda("):
      lambda(into: &out)
    case UInt8(ascii: "("), UInt8(ascii: "{"):
      group(into: &out)
    case UInt8(ascii: "[") where CxxName.starts(bytes, index, "[abi:"):
      while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
      index += 1
    case UInt8(ascii: "_") where CxxName.starts(bytes, index, "__cxx11::") && out.suffix(5).elementsEqual("std::".utf8):
      index += 9
    case UInt8(ascii: "_") where CxxName.starts(bytes, index, "__1::") && out.suffix(5).elementsEqual("std::".utf8):
      index += 5
    default:
      out.append(byte)
      index += 1
    }
  }

  private mutating func templateArguments() -> [[UInt8]] {
    var arguments: [[UInt8]] = []
    depth += 1
    defer { depth -= 1 }
    while index < bytes.count {
      while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
      var argument: [UInt8] = []
      segment(into: &argument)
      while argument.last == UInt8(ascii: " ") { argument.removeLast() }
      arguments.append(argument)
      guard index < bytes.count else { break }
      index += 1
      if bytes[index - 1] == UInt8(ascii: ">") { break }
    }
    return arguments
  }

  /// "<lambda(int)>", as gcc's debug information calls it.
  private mutating func lambda(into out: inout [UInt8]) {
    out.append(bytes[index])
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") { step(into: &out) }
    guard index < bytes.count else { return }
    out.append(bytes[index])
    index += 1
  }

  /// Parameters or a lambda, up to the bracket that closes it: commas and signs in it are its own.
  private mutating func group(into out: inout [UInt8]) {
    let around = depth
    depth = 0
    defer { depth = around }
    let close = bytes[index] == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
    out.append(bytes[index])
    index += 1
    var inner = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == close, inner == 0 {
        out.append(byte)
        index += 1
        return
      }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") { inner += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { inner -= 1 }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") {
        out.append(byte)
        index += 1
      } else {
        depth = 0
        step(into: &out)
      }
    }
  }

  /// Writes the arguments behind the template's name, which is the end of `out`.
  private func close(_ out: inout [UInt8], with arguments: [[UInt8]]) {
    var start = out.count
    while start > 0, CxxName.isIdentifier(out[start - 1]) || out[start - 1] == UInt8(ascii: ":") { start -= 1 }
    let isStandard = CxxName.starts(out, start, "std::")
    out.append(UInt8(ascii: "<"))
    for (number, argument) in arguments.enumerated() {
      if number > 0 {
        if isStandard, CxxNameParser.defaults.contains(where: { CxxName.starts(argument, 0, $0) }) { continue }
        out.append(contentsOf: ", ".utf8)
      }
      out.append(contentsOf: argument)
    }
    out.append(UInt8(ascii: ">"))
    if isStandard, let alias = CxxNameParser.aliases[Array(out[start...])] {
      out.replaceSubrange(start..., with: alias)
    }
  }
}
