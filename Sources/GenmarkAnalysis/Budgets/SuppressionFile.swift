// SPDX-License-Identifier: MIT
//
// SuppressionFile: reads suppressions from text: `leak:pattern`, one a line; `#` at the beginning of a line makes a
// comment, which gives the reason of the line below it. Other kinds of sanitizer lines (`race:`, `vptr:` …) are left
// alone, so that one file can serve several tools.

/// Reads suppression files.
public enum SuppressionFile {
  /// - Parameter file: name for messages.
  /// - Throws: `badRule` for a line without a kind, or an empty pattern.
  public static func parse(_ text: String, file: String) throws(AnalysisError) -> [Suppression] {
    var suppressions: [Suppression] = []
    var comment: String?
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let content = trimmed(line)
      if content.isEmpty {
        comment = nil
        continue
      }
      if content.first == UInt8(ascii: "#") {
        let words = String(Substring(trimmed(content.drop { $0 == UInt8(ascii: "#") })))
        comment = comment.map { "\($0) \(words)" } ?? words
        continue
      }
      let shown = String(Substring(content))
      guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
        throw .badRule(
          file: file, line: number, text: shown,
          reason: "no kind of suppression. Write leak:pattern, or # before a comment.")
      }
      let pattern = String(Substring(trimmed(content[content.index(after: colon)...])))
      if content[..<colon].elementsEqual("leak".utf8) {
        if pattern.isEmpty || pattern.allSatisfy({ "*^$".contains($0) }) {
          throw .badRule(
            file: file, line: number, text: shown,
            reason: "this would suppress everything. Name a function, file or module.")
        }
        suppressions.append(
          Suppression(
            pattern: Pattern(.any, pattern),
            reason: comment.flatMap { $0.isEmpty ? nil : $0 } ?? "suppressed in \(file)",
            file: file, line: number))
      }
      // A comment stands for the lines right below it, up to an empty one.
    }
    return suppressions
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest
  }
}
