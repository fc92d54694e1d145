// SPDX-License-Identifier: MIT
//
// HTMLTables: names, frames and call stacks of the HTML report, each once: a hundred thousand call sites stay a few
// megabytes. They are flat arrays of numbers, which page scripts read without making an object for each. What refers to
// them is in HTMLData.swift.

import GenmarkModel

/// Tables that numbers of the report's data point into.
struct HTMLTables {
  /// Longest text in characters; more than fits on a line, and templates can have any length.
  private static let longestText = 500
  /// Numbers of one frame: name, file, line (0 not known), module, flags; −1 where there is no text.
  static let frameWidth = 5
  /// Numbers of one node: parent, frame. A parent comes before its children; node 0 is the whole, with frame −1.
  static let nodeWidth = 2

  /// What `flags` of a frame are made of.
  private enum Flag {
    static let folded: Int64 = 1
    static let inlined: Int64 = 2
    static let own: Int64 = 4
  }

  private struct NodeKey: Hashable {
    var parent: Int
    var frame: Int
  }

  /// Path of the program's own module; nil when not known.
  private let program: String?
  private var strings: [String] = []
  private var stringIndex: [String: Int] = [:]
  private var frames: [Int64] = []
  private var frameIndex: [Frame: Int] = [:]
  private var nodes: [Int64] = [0, -1]
  private var nodeIndex: [NodeKey: Int] = [:]
  /// The last stack from the outermost frame on, and its nodes: the next one mostly begins in the same way.
  private var lastStack: [Frame] = []
  private var lastNodes: [Int] = []

  /// By node of the recording's call tree; 0 where not asked for yet.
  private var nodeOfRecorded: [Int] = []

  init(program: String?) { self.program = program }

  /// The node of a recorded call site. Each recorded node is named once.
  mutating func node(of callSite: CallTree.NodeID, in tree: CallTree, named source: any FrameSource) -> Int {
    if nodeOfRecorded.isEmpty { nodeOfRecorded = [Int](repeating: 0, count: tree.count) }
    var path: [CallTree.NodeID] = []
    var parent = 0
    var node = callSite
    while node != 0, Int(node) < tree.count {
      if nodeOfRecorded[Int(node)] != 0 {
        parent = nodeOfRecorded[Int(node)]
        break
      }
      path.append(node)
      let above = tree.parents[Int(node)]
      if above >= node { break }
      node = above
    }
    for node in path.reversed() {
      for frame in source.frames(ofNode: node).reversed() { parent = child(of: parent, frame: self.frame(frame)) }
      nodeOfRecorded[Int(node)] = parent
    }
    return parent
  }

  /// The node of a call stack, innermost frame first.
  mutating func node(of stack: [Frame]) -> Int {
    var nodes: [Int] = []
    nodes.reserveCapacity(stack.count)
    var parent = 0
    var isShared = true
    for (depth, frame) in stack.reversed().enumerated() {
      isShared = isShared && depth < lastStack.count && lastStack[depth] == frame
      parent = isShared ? lastNodes[depth] : child(of: parent, frame: self.frame(frame))
      nodes.append(parent)
    }
    lastStack = stack.reversed()
    lastNodes = nodes
    return parent
  }

  /// The number of a frame.
  mutating func frame(_ frame: Frame) -> Int {
    // Frames that read the same are one, whatever their address.
    var shown = frame
    shown.column = nil
    shown.linkageName = nil
    if frame.function != nil { shown.offset = nil }
    if let known = frameIndex[shown] { return known }
    let index = frames.count / HTMLTables.frameWidth
    var flags: Int64 = frame.folded ? Flag.folded : 0
    if frame.inlined { flags |= Flag.inlined }
    if frame.isOwnCode(program: program) { flags |= Flag.own }
    let name = string(FrameText.plainName(frame))
    frames += [name, frame.file.map { string($0) } ?? -1, Int64(frame.line ?? 0)]
    frames += [frame.module.map { string($0) } ?? -1, flags]
    frameIndex[shown] = index
    return index
  }

  /// `strings`, `frames` and `nodes` of the data.
  var fields: [(String, JSONValue)] {
    return [
      ("strings", .each(strings) { .string($0) }), ("frames", HTMLTables.numbers(frames)),
      ("nodes", HTMLTables.numbers(nodes)),
    ]
  }

  static func numbers(_ values: [Int64]) -> JSONValue { .each(values) { .integer($0) } }

  /// Text as the page shows it: in one line, with control and direction-changing characters made visible.
  static func shown(_ text: String, limit: Int = longestText) -> String {
    Escaping.terminal(Escaping.cut(text, to: limit))
  }

  // MARK: - Parts

  private mutating func child(of parent: Int, frame: Int) -> Int {
    let key = NodeKey(parent: parent, frame: frame)
    if let known = nodeIndex[key] { return known }
    let index = nodes.count / HTMLTables.nodeWidth
    nodes.append(Int64(parent))
    nodes.append(Int64(frame))
    nodeIndex[key] = index
    return index
  }

  private mutating func string(_ text: String) -> Int64 {
    let text = HTMLTables.shown(text)
    if let known = stringIndex[text] { return Int64(known) }
    stringIndex[text] = strings.count
    strings.append(text)
    return Int64(strings.count - 1)
  }
}
