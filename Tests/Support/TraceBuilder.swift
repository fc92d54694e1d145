// SPDX-License-Identifier: MIT
//
// TraceBuilder: writes traces for tests, by the same header as the recorder. What it builds is sound; TraceBytes, its
// result, is where tests damage it. Recordings without a file are made by RecordingBuilder.

public import CTraceFormat

/// A trace in the making. Ids are given out as the recorder does: nodes, cells and modules from 1, labels from 0.
public struct TraceBuilder: Sendable {
  public struct Change: Sendable {
    public var cell: UInt32
    public var birth: UInt32
    public var blocks: UInt64
    public var bytes: UInt64
    public init(cell: UInt32, birth: UInt32, blocks: UInt64, bytes: UInt64) {
      self.cell = cell
      self.birth = birth
      self.blocks = blocks
      self.bytes = bytes
    }
  }

  /// Everything that is not set by a function below may be set here; counts and offsets are overwritten.
  public var header = gm_header()
  public var program = "/usr/bin/example"
  public var directory = "/home/someone"
  public var arguments = ["example", "--flag"]
  /// Zero bytes behind what is used, as a running program has them.
  public var unusedBytes = 0
  /// Sections have room for what is in them and no more: small traces, of which millions are damaged.
  public var isDense = false

  private var nodes: [gm_node] = [gm_node()]
  private var cells: [gm_cell] = [gm_cell()]
  private var counters: [UInt32: [UInt32: gm_counter]] = [:]
  private var modules: [(record: gm_module, path: [UInt8])] = []
  private var labels: [(record: gm_label, text: [UInt8])] = []
  private var marks: [gm_mark] = []
  private var changes: [gm_change] = []

  public init() {
    header.magic = GM_MAGIC
    header.major = UInt16(GM_FORMAT_MAJOR)
    header.minor = UInt16(GM_FORMAT_MINOR)
    header.header_size = UInt32(GM_HEADER_SIZE)
    header.byte_order = UInt32(GM_BYTE_ORDER)
    header.pointer_bits = 64
    header.page_size = 4096
    header.machine = 62
    header.pid = 4711
    header.parent_pid = 1
    header.start_realtime_ns = 1_700_000_000_000_000_000
    header.start_monotonic_ns = 1_000_000_000
    header.end_kind = UInt32(GM_END_EXIT)
    header.end_ns = 60_000_000_000
  }

  public mutating func node(address: UInt64, parent: UInt32 = 0, module: UInt32 = 0) -> UInt32 {
    nodes.append(gm_node(address: address, parent: parent, module: module))
    return UInt32(nodes.count - 1)
  }

  public mutating func cell(site: UInt32, birth: UInt32, previous: UInt32 = 0, grown: UInt32 = 0) -> UInt32 {
    var cell = gm_cell()
    cell.site = site
    cell.birth = birth
    cell.previous = previous
    cell.grown = grown
    cells.append(cell)
    return UInt32(cells.count - 1)
  }

  /// Adds to the counters of one shard of a cell.
  public mutating func count(
    _ cell: UInt32, shard: UInt32 = 0, born: (blocks: UInt64, bytes: UInt64) = (0, 0),
    freed: (blocks: UInt64, bytes: UInt64) = (0, 0)
  ) {
    var counter = counters[shard]?[cell] ?? gm_counter()
    counter.born_blocks += born.blocks
    counter.born_bytes += born.bytes
    counter.freed_blocks += freed.blocks
    counter.freed_bytes += freed.bytes
    counters[shard, default: [:]][cell] = counter
  }

  public mutating func module(path: String, _ fill: (inout gm_module) -> Void = { _ in }) -> UInt32 {
    var module = gm_module()
    module.unloaded_generation = GM_NO_GENERATION
    fill(&module)
    modules.append((module, Array(path.utf8)))
    return UInt32(modules.count)
  }

