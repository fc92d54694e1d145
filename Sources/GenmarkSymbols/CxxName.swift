// SPDX-License-Identifier: MIT
//
// CxxName: demangled names of C++, shortened for people and stripped for comparison. Demangling is in Demangler,
// the parser of template arguments in CxxNameParser.
//
// Names are text of unknown origin: every function here reads each byte a bounded number of times, and what does not
// parse comes out as it went in. All of it works on bytes: names are long, and there are many of them.

enum CxxName {
  /// Leaves out what the standard library adds by itself: allocators, comparers, hashes, deleters, the names of ABI
  /// versions. `std::vector<int, std::allocator<int> >` becomes `std::vector<int>`.
  static func short(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "<")) || name.utf8.contains(UInt8(ascii: "[")) else { return name }
    var parser = CxxNameParser(name)
    return String(decoding: parser.parse(), as: UTF8.self)
  }

  /// The bare path of a function: no template arguments, parameters, or type of the answer, as people and folding
  /// patterns write it: `std::vector::push_back`.
  static func plain(_ name: String) -> String {
    let bytes = Array(name.utf8)
    var out: [UInt8] = []
    // Where in `out` the path begins, behind the type of the answer.
    var start = 0
    var depth = 0
    var index = 0
    scan: while index < bytes.count {
      if depth == 0, let length = operatorLength(bytes, at: index) {
        out.append(contentsOf: bytes[index..<index + length])
        index += length
        // "operator new", "operator int": the blank belongs to it.
        if index < bytes.count, bytes[index] == UInt8(ascii: " ") {
          out.append(bytes[index])
          index += 1
        }
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"): if depth > 0, bytes[index - 1] != UInt8(ascii: "-") { depth -= 1 }
      case _ where depth > 0: break
      case UInt8(ascii: "{"):
        let end = groupEnd(bytes, at: index)
        out.append(contentsOf: bytes[index...end])
        index = end
      case UInt8(ascii: "("):
        // "(anonymous namespace)::" and the parameters of a function around this one are followed by more of the path.
        let end = groupEnd(bytes, at: index)
        guard starts(bytes, end + 1, "::") else { break scan }
        if starts(bytes, index, "(anonymous") { out.append(contentsOf: bytes[index...end]) }
        index = end
      case UInt8(ascii: " "):
        start = out.count
      default: out.append(bytes[index])
      }
      index += 1
    }
    return String(decoding: out[start...], as: UTF8.self)
  }

  /// Length of "operator" with its sign when one begins here: the sign may hold brackets that are none.
  static func operatorLength(_ bytes: [UInt8], at index: Int) -> Int? {
    guard bytes[index] == UInt8(ascii: "o"), starts(bytes, index, "operator") else { return nil }
    if index > 0, isIdentifier(bytes[index - 1]) { return nil }
    let sign = index + 8
    guard sign < bytes.count, !isIdentifier(bytes[sign]) else { return nil }
    if starts(bytes, sign, "()") { return 10 }
    var end = sign
    while end < bytes.count, end < sign + 3, signs.contains(bytes[end]) { end += 1 }
    return end - index
  }

  private static let signs = Array("<>=-*+/%^&|~!".utf8)

  static func starts(_ bytes: [UInt8], _ index: Int, _ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index + length <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in 0..<length where bytes[index + offset] != wanted[offset] { return false }
      return true
    }
  }

  static func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xff:
      true
    default: false
    }
  }

  /// Index of the bracket that closes the one at `start`; of the last byte when none does.
  private static func groupEnd(_ bytes: [UInt8], at start: Int) -> Int {
    var depth = 0
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth == 0 { return index }
    }
    return bytes.count - 1
  }
}
