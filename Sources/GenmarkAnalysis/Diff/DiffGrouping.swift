// SPDX-License-Identifier: MIT
//
// DiffGrouping: makes the rows of a diff from its call sites: by call site, function, module or inverted tree.
// Frames are looked up only where they are needed: naming is what takes time.

import GenmarkModel

struct DiffGrouping {
  let recording: Recording
  let frames: FrameSource
  let options: DiffOptions

  /// Amounts of a group in the making.
  private struct Sum {
    var callSites: [CallTree.NodeID] = []
    var born = Amount.zero
    var freed = Amount.zero
    mutating func add(_ entry: Diff.Entry) {
      callSites.append(entry.callSite)
      born += entry.born
      freed += entry.freed
    }
  }

  /// Only the rows that are kept are named.
  func callSites(_ entries: [Diff.Entry]) -> (rows: [DiffRow], count: Int) {
    let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.callSite, $0) })
    var sums: [Sum] = StableSites(recording).groups(of: entries.lazy.map(\.callSite)).map { sites in
      var sum = Sum()
      for site in sites { if let entry = byID[site] { sum.add(entry) } }
      return sum
    }
    sort(&sums, { ($0.born, $0.freed) }, tie: { $0.callSites[0] < $1.callSites[0] })
    let program = recording.mainModule?.path
    let rows = sums.prefix(options.top ?? sums.count).map { sum in
      let frames = frames.frames(of: sum.callSites[0])
      return DiffRow(
        frames: frames, headline: frames.isEmpty ? nil : frames[frames.headline(program: program)], born: sum.born,
        freed: sum.freed, callSites: sum.callSites)
    }
    return (rows, sums.count)
  }

  func functions(_ entries: [Diff.Entry]) -> (rows: [DiffRow], count: Int) {
    rows(entries) { $0 }
  }

  func modules(_ entries: [Diff.Entry]) -> (rows: [DiffRow], count: Int) {
    rows(entries) { Frame(module: $0?.module) }
  }

  /// By what `shown` makes of the headline.
  private func rows(_ entries: [Diff.Entry], by shown: (Frame?) -> Frame?) -> (rows: [DiffRow], count: Int) {
    let program = recording.mainModule?.path
    var index: [FrameKey: Int] = [:]
    var sums: [(frame: Frame?, key: FrameKey, sum: Sum)] = []
    for entry in entries {
      let frames = frames.frames(of: entry.callSite)
      let frame = shown(frames.isEmpty ? nil : frames[frames.headline(program: program)])
      let key = FrameKey(frame ?? Frame())
      if index[key] == nil {
        index[key] = sums.count
        sums.append((frame, key, Sum()))
      }
      if let position = index[key] { sums[position].sum.add(entry) }
    }
    sort(
      &sums, { ($0.sum.born, $0.sum.freed) },
      tie: { ($0.key.function, $0.key.module) < ($1.key.function, $1.key.module) })
    let rows = sums.prefix(options.top ?? sums.count).map { item in
      DiffRow(
        frames: item.frame.map { [$0] } ?? [], headline: item.frame, born: item.sum.born, freed: item.sum.freed,
        callSites: item.sum.callSites)
    }
    return (rows, sums.count)
  }

  /// Allocating functions with their callers. Folded frames are left out, unless a stack has no others.
  func tree(_ entries: [Diff.Entry]) -> (nodes: [DiffNode], count: Int) {
    var trie = FrameTrie()
    for entry in entries {
      let all = frames.frames(of: entry.callSite)
      let shown = all.contains { !$0.folded } ? all.filter { !$0.folded } : all
      trie.add(shown, born: entry.born, freed: entry.freed)
    }
    let nodes = trie.nodes {
      sort(&$0, { ($0.born, $0.freed) }, tie: { FrameKey($0.frame).function < FrameKey($1.frame).function })
    }
    return (Array(nodes.prefix(options.top ?? nodes.count)), nodes.count)
  }

  /// Most born first, then most freed; equal ones by `tie`, so that the order is always the same.
  private func sort<Row>(
    _ rows: inout [Row], _ amounts: (Row) -> (born: Amount, freed: Amount), tie: (Row, Row) -> Bool
  ) {
    func measure(_ amount: Amount) -> (Int64, Int64) {
      options.sorting == .bytes
        ? (amount.bytes.count, amount.blocks.count) : (amount.blocks.count, amount.bytes.count)
    }
    rows.sort { a, b in
      let (x, y) = (amounts(a), amounts(b))
      if x.born != y.born { return measure(x.born) > measure(y.born) }
      if x.freed != y.freed { return measure(x.freed) > measure(y.freed) }
      return tie(a, b)
    }
  }
}

/// A tree of functions in the making: nodes in arrays, as stacks can be deeper than recursion should be.
private struct FrameTrie {
  private struct Edge: Hashable {
    var parent: Int
    var key: FrameKey
  }
  private var frames: [Frame] = [Frame()]
  private var parents = [0]
  private var born = [Amount.zero]
  private var freed = [Amount.zero]
  private var edges: [Edge: Int] = [:]

  /// Adds a stack, innermost frame first.
  mutating func add(_ stack: [Frame], born: Amount, freed: Amount) {
    var node = 0
    for frame in stack {
      let edge = Edge(parent: node, key: FrameKey(frame))
      if let known = edges[edge] {
        node = known
      } else {
        edges[edge] = frames.count
        parents.append(node)
        node = frames.count
        frames.append(frame)
        self.born.append(.zero)
        self.freed.append(.zero)
      }
      self.born[node] += born
      self.freed[node] += freed
    }
  }

  /// The nodes at the top, each level ordered by `sort`.
  func nodes(_ sort: (inout [DiffNode]) -> Void) -> [DiffNode] {
    var children = [[DiffNode]](repeating: [], count: frames.count)
    for node in stride(from: frames.count - 1, to: 0, by: -1) {
      var below = children[node]
      children[node] = []
      sort(&below)
      children[parents[node]].append(
        DiffNode(frame: frames[node], born: born[node], freed: freed[node], children: below))
    }
    sort(&children[0])
    return children[0]
  }
}
