// SPDX-License-Identifier: MIT
//
// Suggestion: the word that was probably meant.

/// Finds the word that was probably meant.
public enum Suggestion {
  /// The nearest of `candidates` by optimal string alignment (insert, delete, replace, swap neighbours), or nil when
  /// none is near: up to a third of the longer word may differ, and a beginning always counts as near.
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let distance = Suggestion.distance(Array(word.lowercased()), Array(candidate.lowercased()))
      if distance < best?.distance ?? Int.max { best = (distance, candidate) }
    }
    if let best, best.distance * 3 <= max(word.count, best.candidate.count) { return best.candidate }
    let stem = word.drop { $0 == "-" }
    return stem.count >= 2 ? candidates.first { $0.hasPrefix(word) || $0.drop { $0 == "-" }.hasPrefix(stem) } : nil
  }

  /// - Complexity: O(a × b)
  public static func distance(_ a: [Character], _ b: [Character]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], beforeLast[j - 2] + 1) }
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
