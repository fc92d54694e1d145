// SPDX-License-Identifier: MIT

import CTraceFormat
import GenmarkModel
import GenmarkTestSupport
import GenmarkTrace
import Testing

@Suite struct RecordingTraceTests {
  private func read(_ builder: TraceBuilder) throws -> Recording {
    try Recording(traceBytes: builder.build().bytes, file: "example.genmark")
  }

  @Test func processIsRead() throws {
    let recording = try read(.example())
    #expect(recording.process.program == "/usr/bin/example")
    #expect(recording.process.arguments == ["example", "--flag"])
    #expect(recording.process.directory == "/home/someone")
    #expect(recording.process.pid == 4711)
    #expect(recording.process.end == .exit(status: 3))
    #expect(recording.process.duration == Nanoseconds(60_000_000_000))
    #expect(recording.foreignFrees == 9)
    #expect(recording.losses == [Loss(kind: .stacksCut, count: 5)])
    #expect(recording.notes == [])
  }

  @Test func modulesAreRead() throws {
    let modules = try read(.example()).modules
    #expect(modules.map(\.path) == ["/usr/bin/example", "/lib/libx.so.1"])
    #expect(modules[0].isMain && !modules[1].isMain)
    #expect(modules[0].buildID == [4, 3, 2, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0])
    #expect(modules[0].unloadedIn == nil)
    #expect(modules[1].loadedIn == 1 && modules[1].unloadedIn == 2)
  }

  @Test func callTreeIsRead() throws {
    let tree = try read(.example()).callTree
    #expect(tree.count == 4)
    #expect(tree.path(of: 2) == [2, 1])
    #expect(tree.addresses == [0, 0x40_1000, 0x40_2000, 0x40_3000])
    #expect(tree.modules == [0, 1, 1, 1])
  }

