// SPDX-License-Identifier: MIT
//
// SuppressionFile: reads suppressions from text: `leak:pattern`, one a line; `#` begins a comment; other kinds
// of sanitizer lines (`race:`, `vptr:` …) are left alone, so that one file can serve several tools.

/// Reads suppression files.
public enum SuppressionFile {
  /// - Parameter file: name for messages.
  /// - Throws: `badRule` for a line without a kind, or an empty pattern.
  public static func parse(_ text: String, file: String) throws(AnalysisError) -> [Suppression] { [] }
}
