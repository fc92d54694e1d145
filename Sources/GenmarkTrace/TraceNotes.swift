// SPDX-License-Identifier: MIT
//
// TraceNotes: what a reader should know of a trace that could be read all the same. What stops the reading is in
// TraceError.

/// Remarks in the order in which they came up, each said once with how often it came up.
struct TraceNotes {
  private var order: [String] = []
  private var counts: [String: Int] = [:]

  mutating func add(_ text: String, times: Int = 1) {
    guard times > 0 else { return }
    if counts[text] == nil { order.append(text) }
    counts[text, default: 0] += times
  }

  var texts: [String] {
    order.map { text in
      let count = counts[text] ?? 1
      return count == 1 ? text : "\(text) (\(count) times)"
    }
  }
}
