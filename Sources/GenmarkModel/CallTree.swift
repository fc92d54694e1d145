// SPDX-License-Identifier: MIT
//
// CallTree: the calling-context tree as recorded: return addresses below their callers. Names are not in it;
// see Frame for what an address is called.

/// All call stacks that were seen, as a prefix tree. Node 0 is the root; a parent's id is below its children's.
public struct CallTree: Sendable {
  /// Index in the tree; a call site is the id of the node of its innermost frame.
  public typealias NodeID = UInt32

  /// What a node stands for.
  public enum Special: Sendable {
    /// Outer frames were left out: the stack is deeper than the limit.
    case cut
    /// The walk ended at a frame that could not be stepped out of.
    case broken
    /// Memory limit reached: stacks of different callers stand as one.
    case merged
  }

  /// Return addresses, in the recorded process. Index 0 is the root and 0.
  public var addresses: [UInt64]
  public var parents: [NodeID]
  public var modules: [Module.ID]

  public init() {
    addresses = [0]
    parents = [0]
    modules = [0]
  }

  public var count: Int { addresses.count }

  /// Adds a node below `parent` and returns its id. Does not look for an equal one.
  public mutating func append(address: UInt64, parent: NodeID, module: Module.ID) -> NodeID {
    addresses.append(address)
    parents.append(parent)
    modules.append(module)
    return NodeID(addresses.count - 1)
  }

  /// Ids from the innermost frame outwards, without the root.
  /// - Complexity: O(depth)
  public func path(of callSite: NodeID) -> [NodeID] {
    var path: [NodeID] = []
    var node = callSite
    while node != 0, Int(node) < count {
      path.append(node)
      let parent = parents[Int(node)]
      if parent >= node { break }
      node = parent
    }
    return path
  }

  public func special(_ node: NodeID) -> Special? {
    switch addresses[Int(node)] {
    case 1 where node != 0: .cut
    case 2: .broken
    case 3: .merged
    default: nil
    }
  }
}
