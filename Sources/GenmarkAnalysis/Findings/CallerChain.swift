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

  /// True when the other chain's headline is one of this chain's callers, reached by the same way.
  func isBelow(_ other: CallerChain, within steps: Int) -> Bool {
    let distance = functions.count - other.functions.count
    return distance > 0 && distance <= steps && functions.suffix(other.functions.count) == other.functions[...]
  }
}