  @Test func countersAreSummedOverShards() throws {
    let cells = try read(.example()).cells
    #expect(
      cells == [
        Cell(
          callSite: 2, birth: 0, born: Amount(blocks: 10, bytes: 1000), freed: Amount(blocks: 4, bytes: 400)),
        Cell(callSite: 2, birth: 1, born: Amount(blocks: 2, bytes: 64), grown: 2),
        Cell(callSite: 3, birth: 2, born: Amount(blocks: 7, bytes: 700), freed: Amount(blocks: 6, bytes: 600)),
      ])
  }

  @Test func marksAndChangesAreRead() throws {
    let recording = try read(.example())
    #expect(recording.labels.map(\.text) == ["start", "cycle"])
    #expect(recording.newestBirth == 3)
    #expect(recording.marks.map(\.generation) == [1, 2, 3])
    #expect(recording.marks.map(\.ordinal) == [1, 1, 2])
    #expect(recording.marks.map(\.changes) == [0..<1, 1..<4, 4..<6])
    #expect(recording.marks[0].live == Amount(blocks: 8, bytes: 800))
    #expect(recording.marks[0].residentBytes == Bytes(1 << 20))
    #expect(recording.marks[1].residentBytes == nil)
    #expect(recording.marks[0].threads == 3)
    #expect(recording.changes[3] == Change(callSite: 3, birth: 1, live: Amount(blocks: 1, bytes: 100)))
  }

  @Test func droppedMarksAreLeftOut() throws {
    var image = TraceBuilder.example().build()
    image.updateMark(1) { $0.flags |= UInt32(GM_MARK_DROPPED) }
    let recording = try Recording(traceBytes: image.bytes, file: "x")
    #expect(recording.marks.map(\.generation) == [1, 3])
    #expect(recording.changes.count == 3)
    #expect(recording.marks[1].changes == 1..<3)
  }

  @Test func manyRecordsSpanManySections() throws {
    var trace = TraceBuilder()
    var parent: UInt32 = 0
    for index in 1...3000 {
      parent = trace.node(address: UInt64(index) << 12, parent: index % 50 == 0 ? 0 : parent)
    }
    for index in 1...1500 {
      let cell = trace.cell(site: UInt32(index * 2), birth: 0)
      trace.count(cell, shard: UInt32(index % 3), born: (UInt64(index), 16))
    }
    for index in 0..<200 { trace.mark("label \(index)") }
    let recording = try read(trace)
    #expect(recording.callTree.count == 3001)
    #expect(recording.callTree.addresses[2999] == 2999 << 12)
    #expect(recording.cells.count == 1500)
    #expect(recording.cells[1023].born.blocks == Blocks(1024))
    #expect(recording.labels.count == 200)
    #expect(recording.label(ofMark: 199) == "label 199")
  }

  @Test func textIsRepairedAndOtherwiseKept() throws {
    var trace = TraceBuilder()
    trace.program = "/tmp/\u{1b}[31mred\nnew"
    let label = trace.label(bytes: [0x61, 0xff, 0x62])
    trace.mark("x") { $0.label = label }
    let recording = try read(trace)
    #expect(recording.process.program == "/tmp/\u{1b}[31mred\nnew")
    #expect(recording.label(ofMark: 0) == "a\u{fffd}b")
  }

  @Test(arguments: [
    (GM_END_EXIT, ProcessEnd.exit(status: 7)), (GM_END_SIGNAL, .signal(7)), (GM_END_EXEC, .exec),
    (GM_END_NONE, .unknown), (99, .unknown),
  ])
  func endIsAsItWasWritten(_ kind: Int, _ end: ProcessEnd) throws {
    var trace = TraceBuilder()
    trace.header.end_kind = UInt32(kind)
    trace.header.end_value = 7
    trace.header.pid = 1 << 30
    trace.header.process_start_ticks = 1
    trace.mark("x")
    let recording = try read(trace)
    #expect(recording.process.end == end)
    // Where nothing was written, the newest mark is the last thing known.
    let duration: UInt64 = kind == GM_END_NONE || kind == 99 ? 1_000_000_000 : 60_000_000_000
    #expect(recording.process.duration == Nanoseconds(duration))
    #expect(recording.notes.isEmpty == (kind != 99))
  }

  @Test func unknownThingsAreSkippedAndSaid() throws {
    var trace = TraceBuilder.example()
    trace.header.minor = UInt16(GM_FORMAT_MINOR) + 1
    trace.header.flags = 1 << 31
    trace.header.losses.15 = 4
    var image = trace.build()
    image.appendExtent(77, first: 0, capacity: 0, elementSize: 0, payload: 640)
    image.appendExtent(77, first: 0, capacity: 0, elementSize: 0, payload: 64)
    let recording = try Recording(traceBytes: image.bytes, file: "x")
    #expect(recording.cells.count == 3)
    #expect(recording.losses.last == Loss(kind: .other, count: 4))
    #expect(recording.notes.count == 3)
    #expect(recording.notes.contains { $0.contains("kind 77") && $0.contains("2 times") })
  }

  @Test func longerElementsOfALaterMinorAreSteppedOver() throws {
    var image = TraceBuilder.example().build()
    // Another NODES section with elements of 24 bytes takes the place of the first.
    let old = image.offsets(GM_EXTENT_NODES)[0]
    let nodes = (0..<4).map { image.load(gm_node.self, at: old + GM_EXTENT_HEADER_SIZE + $0 * 16) }
    image.update(gm_extent.self, at: old) { $0.kind = 77 }
    let new = image.appendExtent(GM_EXTENT_NODES, first: 0, capacity: 8, elementSize: 24, payload: 8 * 24)
    for (index, node) in nodes.enumerated() { image.store(node, at: new + GM_EXTENT_HEADER_SIZE + index * 24) }
    let recording = try Recording(traceBytes: image.bytes, file: "x")
    #expect(recording.callTree.addresses == [0, 0x40_1000, 0x40_2000, 0x40_3000])
  }

  @Test func emptyTraceIsARecording() throws {
    let recording = try read(TraceBuilder())
    #expect(recording.cells == [] && recording.marks.isEmpty)
    #expect(recording.generations().count == 1)
  }
}
