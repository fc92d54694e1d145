// SPDX-License-Identifier: MIT
//
// KnownGrowth: stores in libraries that fill up to a bound, and look like a leak until they have. What is in the list
// is still shown, with its reason, and never counts as growth. Suppressions of the user are in Budgets/.

import GenmarkModel

/// A store that is known to be bounded.
struct KnownGrowth: Sendable, Equatable {
  /// The function that allocates for the store, and the beginning of its module's base name.
  var function: String
  var module: String
  /// What it is, how large it gets, and in which versions that was seen.
  var reason: String

  static let all = [
    KnownGrowth(
      function: "_dispatch_continuation_alloc_from_heap", module: "libdispatch.so",
      reason:
        "libdispatch keeps continuations that have run for the next ones: blocks of 64 bytes, up to about 1,700 in "
        + "all (seen with Swift 6.3.1).")
  ]

  /// The store that a call site belongs to: the innermost frame outside the allocator tells. Its index is that of the
  /// frame.
  static func find(_ frames: [Frame]) -> (known: KnownGrowth, index: Int)? {
    for (index, frame) in frames.enumerated() {
      let base = FrameKey.baseName(frame.module ?? "")
      if let known = all.first(where: { $0.function == frame.function && base.hasPrefix($0.module) }) {
        return (known, index)
      }
      // Allocators, and helpers in the library itself, lie below the function.
      let isHelper = frame.folded || all.contains { base.hasPrefix($0.module) }
      if !isHelper { return nil }
    }
    return nil
  }
}

extension JudgedSite {
  /// Takes growth of a known store for what it is. Named call sites only.
  mutating func recognise() {
    guard judgement.verdict.isReported, let (known, index) = KnownGrowth.find(frames) else { return }
    judgement.verdict = .saturating
    judgement.certainty = .low
    judgement.why = known.reason
    self.known = known
    headline = index
    chain = CallerChain(functions: [FrameKey(frames[index])])
  }
}
