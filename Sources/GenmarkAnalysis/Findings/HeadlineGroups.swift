// SPDX-License-Identifier: MIT
//
// HeadlineGroups: call sites by the function to look at, without naming each of them. Which function that is follows
// from the frames between the allocator and it, which thousands of call sites share: one of them is named.

import GenmarkModel

struct HeadlineGroups {
  private let recording: Recording
  private let namer: SiteNamer
  private let placement: Placement

  init(recording: Recording, namer: SiteNamer) {
    self.recording = recording
    self.namer = namer
    placement = Placement(recording.modules)
  }

  /// An edge of the tree of innermost frames: the frame at this place, called below what `parent` stands for.
  private struct Edge: Hashable {
    var parent: Int
    var module: Module.ID
    var offset: UInt64
  }

  /// Call sites with one headline function together, in the order of their first.
  func groups(of sites: [JudgedSite]) -> [[JudgedSite]] {
    var edges: [Edge: Int] = [:]
    // By node of the tree: the group of the headline that was found there.
    var found: [Int?] = [nil]
    var groupOf: [FrameKey: Int] = [:]
    var groups: [[JudgedSite]] = []
    for site in sites {
      guard let callSite = site.callSites.first else { continue }
      var node = 0
      var group: Int?
      var frame = callSite
      while frame != 0, group == nil, let next = edges[edge(frame, below: node)] {
        node = next
        group = found[node]
        frame = caller(of: frame)
      }
      if group == nil {
        let name = namer.name(callSite)
        let key = name.chain.functions.first ?? FrameKey(Frame())
        group = groupOf[key]
        if group == nil {
          group = groups.count
          groupOf[key] = groups.count
          groups.append([])
        }
        // Inlined frames stand before the frame they were put into: those that are not count nodes.
        let depth = name.frames.prefix(name.headline).count { !$0.inlined } + 1
        node = 0
        frame = callSite
        for _ in 0..<depth where frame != 0 {
          let edge = edge(frame, below: node)
          if let next = edges[edge] {
            node = next
          } else {
            edges[edge] = found.count
            node = found.count
            found.append(nil)
          }
          frame = caller(of: frame)
        }
        found[node] = group
      }
      if let group { groups[group].append(site) }
    }
    return groups
  }

  /// 0 at the outermost frame.
  private func caller(of node: CallTree.NodeID) -> CallTree.NodeID {
    let parent = recording.callTree.parents[Int(node)]
    return parent < node ? parent : 0
  }

  private func edge(_ node: CallTree.NodeID, below parent: Int) -> Edge {
    let place = placement.place(
      of: recording.callTree.addresses[Int(node)], in: recording.callTree.modules[Int(node)])
    return Edge(parent: parent, module: place.module, offset: place.offset)
  }
}
