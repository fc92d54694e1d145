// SPDX-License-Identifier: MIT
//
// Demangler: what people call a function, from what linkers call it. The demangling itself is done by the
// languages' own libraries (CDemangle); here is which of them to ask, and how to keep hostile names short and quick.
// Shortening of C++ templates is in CxxName.

internal import CDemangle
internal import Glibc
internal import Synchronization

/// Turns linkage names into names for people. Any text goes in; the answers are as untrusted as the names.
package enum Demangler {
  /// Linkage names of more bytes are shown as they are, cut.
  static let linkageNameLimit = 4096
  /// Characters of a name for people; what is cut off ends in "…".
  static let nameLimit = 1024
  /// Bytes taken from a demangler before templates are shortened.
  private static let bufferSize = 32 << 10

  /// The name in its short form: Swift without modules and types, C++ with the standard library's defaults left out.
  package static func name(for linkageName: String) -> String {
    cut(demangled(linkageName, full: false) ?? withoutCopySuffix(linkageName))
  }

  /// The name with all that is known: modules, types, template arguments.
  package static func fullName(for linkageName: String) -> String {
    cut(demangled(linkageName, full: true) ?? linkageName)
  }

  static func isMangled(_ name: String) -> Bool { isSwift(name) || isCxx(name) || isRust(name) }

  static func isSwift(_ name: String) -> Bool {
    ["$s", "$S", "_$s", "_$S", "_T0", "$e", "_$e", "@__swiftmacro_"].contains { name.hasPrefix($0) }
  }

  static func isCxx(_ name: String) -> Bool { name.hasPrefix("_Z") || name.hasPrefix("___Z") }

  /// Rust's own mangling, or the one before it: C++'s with "h" and 16 hexadecimal digits as the last part.
  static func isRust(_ name: String) -> Bool {
    if name.hasPrefix("_R") { return true }
    guard name.hasPrefix("_ZN"), let end = name.utf8.lastIndex(of: UInt8(ascii: "E")) else { return false }
    let hash = name.utf8[..<end].suffix(19)
    return hash.count == 19 && hash.starts(with: "17h".utf8) && hash.dropFirst(3).allSatisfy { hexDigits.contains($0) }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  static func cut(_ name: String) -> String {
    // Scalars: what looks like one character may be a letter with 100,000 accents.
    guard name.utf8.count > nameLimit, name.unicodeScalars.count > nameLimit else { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.prefix(nameLimit - 1))) + "…"
  }

  private static func demangled(_ linkageName: String, full: Bool) -> String? {
    guard linkageName.utf8.count <= linkageNameLimit else { return nil }
    if isSwift(linkageName) { return swift(linkageName, full: full) }
    if isRust(linkageName) {
      if let name = text({ gm_demangle_rust(linkageName, $0, $1) }) { return name }
    }
    guard isCxx(linkageName) else { return nil }
    let bare = full ? linkageName : withoutCopySuffix(linkageName)
    guard let name = text({ gm_demangle_cxx(bare, full, $0, $1) }) else { return nil }
    return full ? name : CxxName.short(name)
  }

  private static func text(_ demangle: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
      guard let start = buffer.baseAddress, demangle(start, buffer.count) > 0 else { return nil }
      return String(cString: start)
    }
  }

  // MARK: Swift

  private static func swift(_ linkageName: String, full: Bool) -> String? {
    let name =
      expansionBits(of: linkageName) <= expansionLimit
      ? text { gm_demangle_swift(linkageName, full, $0, $1) } : guardedSwift(linkageName, full: full)
    guard let name, !full, let resumed = resumption(in: linkageName) else { return name }
    return "(\(resumed.ordinal)) \(resumed.kind) resume partial function for \(name)"
  }

  /// A million parts: less than a tenth of a second.
  private static let expansionLimit = 20.0

  /// Processor time that guarded names have taken, in microseconds.
  private static let guardedTime = Atomic<UInt64>(0)
  /// Beyond it they are shown as they are: a file with so many of them was made to be slow.
  private static let guardedTimeLimit: UInt64 = 3_000_000

  private static func guardedSwift(_ linkageName: String, full: Bool) -> String? {
    guard guardedTime.load(ordering: .relaxed) < guardedTimeLimit else { return nil }
    var time: UInt64 = 0
    let name = text { gm_demangle_swift_guarded(linkageName, full, $0, $1, &time) }
    // A name of the ordinary kind takes about as long as its process does: that is not counted.
    if time > 10_000 { guardedTime.add(time, ordering: .relaxed) }
    return name
  }

  /// The part of an async function that runs after its n-th suspension is a function of its own. The short form of the
  /// demangler does not say so; the linkage name does, by TQ or TY and n − 1 at its end.
  static func resumption(in linkageName: String) -> (kind: String, ordinal: Int)? {
    var rest = Substring(linkageName)
    guard rest.popLast() == "_" else { return nil }
    let digits = rest.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
    guard let number = Int(String(digits)), number < 1_000_000 else { return nil }
    let head = rest.dropLast(digits.count)
    if head.hasSuffix("TQ") { return ("await", number + 1) }
    if head.hasSuffix("TY") { return ("suspend", number + 1) }
    return nil
  }

  /// An upper bound of log2 of how much longer a Swift name's parts become: each may stand for copies of earlier ones.
  ///
  /// A reference is "A", then letters, of which a capital is the last, each with a count before it. One with count r puts
  /// at most r copies of all that was there behind it, so that the whole is at most (1 + r) times as long. Letters of
  /// identifiers are taken for references too: the bound stays one.
  static func expansionBits(of linkageName: String) -> Double {
    var bits = 0.0
    var count = 0.0
    var isReference = false
    for byte in linkageName.utf8 {
      switch byte {
      case UInt8(ascii: "A") where !isReference:
        isReference = true
        count = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isReference:
        count = min(count * 10 + Double(byte - UInt8(ascii: "0")), 65536)
      case _ where isReference:
        bits += log2(1 + max(count, 1))
        count = 0
        isReference = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      default: break
      }
    }
    return bits
  }

  /// Compilers name the copies that they make of a function after it: "parse.constprop.0", "_ZN3FooC2Ev.cold". So does
  /// glibc with those that it calls itself: "__GI_strdup".
  static func withoutCopySuffix(_ name: String) -> String {
    let name = name.hasPrefix("__GI_") ? String(name.dropFirst(5)) : name
    let marks = [".part", ".constprop", ".isra", ".cold", ".lto_priv", ".llvm", ".localalias"]
    guard let dot = name.dropFirst().firstIndex(of: "."), marks.contains(where: { name[dot...].hasPrefix($0) }) else {
      return name
    }
    return String(name[..<dot])
  }
}
