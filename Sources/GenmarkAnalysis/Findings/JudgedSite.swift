// SPDX-License-Identifier: MIT
//
// JudgedSite: a call site (recorded ones at the same place joined) with its verdict, on its way to a finding.

import GenmarkModel

struct JudgedSite {
  var callSites: [CallTree.NodeID]
  var judgement: Judgement
  /// It is a container or pool that grows by a factor.
  var doubles = false
  /// It keeps something that was born in the settling cycles: alone that says nothing, together with others it may.
  var keepsNewest = false
  /// A store in a library that is known to be bounded.
  var known: KnownGrowth?

  // Filled when it is named.
  var frames: [Frame] = []
  var headline: Int = 0
  var chain = CallerChain(functions: [])

  /// Good enough to be reported as it stands; else the level above may be steadier.
  var isSettled: Bool {
    judgement.verdict == .leak || (judgement.verdict == .stepwise && judgement.certainty >= .high)
  }
}

/// Names call sites.
struct SiteNamer {
  let frames: FrameSource
  /// Path of the program's own module.
  let program: String?

  func name(_ site: inout JudgedSite) {
    guard site.frames.isEmpty, let first = site.callSites.first else { return }
    (site.frames, site.headline, site.chain) = name(first)
  }

  func name(_ callSite: CallTree.NodeID) -> (frames: [Frame], headline: Int, chain: CallerChain) {
    let list = frames.frames(of: callSite)
    let headline = list.isEmpty ? 0 : list.headline(program: program)
    return (list, headline, CallerChain(list, headline: headline))
  }
}
