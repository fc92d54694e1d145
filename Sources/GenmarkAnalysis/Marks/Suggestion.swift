// SPDX-License-Identifier: MIT
//
// Suggestion: what a misspelt word was meant to be.

/// Finds the nearest of some words.
public enum Suggestion {
  /// The word with the fewest letters to change, without regard to case; nil when more than a third would change.
  public static func nearest(to word: String, among words: [String]) -> String? {
    let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars.prefix(64)))
      if distance < best?.distance ?? (max(1, wanted.count / 3) + 1) { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Levenshtein's distance.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
