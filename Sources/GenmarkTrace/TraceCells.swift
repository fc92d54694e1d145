// SPDX-License-Identifier: MIT
//
// TraceCells: the call tree, and the cells with their counters summed over all shards. What cells held at earlier
// marks is in TraceHistory.
//
// While the program runs its counters move. The sections of all shards for the same cells are small and are read
// together, twice: where nothing was freed in between, the second look shows what was alive at one moment. Where
// something was, the look with the least movement counts. It may miss frees of one thread against births of another
// within some microseconds, which only concerns blocks born just then: older ones are counted right at any time.

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

  /// Twice the frames that a recorder keeps of a stack. Deeper trees are made up, to make all that walks them slow.
  private static let depthLimit: UInt16 = 2048

  init(_ image: TraceImage) { self.image = image }

  /// - Throws: `.damaged`, `.truncated`, `.tooLarge`.
  func callTree(_ sections: TraceSections, _ header: TraceHeader, notes: inout TraceNotes) throws(TraceError)
    -> CallTree
  {
    let count = max(1, header.raw.node_count)
    let modules = max(1, header.raw.module_count)
    let parts = try sections.covering(1..<count, .nodes, image)
    try image.charge(count, each: MemoryLayout<gm_node>.size + 2, at: TraceHeader.offset(of: \.node_count))
    var tree = CallTree()
    tree.addresses.reserveCapacity(Int(count))
    tree.parents.reserveCapacity(Int(count))
    tree.modules.reserveCapacity(Int(count))
    var depths: [UInt16] = [0]
    depths.reserveCapacity(Int(count))
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
        let depth = depths[Int(node.parent)] + 1
        guard depth <= TraceCells.depthLimit else {
          throw .damaged(file: image.file, offset: row.offset(of: index), what: "a call stack has no end")
        }
        depths.append(depth)
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
    // While threads free what others have just allocated, that is how it may look.
    if overfreed > 0, header.raw.end_kind != GM_END_NONE || header.runningProcess == nil {
      notes.add("more was freed in a cell than was allocated; nothing of it is shown as alive", times: overfreed)
    }
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

  /// How often counters are looked at again because something was freed meanwhile.
  private static let looks = 4

  /// Sums by cell id.
  private func counts(_ sections: TraceSections, cellCount: UInt64) throws(TraceError) -> [CellCounts] {
    var counts = [CellCounts](repeating: CellCounts(), count: Int(cellCount))
    try checkOverlap(sections[.counters])
    let counters = sections[.counters].sorted { ($0.first, $0.shard) < ($1.first, $1.shard) }
    var start = 0
    while start < counters.count {
      let end = counters[start...].firstIndex { $0.first != counters[start].first } ?? counters.count
      let shards = counters[start..<end]
      start = end
      let ids = (shards.map(\.ids.lowerBound).min() ?? 0)..<(shards.map(\.ids.upperBound).max() ?? 0)
      let part = ids.clamped(to: 1..<cellCount)
      if part.isEmpty { continue }
      let sums = try steadySums(of: shards, ids: part)
      for (id, sum) in zip(Int(part.lowerBound)..., sums) { counts[id].add(sum) }
    }
    return counts
  }

  /// - Throws: `.damaged` when two sections hold counters of the same cells and shard.
  private func checkOverlap(_ counters: [TraceSection]) throws(TraceError) {
    let sorted = counters.sorted { ($0.shard, $0.first) < ($1.shard, $1.first) }
    for (section, next) in zip(sorted, sorted.dropFirst())
    where section.shard == next.shard && section.ids.overlaps(next.ids) {
      throw .damaged(file: image.file, offset: next.offset, what: "two sections hold the same counters")
    }
  }

  private func steadySums(of shards: ArraySlice<TraceSection>, ids: Range<UInt64>) throws(TraceError) -> [CellCounts] {
    var before = try sums(of: shards, ids: ids)
    var best: [CellCounts] = []
    var movement: [UInt64] = []
    for look in 0..<TraceCells.looks {
      let now = try sums(of: shards, ids: ids)
      let moved = zip(before, now).map { $1.freedBlocks &- $0.freedBlocks }
      if look == 0 {
        (best, movement) = (now, moved)
      } else {
        for index in now.indices where moved[index] < movement[index] {
          best[index] = now[index]
          movement[index] = moved[index]
        }
      }
      if !moved.contains(where: { $0 != 0 }) { break }
      before = now
    }
    return best
  }

  private func sums(of shards: ArraySlice<TraceSection>, ids: Range<UInt64>) throws(TraceError) -> [CellCounts] {
    var sums = [CellCounts](repeating: CellCounts(), count: ids.count)
    for section in shards {
      let first = Int(section.ids.clamped(to: ids).lowerBound - ids.lowerBound)
      let row = try image.row(of: gm_counter.self, in: section, ids: ids)
      for index in row.indices { sums[first + index].add(CellCounts(row[index])) }
    }
    return sums
  }
}

extension CellCounts {
  fileprivate init(_ counter: gm_counter) {
    self.init(
      bornBlocks: counter.born_blocks, bornBytes: counter.born_bytes, freedBlocks: counter.freed_blocks,
      freedBytes: counter.freed_bytes)
  }

  /// Wrapping: sums of damaged counters are found out when they become amounts.
  fileprivate mutating func add(_ other: CellCounts) {
    bornBlocks &+= other.bornBlocks
    bornBytes &+= other.bornBytes
    freedBlocks &+= other.freedBlocks
    freedBytes &+= other.freedBytes
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
