// SPDX-License-Identifier: MIT
//
// CallSites: the cells of a recording by call site, for totals over the whole run. What was alive at which mark is
// in Survival.

/// All call sites that ever allocated, with their cells.
public struct CallSites: Sendable {
  /// Ids of the call sites, ascending.
  public let ids: [CallTree.NodeID]
  private let cells: [Cell]
  /// Cells of `ids[i]` begin at `starts[i]` and end at `starts[i + 1]`.
  private let starts: [Int]

  /// - Complexity: O(cells · log cells)
  public init(_ recording: Recording) {
    let cells = recording.cells.sorted { ($0.callSite, $0.birth) < ($1.callSite, $1.birth) }
    var ids: [CallTree.NodeID] = []
    var starts: [Int] = []
    for (index, cell) in cells.enumerated() where ids.last != cell.callSite {
      ids.append(cell.callSite)
      starts.append(index)
    }
    starts.append(cells.count)
    self.ids = ids
    self.cells = cells
    self.starts = starts
  }

  /// The cells of a call site by ascending birth; empty when it is not one.
  /// - Complexity: O(log call sites)
  public subscript(callSite: CallTree.NodeID) -> ArraySlice<Cell> {
    guard let index = ids.sortedIndex(of: callSite) else { return [] }
    return cells[starts[index]..<starts[index + 1]]
  }

  /// Everything a call site has allocated and freed over the whole run.
  public func total(of callSite: CallTree.NodeID) -> (born: Amount, freed: Amount, live: Amount, grown: UInt64) {
    var born = Amount.zero
    var freed = Amount.zero
    var grown: UInt64 = 0
    for cell in self[callSite] {
      born += cell.born
      freed += cell.freed
      grown += UInt64(cell.grown)
    }
    return (born, freed, born - freed, grown)
  }
}

extension [CallTree.NodeID] {
  /// The index of an element in an array that ascends; nil when it is not there.
  func sortedIndex(of element: Element) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == element ? low : nil
  }
}
