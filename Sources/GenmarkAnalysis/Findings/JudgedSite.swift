// SPDX-License-Identifier: MIT
//
// JudgedSite: a call site (recorded ones at the same place joined) with its verdict, on its way to a finding.

import GenmarkModel

struct JudgedSite {
  var callSites: [CallTree.NodeID]
  var judgement: Judgement
  /// Its blocks get longer and not more: it may be the container of what grows elsewhere.
  var lengthens = false
  /// It keeps something that was born in the settling cycles: alone that says nothing, together with others it may.
  var keepsNewest = false
  /// A store in a library that is known to be bounded.
  var known: KnownGrowth?

  // Filled when it is named.
  var frames: [Frame] = []
  var headline: Int = 0
  var chain = CallerChain(functions: [])

  /// Recorded frames from the allocator to the headline. Inlined frames stand before the frame they were put into: those
  /// that are not count nodes of the call tree.
  var headlineDepth: Int { frames.prefix(headline).count { !$0.inlined } }

  /// Good enough to be reported as it stands; else the level above may be steadier.
  var isSettled: Bool {
    judgement.verdict == .leak || (judgement.verdict == .stepwise && judgement.certainty >= .high)
  }
}

/// Names call sites. What it has named it remembers as numbers, since thousands of call sites share most of their frames.
final class SiteNamer {
  private let frames: FrameSource
  private let tree: CallTree
  /// Path of the program's own module.
  private let program: String?
  private var numbers: [FrameKey: Int32] = [:]
  private var nodes: [Place: Node] = [:]
  private var chains: [CallTree.NodeID: [Int32]] = [:]

  /// What nodes are named by: thousands of them are the same address below different callers.
  private struct Place: Hashable {
    var address: UInt64
    var module: Module.ID
  }

  /// What is known of a node's own frames, innermost first.
  private final class Node {
    let frames: [Frame]
    let keys: [FrameKey]
    let numbers: [Int32]
    let isOwn: [Bool]

    init(frames: [Frame], keys: [FrameKey], numbers: [Int32], isOwn: [Bool]) {
      self.frames = frames
      self.keys = keys
      self.numbers = numbers
      self.isOwn = isOwn
    }
  }

  init(frames: FrameSource, tree: CallTree, program: String?) {
    self.frames = frames
    self.tree = tree
    self.program = program
  }

  func name(_ site: inout JudgedSite) {
    guard site.frames.isEmpty, let first = site.callSites.first else { return }
    (site.frames, site.headline, site.chain) = name(first)
  }

  func name(_ callSite: CallTree.NodeID) -> (frames: [Frame], headline: Int, chain: CallerChain) {
    let path = tree.path(of: callSite).map(node)
    var list: [Frame] = []
    list.reserveCapacity(path.reduce(0) { $0 + $1.frames.count })
    // As `headline(program:)` has it, from what is known of each node.
    var unfolded: Int?
    var own: Int?
    for node in path {
      for (index, frame) in node.frames.enumerated() where !frame.folded && own == nil {
        unfolded = unfolded ?? list.count + index
        if node.isOwn[index] { own = list.count + index }
      }
      list += node.frames
    }
    let headline = own ?? unfolded ?? 0
    var chain = CallerChain(functions: [])
    var chainNumbers: [Int32] = []
    var index = 0
    for node in path {
      for (place, frame) in node.frames.enumerated() {
        defer { index += 1 }
        guard index >= headline, !frame.folded || index == headline, chainNumbers.count < CallerChain.limit,
          !chainNumbers.contains(node.numbers[place])
        else { continue }
        chainNumbers.append(node.numbers[place])
        chain.functions.append(node.keys[place])
      }
    }
    chains[callSite] = chainNumbers
    return (list, headline, chain)
  }

  private func node(_ id: CallTree.NodeID) -> Node {
    let place = Place(address: tree.addresses[Int(id)], module: tree.modules[Int(id)])
    if let known = nodes[place] { return known }
    let list = frames.frames(ofNode: id)
    let keys = list.map { FrameKey($0) }
    let node = Node(
      frames: list, keys: keys, numbers: keys.map(number), isOwn: list.map { $0.isOwnCode(program: program) })
    nodes[place] = node
    return node
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
