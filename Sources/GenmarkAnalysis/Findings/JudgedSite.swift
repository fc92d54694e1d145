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

/// Names call sites. What it has named it remembers as numbers, since thousands of call sites share most of their frames.
final class SiteNamer {
  private let frames: FrameSource
  /// Path of the program's own module.
  private let program: String?
  private var numbers: [FrameKey: Int32] = [:]
  private var chains: [CallTree.NodeID: [Int32]] = [:]

  init(frames: FrameSource, program: String?) {
    self.frames = frames
    self.program = program
  }

  func name(_ site: inout JudgedSite) {
    guard site.frames.isEmpty, let first = site.callSites.first else { return }
    (site.frames, site.headline, site.chain) = name(first)
  }

  func name(_ callSite: CallTree.NodeID) -> (frames: [Frame], headline: Int, chain: CallerChain) {
    let list = frames.frames(of: callSite)
    let headline = list.isEmpty ? 0 : list.headline(program: program)
    let chain = CallerChain(list, headline: headline)
    if chains[callSite] == nil { chains[callSite] = chain.functions.map(number) }
    return (list, headline, chain)
  }

  /// The chain of a call site with a number for each function: equal functions have equal numbers.
  func numberedChain(of callSite: CallTree.NodeID) -> [Int32] {
    if let known = chains[callSite] { return known }
    return name(callSite).chain.functions.map(number)
  }

  private func number(_ key: FrameKey) -> Int32 {
    if let known = numbers[key] { return known }
    let next = Int32(numbers.count)
    numbers[key] = next
    return next
  }
}
