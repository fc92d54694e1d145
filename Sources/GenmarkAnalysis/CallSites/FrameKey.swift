// SPDX-License-Identifier: MIT
//
// FrameKey: by what frames are the same function: base name of the module and demangled name. No address, no
// line, no folder: the same function of the next build, on another machine, has the same key.

import GenmarkModel

/// A function, told apart by module and name.
struct FrameKey: Hashable, Sendable {
  var module: String
  var function: String

  /// Without a name, the offset stands for it, as nothing else does.
  init(_ frame: Frame) {
    module = FrameKey.baseName(frame.module ?? "")
    if let function = frame.function {
      self.function = FrameKey.withoutClone(function)
    } else {
      function = frame.offset.map { "+0x" + String($0, radix: 16) } ?? "?"
    }
  }

  /// What stands behind the last slash.
  static func baseName(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2f) else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// Without the endings that compilers give to parts and copies of a function (.part.0, .cold, [clone …]),
  /// which come and go with every build.
  static func withoutClone(_ name: String) -> String {
    // Nearly no name has one, and this is asked for every frame.
    if !name.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }) { return name }
    var end = name.endIndex
    if let bracket = name.range(ofText: " [clone ") { end = bracket }
    for part in [".part", ".constprop", ".isra", ".cold", ".lto_priv", ".llvm"] {
      if let found = name[..<end].range(ofText: part) {
        let after = name.index(found, offsetBy: part.count)
        if after == end || name[after] == "." { end = found }
      }
    }
    return end == name.endIndex || end == name.startIndex ? name : String(name[..<end])
  }
}

extension StringProtocol {
  /// Where a text begins in this one; nil when it is not in it.
  func range(ofText text: String) -> Index? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return startIndex }
    var index = startIndex
    while let found = utf8[index...].firstIndex(of: first) {
      if utf8[found...].starts(with: wanted) { return found }
      index = utf8.index(after: found)
    }
    return nil
  }
}
