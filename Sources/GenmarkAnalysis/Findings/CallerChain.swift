// SPDX-License-Identifier: MIT
//
// CallerChain: a call stack as the user thinks of it: the function to look at (the headline), its caller, and so
// on outwards. Folded frames are left out, recursion is collapsed. Chains are compared to group call sites and
// hashed for fingerprints.

import GenmarkModel

struct CallerChain: Hashable, Sendable {
  /// The headline's function first; each function once, at its innermost place.
  var functions: [FrameKey]

  /// Longer chains are cut: what is farther out does not tell findings apart.
  static let limit = 128

  init(functions: [FrameKey]) { self.functions = functions }

  /// - Parameter headline: index of the headline in `frames`, which are innermost first.
  init(_ frames: [Frame], headline: Int) {
    functions = []
    var seen: Set<FrameKey> = []
    for (index, frame) in frames.enumerated().dropFirst(headline) {
      if frame.folded, index != headline { continue }
      let key = FrameKey(frame)
      if seen.insert(key).inserted { functions.append(key) }
      if functions.count == CallerChain.limit { break }
    }
  }

  /// True when both come to the same caller within some calls, which may be one of them. What only the outermost
  /// function has in common is not near, unless that is one of the two.
  func isNear(_ other: CallerChain, within steps: Int) -> Bool {
    for drop in 0...steps {
      let kept = functions.count - drop
      let otherDrop = other.functions.count - kept
      guard kept > 0, (0...steps).contains(otherDrop) else { continue }
      if kept == 1, drop > 0, otherDrop > 0 { continue }
      if functions.suffix(kept) == other.functions.suffix(kept) { return true }
    }
    return false
  }
}
