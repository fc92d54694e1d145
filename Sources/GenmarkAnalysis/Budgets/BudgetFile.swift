// SPDX-License-Identifier: MIT
//
// BudgetFile: reads and writes genmark.json, the budget of a project.
//
//     { "maxGrowth": "0B", "maxTotal": "4KiB", "maxBlocks": 0,
//       "limits": [ { "function": "Cache::*", "maxGrowth": "1KiB" } ],
//       "exceptions": [ { "fingerprint": "9f2c…", "reason": "…", "until": "2026-12-31" } ] }

/// Reads and writes genmark.json.
public enum BudgetFile {
  /// - Throws: `badRule`; an unknown field is one, so that a misspelt limit is not silently none.
  public static func parse(_ text: String, file: String) throws(AnalysisError) -> Budget { Budget() }

  /// The text of `file` with an exception added; empty `text` makes a new file.
  /// - Throws: `badRule` when `text` can not be read.
  public static func adding(
    _ exception: BudgetException, to text: String, file: String
  ) throws(AnalysisError) -> String { text }

  /// `4KiB`, `1.5MB`, `0B`, `100`: bytes, not negative. Nil when it is none.
  public static func bytes(_ text: String) -> Int64? { nil }
}
