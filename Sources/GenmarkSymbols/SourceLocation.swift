// SPDX-License-Identifier: MIT
//
// SourceLocation: a place in a source file, as debug information has it and as people want to read it.

/// A place in a source file; what is not known is nil.
struct SourceLocation {
  var file: String?
  /// From 1.
  var line: Int?
  /// From 1; nil where `line` is.
  var column: Int?

  /// What swiftc gives as the file of code that stands in none.
  static let compilerGenerated = "<compiler-generated>"

  /// The path without the steps that compilers leave in it.
  static func presented(_ path: String) -> String {
    path.hasSuffix(compilerGenerated) ? compilerGenerated : clean(path)
  }

  /// "/src/./a/../b.c" becomes "/src/b.c". By text alone: the folders need not be on this machine.
  private static func clean(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