  public mutating func label(_ text: String) -> UInt32 { label(bytes: Array(text.utf8)) }

  public mutating func label(bytes: [UInt8]) -> UInt32 {
    if let known = labels.firstIndex(where: { $0.text == bytes }) { return UInt32(known) }
    var label = gm_label()
    // FNV-1a over all of the text: a marker finds the label by it.
    label.hash = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    labels.append((label, bytes))
    return UInt32(labels.count - 1)
  }

  /// Appends a mark; its number, ordinal and order follow from those before unless `fill` says otherwise.
  public mutating func mark(_ label: String, changes new: [Change] = [], _ fill: (inout gm_mark) -> Void = { _ in }) {
    let index = self.label(label)
    var mark = gm_mark()
    mark.generation = (marks.last?.generation ?? 0) + 1
    mark.label = index
    mark.order = labels[Int(index)].record.marks == 0 ? header.first_marks : labels[Int(index)].record.marks
    if labels[Int(index)].record.marks == 0 { header.first_marks += 1 }
    labels[Int(index)].record.marks += 1
    mark.ordinal = labels[Int(index)].record.marks
    mark.time_ns = UInt64(mark.generation) * 1_000_000_000
    mark.first_change = UInt64(changes.count)
    mark.change_count = UInt32(new.count)
    mark.merged = 1
    fill(&mark)
    marks.append(mark)
    for change in new {
      changes.append(
        gm_change(cell: change.cell, birth: change.birth, live_blocks: change.blocks, live_bytes: change.bytes))
    }
  }

  /// Lays out everything. Sections: BANK, then STRINGS, MODULES, LABELS, NODES, and for each CELLS its COUNTERS.
  public func build() -> TraceImageBytes {
    var image = TraceImageBytes(header: header)
    appendBank(to: &image)
    appendStrings(to: &image)
    appendRecords(to: &image)
    let used = UInt64(image.bytes.count)
    image.update { header in
      header.generation = max(header.generation, marks.last?.generation ?? 0)
      header.birth = max(header.birth, marks.last?.generation ?? 0)
      header.node_count = UInt64(nodes.count)
      header.cell_count = UInt64(cells.count)
      header.module_count = UInt64(modules.count + 1)
      header.label_count = UInt64(labels.count)
      header.shard_count = max(header.shard_count, (counters.keys.max() ?? 0) + 1)
      header.used = used
      header.populated = used
      header.limit = used + UInt64(unusedBytes)
    }
    image.bytes.append(contentsOf: [UInt8](repeating: 0, count: unusedBytes))
    return image
  }

  private func appendBank(to image: inout TraceImageBytes) {
    var bank = gm_bank()
    bank.mark_capacity = UInt32(max(8, marks.count))
    bank.change_capacity = UInt32(max(16, changes.count))
    bank.mark_count = UInt64(marks.count)
    bank.change_count = UInt64(changes.count)
    let size = MemoryLayout<gm_bank>.size
    let offset = image.appendExtent(
      GM_EXTENT_BANK, first: 0, capacity: 1, elementSize: size,
      payload: size + Int(bank.mark_capacity) * MemoryLayout<gm_mark>.size
        + Int(bank.change_capacity) * MemoryLayout<gm_change>.size)
    let start = offset + GM_EXTENT_HEADER_SIZE
    image.store(bank, at: start)
    for (index, mark) in marks.enumerated() {
      image.store(mark, at: start + size + index * MemoryLayout<gm_mark>.size)
    }
    let firstChange = start + size + Int(bank.mark_capacity) * MemoryLayout<gm_mark>.size
    for (index, change) in changes.enumerated() {
      image.store(change, at: firstChange + index * MemoryLayout<gm_change>.size)
    }
    image.update { $0.bank = UInt64(offset) }
  }

