// SPDX-License-Identifier: MIT
//
// SwiftName: whose code a Swift function is. The standard library is generic and gets compiled into the programs that
// use it, so that its functions are found in the program's own module, under their own names.

enum SwiftName {
  /// True for what the module Swift (or one of the runtime's other modules) defines, whether called there or
  /// specialized into the program; false for what the user's modules add to its types.
  static func isStandardLibrary(_ linkageName: String) -> Bool {
    // Quick: the module Swift is "s", its well-known types are "S" and a letter. Everybody else's names start with a
    // length.
    guard let start = ["$s", "$S", "_$s", "_$S"].first(where: { linkageName.hasPrefix($0) }) else { return false }
    guard let first = linkageName.dropFirst(start.count).first, first == "s" || first == "S" else { return false }
    let name = Demangler.fullName(for: linkageName)
    guard let owner = owner(in: name) else { return false }
    return runtimeModules.contains { owner.hasPrefix($0) }
  }

  /// Functions that nobody wrote and that stand for none that somebody did.
  static func isCompilerMade(_ function: String) -> Bool {
    if function.hasSuffix(".__allocating_init()") || function.contains(".__allocating_init(") {
      return !function.hasPrefix("closure #")
    }
    return compilerMade.contains { function.hasPrefix($0) }
  }

  private static let runtimeModules = [
    "Swift.", "_Concurrency.", "_StringProcessing.", "Synchronization.", "(extension in Swift):",
    "(extension in _Concurrency):", "(extension in _StringProcessing):", "(extension in Synchronization):",
  ]

  private static let compilerMade = [
    "outlined ", "reabstraction thunk ", "type metadata ", "metadata accessor ", "lazy protocol witness table ",
    "value witness ", "merged type metadata ", "protocol witness table ", "type metadata completion function ",
    "associated type witness table accessor ", "dispatch thunk of ", "method lookup function ",
    "instantiation function ", "partial apply for reabstraction thunk ", "autolinked", "thunk for @",
    "specialized thunk for @",
  ]

  /// The path of the function that was written: "generic specialization <Swift.Int> of closure #1 (A) -> B in
  /// Swift.Array.map" gives "Swift.Array.map". Nil when the name does not parse.
  private static func owner(in name: String) -> Substring? {
    let bytes = Array(name.utf8)
    let links = [" in ", " of ", " for "].map { Array($0.utf8) }
    var depth = 0
    var start = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where index > 0 && bytes[index - 1] != UInt8(ascii: "-"): depth -= 1
      case UInt8(ascii: " ") where depth == 0:
        if let link = links.first(where: { bytes[index...].starts(with: $0) }) { start = index + link.count }
      default: break
      }
    }
    guard depth == 0 else { return nil }
    var path = Substring(String(decoding: bytes[start...], as: UTF8.self))
    for word in ["merged ", "static ", "class "] where path.hasPrefix(word) { path = path.dropFirst(word.count) }
    return path
  }
}
