// SPDX-License-Identifier: MIT
//
// TraceCells: the call tree, and the cells with their counters summed over all shards. What cells held at earlier
// marks is in TraceHistory.
//
// While the program runs its counters move. The sections of all shards for the same cells are small and are read
// together, every `freed` before any `born`, so that a block is never seen freed and not born; what is counted too
// much is what was born between the two looks, some microseconds apart.

internal import CTraceFormat
internal import GenmarkModel

/// Counts of one cell over all shards.
struct CellCounts {
  var bornBlocks: UInt64 = 0
  var bornBytes: UInt64 = 0
  var freedBlocks: UInt64 = 0
  var freedBytes: UInt64 = 0
}

struct TraceCells {
  private let image: TraceImage

  init(_ image: TraceImage) { self.image = image }

  /// - Throws: `.damaged`, `.truncated`, `.tooLarge`.
  func callTree(_ sections: TraceSections, _ header: TraceHeader, notes: inout TraceNotes) throws(TraceError)
    -> CallTree
  {
    let count = max(1, header.raw.node_count)
    let modules = max(1, header.raw.module_count)
    let parts = try sections.covering(1..<count, .nodes, image)
    try image.charge(count, each: MemoryLayout<gm_node>.size, at: TraceHeader.offset(of: \.node_count))
    var tree = CallTree()
    tree.addresses.reserveCapacity(Int(count))
    tree.parents.reserveCapacity(Int(count))
    tree.modules.reserveCapacity(Int(count))
    var unknownModules = 0
    for part in parts {
      let row = try image.row(of: gm_node.self, in: part.section, ids: part.ids)
      for index in row.indices {
        let node = row[index]
        let id = part.ids.lowerBound + UInt64(index)
        guard UInt64(node.parent) < id else {
          throw .damaged(
            file: image.file, offset: row.offset(of: index), what: "a caller in the call tree comes after its callee")
        }
        let known = UInt64(node.module) < modules
        unknownModules += known ? 0 : 1
        tree.addresses.append(node.address)
        tree.parents.append(node.parent)
        tree.modules.append(known ? node.module : 0)
      }
    }
    notes.add(
      "frames name a module that is not in the trace; they are shown by address", times: unknownModules == 0 ? 0 : 1)
    return tree
  }

  /// All cells, the cell with id i at index i − 1. Call sites are not yet checked to be in the call tree, since that is
  /// read after them: see `check`.
  /// - Throws: `.damaged`, `.truncated`, `.tooLarge`.
  func cells(_ sections: TraceSections, _ header: TraceHeader, notes: inout TraceNotes) throws(TraceError) -> [Cell] {
    let count = max(1, header.raw.cell_count)
    let parts = try sections.covering(1..<count, .cells, image)
    try image.charge(
      count, each: MemoryLayout<CellCounts>.size + MemoryLayout<Cell>.size + 4, at: TraceHeader.offset(of: \.cell_count)
    )
    var births: [UInt32] = []
    births.reserveCapacity(Int(count))
    for part in parts {
      for cell in try image.row(of: gm_cell.self, in: part.section, ids: part.ids) { births.append(cell.birth) }
    }
    let counts = try counts(sections, cellCount: count)

    var cells: [Cell] = []
    cells.reserveCapacity(Int(count))
    var overfreed = 0
    for part in parts {
      let row = try image.row(of: gm_cell.self, in: part.section, ids: part.ids)
      for index in row.indices {
        let id = Int(part.ids.lowerBound) + index
        let record = row[index]
        guard Int(record.previous) < id else {
          throw .damaged(file: image.file, offset: row.offset(of: index), what: "a cell follows itself")
        }
        guard var cell = Cell(record, counts[id]) else {
          throw .damaged(file: image.file, offset: row.offset(of: index), what: "a count of cell \(id) is out of range")
        }
        if record.birth != births[id - 1] {
          // Given another birth while it was counted: at that moment nothing of it was alive.
          cell.freed = cell.born
        } else if cell.live != cell.live.clamped {
          overfreed += 1
          cell.freed = cell.born - cell.live.clamped
        }
        cells.append(cell)
      }
    }
    notes.add("more was freed in a cell than was allocated; nothing of it is shown as alive", times: overfreed)
    return cells
  }

  /// - Throws: `.damaged` when a cell's call site is not in the tree.
  func check(_ cells: [Cell], _ tree: CallTree) throws(TraceError) {
    if let index = cells.firstIndex(where: { Int($0.callSite) >= tree.count }) {
      throw .damaged(
        file: image.file, offset: TraceHeader.offset(of: \.cell_count),
        what: "cell \(index + 1) belongs to call site \(cells[index].callSite), which is not in the call tree")
    }
  }

  /// Sums by cell id.
  private func counts(_ sections: TraceSections, cellCount: UInt64) throws(TraceError) -> [CellCounts] {
    var counts = [CellCounts](repeating: CellCounts(), count: Int(cellCount))
    let counters = sections[.counters].sorted { ($0.first, $0.shard, $0.offset) < ($1.first, $1.shard, $1.offset) }
    var start = 0
    while start < counters.count {
      var end = start + 1
      while end < counters.count, counters[end].first == counters[start].first {
        guard counters[end].shard != counters[end - 1].shard else {
          throw .damaged(file: image.file, offset: counters[end].offset, what: "two sections hold the same counters")
        }
        end += 1
      }
      let ids = 1..<cellCount
      for section in counters[start..<end] {
        let part = section.ids.clamped(to: ids)
        let row = try image.row(of: gm_counter.self, in: section, ids: ids)
        for index in row.indices {
          let counter = row[index]
          counts[Int(part.lowerBound) + index].freedBlocks &+= counter.freed_blocks
          counts[Int(part.lowerBound) + index].freedBytes &+= counter.freed_bytes
        }
      }
      for section in counters[start..<end] {
        let part = section.ids.clamped(to: ids)
        let row = try image.row(of: gm_counter.self, in: section, ids: ids)
        for index in row.indices {
          let counter = row[index]
          counts[Int(part.lowerBound) + index].bornBlocks &+= counter.born_blocks
          counts[Int(part.lowerBound) + index].bornBytes &+= counter.born_bytes
        }
      }
      start = end
    }
    return counts
  }
}

extension Cell {
  /// Nil when a count is out of range.
  fileprivate init?(_ record: gm_cell, _ counts: CellCounts) {
    guard let born = Amount(recordedBlocks: counts.bornBlocks, bytes: counts.bornBytes),
      let freed = Amount(recordedBlocks: counts.freedBlocks, bytes: counts.freedBytes)
    else { return nil }
    self.init(callSite: record.site, birth: record.birth, born: born, freed: freed, grown: record.grown)
  }
}
