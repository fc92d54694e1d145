// SPDX-License-Identifier: MIT
//
// StableSites: call sites that are one place in the program's text, though recorded as several: a plug-in that is
// unloaded and loaded again has other addresses, and is another module, each time. Joined by module path and
// offset of every frame, so without symbols; joining by names of functions is CallerChain's.

import GenmarkModel

/// Joins call sites whose frames lie at the same places of the same files.
struct StableSites {
  /// For each node of the call tree, the first node that stands at the same place; itself when no module was
  /// loaded twice.
  let representative: [CallTree.NodeID]

  /// - Complexity: O(modules) when no file was loaded twice, else O(nodes).
  init(_ recording: Recording) {
    let tree = recording.callTree
    let placement = Placement(recording.modules)
    guard placement.hasReloads else {
      representative = Array(0..<CallTree.NodeID(tree.count))
      return
    }
    var table = NodeTable(capacity: tree.count)
    var representative = [CallTree.NodeID](repeating: 0, count: tree.count)
    for node in 1..<max(1, tree.count) {
      let parent = tree.parents[node]
      // A parent's id is below its children's; whatever else a damaged tree says hangs below the root.
      let above = Int(parent) < node ? representative[Int(parent)] : 0
      let place = placement.place(of: tree.addresses[node], in: tree.modules[node])
      representative[node] = table.intern(
        NodeTable.Key(module: place.module, offset: place.offset, parent: above), as: CallTree.NodeID(node))
    }
    self.representative = representative
  }

  /// These call sites by the place they stand for, in the order of their first.
  func groups(of callSites: some Sequence<CallTree.NodeID>) -> [[CallTree.NodeID]] {
    var groups: [[CallTree.NodeID]] = []
    var groupOf: [CallTree.NodeID: Int] = [:]
    for site in callSites {
      let first = Int(site) < representative.count ? representative[Int(site)] : site
      if let group = groupOf[first] {
        groups[group].append(site)
      } else {
        groupOf[first] = groups.count
        groups.append([site])
      }
    }
    return groups
  }
}

/// Where addresses lie, independent of where modules were loaded.
struct Placement {
  /// First module with the same path, by module id.
  private var first: [Module.ID]
  private var biases: [UInt64]
  /// A file was loaded more than once.
  private(set) var hasReloads = false

  init(_ modules: [Module]) {
    first = [0]
    biases = [0]
    var byPath: [String: Module.ID] = [:]
    for (index, module) in modules.enumerated() {
      let id = Module.ID(index + 1)
      if let known = byPath[module.path], !module.path.isEmpty {
        first.append(known)
        hasReloads = true
      } else {
        byPath[module.path] = id
        first.append(id)
      }
      biases.append(module.bias)
    }
  }

  /// Module 0 has addresses for offsets.
  func place(of address: UInt64, in module: Module.ID) -> (module: Module.ID, offset: UInt64) {
    guard module > 0, Int(module) < first.count else { return (0, address) }
    return (first[Int(module)], address &- biases[Int(module)])
  }
}

/// A hash table of nodes by place and parent; open addressing, as a dictionary of a million nodes is too slow.
private struct NodeTable {
  struct Key: Equatable {
    var module: Module.ID
    var offset: UInt64
    var parent: CallTree.NodeID
  }
  private var keys: [Key]
  private var values: [CallTree.NodeID]
  private let mask: Int

  init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    keys = Array(repeating: Key(module: 0, offset: 0, parent: 0), count: size)
    values = Array(repeating: 0, count: size)
    mask = size - 1
  }

  /// The value of a key; `value`, which must not be 0, when it is new.
  mutating func intern(_ key: Key, as value: CallTree.NodeID) -> CallTree.NodeID {
    var hash = key.offset &* 0x9e37_79b9_7f4a_7c15
    hash ^= (UInt64(key.parent) << 32 | UInt64(key.module)) &* 0xc2b2_ae3d_27d4_eb4f
    hash ^= hash >> 29
    var slot = Int(truncatingIfNeeded: hash) & mask
    while values[slot] != 0 {
      if keys[slot] == key { return values[slot] }
      slot = (slot + 1) & mask
    }
    keys[slot] = key
    values[slot] = value
    return value
  }
}