  private func appendStrings(to image: inout TraceImageBytes) {
    let argumentBytes: [UInt8] = arguments.flatMap { Array($0.utf8) + [0] }
    let texts: [[UInt8]] =
      [Array(program.utf8), Array(directory.utf8), argumentBytes] + modules.map(\.path) + labels.map(\.text)
    let length = max(64, texts.reduce(0) { $0 + $1.count })
    let offset = image.appendExtent(
      GM_EXTENT_STRINGS, first: 0, capacity: length, elementSize: 1, payload: length)
    var next = offset + GM_EXTENT_HEADER_SIZE
    for text in texts {
      image.strings.append(
        text.isEmpty ? gm_string() : gm_string(offset: UInt64(next), length: UInt32(text.count), reserved: 0))
      image.bytes.replaceSubrange(next..<next + text.count, with: text)
      next += text.count
    }
    let strings = image.strings
    image.update { header in
      header.program = strings[0]
      header.directory = strings[1]
      header.arguments = strings[2]
      header.string_next = UInt64(next)
      header.string_end = UInt64(offset + GM_EXTENT_HEADER_SIZE + length)
    }
  }

  private func appendRecords(to image: inout TraceImageBytes) {
    var records = modules.map(\.record)
    for index in records.indices { records[index].path = image.strings[3 + index] }
    // Ids from 1: the slot of id 0 stands empty.
    image.appendExtents(
      GM_EXTENT_MODULES, [gm_module()] + records, each: room(GM_MODULES_PER_EXTENT, records.count + 1))

    var texts = labels.map(\.record)
    for index in texts.indices { texts[index].text = image.strings[3 + modules.count + index] }
    let labelExtents = image.appendExtents(GM_EXTENT_LABELS, texts, each: room(GM_LABELS_PER_EXTENT, texts.count))
    image.link(labelExtents)
    image.update { $0.first_labels = UInt64(labelExtents.first ?? 0) }

    image.appendExtents(GM_EXTENT_NODES, nodes, each: room(GM_NODES_PER_EXTENT, nodes.count))
    let cellExtents = image.appendExtents(GM_EXTENT_CELLS, cells, each: room(GM_CELLS_PER_EXTENT, cells.count))
    image.link(cellExtents)
    image.update { header in
      header.first_cells = UInt64(cellExtents.first ?? 0)
      header.last_cells = UInt64(cellExtents.last ?? 0)
    }
    for (number, extent) in cellExtents.enumerated() { appendCounters(to: &image, number: number, cells: extent) }
  }

  /// Elements that a section has room for.
  private func room(_ usual: Int, _ count: Int) -> Int { isDense ? min(usual, max(1, count)) : usual }

  private func appendCounters(to image: inout TraceImageBytes, number: Int, cells extent: Int) {
    let ids = UInt32(number * GM_CELLS_PER_EXTENT)..<UInt32((number + 1) * GM_CELLS_PER_EXTENT)
    let dirtyBytes = GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE
    let room = room(GM_CELLS_PER_EXTENT, self.cells.count - number * GM_CELLS_PER_EXTENT)
    var newest = 0
    for shard in counters.keys.sorted() {
      guard let counts = counters[shard], ids.contains(where: { counts[$0] != nil }) else { continue }
      let size = MemoryLayout<gm_counter>.size
      let offset = image.appendExtent(
        GM_EXTENT_COUNTERS, first: Int(ids.lowerBound), capacity: room, elementSize: size,
        payload: dirtyBytes + size * room, shard: shard)
      for id in ids {
        guard let counter = counts[id] else { continue }
        image.store(counter, at: offset + GM_EXTENT_HEADER_SIZE + dirtyBytes + Int(id - ids.lowerBound) * size)
      }
      image.store(UInt64(newest), at: offset + (MemoryLayout<gm_extent>.offset(of: \.next) ?? 0))
      newest = offset
    }
    image.store(UInt64(newest), at: extent + (MemoryLayout<gm_extent>.offset(of: \.counters) ?? 0))
  }
}
