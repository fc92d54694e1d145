// SPDX-License-Identifier: MIT
//
// FoldPattern: how a frame to be folded is described, by the user and by the built-in table alike. The table itself
// is in FoldTable.

/// Function names to fold, optionally of one module only.
///
/// `FUNCTION`, `MODULE!FUNCTION` or `MODULE!`, where `*` stands for any characters. FUNCTION is compared with the
/// name as shown, with its plain form (no parameters and template arguments) and with the linkage name; MODULE with
/// the last part of the path.
struct FoldPattern {
  let module: String?
  let function: String?

  init(_ text: String) {
    if let mark = text.firstIndex(of: "!"), text[text.index(after: mark)...] != "=" {
      module = mark == text.startIndex ? nil : String(text[..<mark])
      let function = String(text[text.index(after: mark)...])
      self.function = function.isEmpty ? nil : function
    } else {
      module = nil
      function = text
    }
  }

  func matches(names: [String], moduleName: String) -> Bool {
    if let module, !FoldPattern.glob(module, matches: moduleName) { return false }
    guard let function else { return module != nil }
    return names.contains { FoldPattern.glob(function, matches: $0) }
  }

  /// `*` is any number of bytes.
  /// - Complexity: O(pattern × text)
  static func glob(_ pattern: String, matches text: String) -> Bool {
    let pattern = Array(pattern.utf8)
    let text = Array(text.utf8)
    var p = 0
    var t = 0
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        // The last star takes one more.
        star = (last.pattern, last.text + 1)
        p = last.pattern + 1
        t = last.text + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
