// SPDX-License-Identifier: MIT
//
// Whatever is done to a trace, it reads or it is refused; and what is cut or contradicts itself never gives a smaller
// number without a word.

import CTraceFormat
import Foundation
import GenmarkModel
import GenmarkTestSupport
import GenmarkTrace
import Testing

@Suite struct DamagedTraceTests {
  private func error(_ bytes: [UInt8]) -> TraceError? {
    do throws(TraceError) {
      _ = try Recording(traceBytes: bytes, file: "x.genmark")
      return nil
    } catch {
      return error
    }
  }

  private func error(_ damage: (inout TraceImageBytes) -> Void) -> TraceError? {
    var image = TraceBuilder.example().build()
    damage(&image)
    return error(image.bytes)
  }

  private func isDamaged(_ error: TraceError?) -> Bool {
    if case .damaged = error { true } else { false }
  }

  private func isTruncated(_ error: TraceError?) -> Bool {
    if case .truncated = error { true } else { false }
  }

  // MARK: Not a trace

  @Test func whatIsNoTraceIsRefused() {
    #expect(error([]) == .empty(file: "x.genmark"))
    #expect(error(Array("hello".utf8)) == .notATrace(file: "x.genmark", hint: nil))
    #expect(error([UInt8](repeating: 0, count: 8192)) == .notBegun(file: "x.genmark"))
    #expect(error(Array("GENMARK\0".utf8)).map(isTruncated) == true)
    #expect(error { $0.update { $0.magic = 0 } } == .notBegun(file: "x.genmark"))
    #expect(error { $0.update { $0.major = 2 } } == .newerVersion(file: "x.genmark", major: 2, known: 1))
    #expect(error { $0.update { $0.major = 0 } } == .olderVersion(file: "x.genmark", major: 0, known: 1))
    if case .notATrace(_, let hint) = error([0x1f, 0x8b] + [UInt8](repeating: 1, count: 100)) {
      #expect(hint?.contains("gzip") == true)
    } else {
      Issue.record("a gzip file is not taken for a trace")
    }
    for change: @Sendable (inout gm_header) -> Void in [
      { $0.byte_order = $0.byte_order.byteSwapped }, { $0.pointer_bits = 32 }, { $0.magic = $0.magic.byteSwapped },
    ] {
      guard case .foreignMachine = error({ $0.update(change) }) else {
        Issue.record("a trace of another kind of machine is refused as such")
        continue
      }
    }
  }

  @Test func wordsSayWhatWhereAndWhatToDo() {
    let text = "\(TraceError.truncated(file: "a.genmark", size: 10, missing: "a part of the cells"))"
    #expect(
      text.contains("truncated") && text.contains("a.genmark") && text.contains("cells") && text.contains("again"))
  }

  // MARK: Cut

  @Test func cutAnywhereIsAnErrorUnlessOnlyUnusedRoomIsMissing() throws {
    let whole = TraceBuilder.example().build()
    let expected = try Recording(traceBytes: whole.bytes, file: "x.genmark")
    var cuts = Array(stride(from: 0, to: whole.bytes.count, by: 64))
    cuts += whole.extents.flatMap { [$0.offset - 1, $0.offset, $0.offset + 1, $0.offset + 63, $0.end - 1] }
    for cut in cuts {
      let bytes = Array(whole.bytes[..<cut])
      do throws(TraceError) {
        let recording = try Recording(traceBytes: bytes, file: "x.genmark")
        #expect(recording.cells == expected.cells, "cut at \(cut)")
        #expect(recording.changes == expected.changes, "cut at \(cut)")
        #expect(recording.callTree.addresses == expected.callTree.addresses, "cut at \(cut)")
        #expect(recording.notes.contains { $0.contains("bytes early") }, "cut at \(cut)")
      } catch {
        switch error {
        case .truncated, .empty, .notATrace: break
        default: Issue.record("cut at \(cut): \(error)")
        }
      }
    }
  }

  @Test func aSectionThatIsMissingWholeIsNotOverlooked() {
    let whole = TraceBuilder.example().build()
    // The last section has counters: without it, blocks would be missing.
    let last = whole.extents[whole.extents.count - 1]
    #expect(last.kind == GM_EXTENT_COUNTERS)
    #expect(isTruncated(error(Array(whole.bytes[..<last.offset]))))
  }

  // MARK: Every byte and word

  @Test(arguments: [UInt8(0x00), 0xff, 0x80, 0x01])
  func everyByteOfTheHeaderMayBeWrong(_ value: UInt8) {
    let whole = TraceBuilder.example().build().bytes
    var refused: Set<Int> = []
    for offset in 0..<MemoryLayout<gm_header>.size {
      var bytes = whole
      bytes[offset] = value
      if bytes != whole, !readHostile(bytes) { refused.insert(offset) }
    }
    // Of the magic, the byte order and the pointer size each byte counts.
    for offset in [0..<8, 16..<24].joined() where whole[offset] != value {
      #expect(refused.contains(offset), "offset \(offset)")
    }
  }

  @Test(arguments: [UInt64.max, 1 << 63, 1 << 32, 1 << 31, 4096, 1])
  func everyWordOfTheTraceMayBeWrong(_ value: UInt64) {
    var small = TraceBuilder.example()
    small.unusedBytes = 64
    let image = small.build()
    var refused = 0
    for extent in image.extents {
      // All of small sections; of others the header and the first records.
      for offset in stride(from: extent.offset, to: min(extent.end, extent.offset + 512), by: 8) {
        var damaged = image
        damaged.store(value, at: offset)
        refused += readHostile(damaged.bytes) ? 0 : 1
      }
    }
    for offset in stride(from: 0, to: MemoryLayout<gm_header>.size, by: 8) {
      var damaged = image
      damaged.store(value, at: offset)
      refused += readHostile(damaged.bytes) ? 0 : 1
    }
    // Magic and size of each section at the least.
    #expect(refused >= 2 * image.extents.count)
  }

  @Test func randomDamageNeverTraps() {
    let image = TraceBuilder.example().build()
    var generator = SeededGenerator(seed: 20_250_101)
    var readable = 0
    for _ in 0..<3000 {
      if readHostile(mutated(image.bytes, using: &generator)) { readable += 1 }
    }
    // Some damage hits what nobody reads; if none did, the test would not reach far.
    #expect(readable > 0)
  }

  // MARK: Contradictions

  @Test func recordsThatContradictEachOtherAreRefused() {
    // A cycle, and a parent that comes later.
    for parent in [2, 3, UInt32.max] {
      #expect(
        isDamaged(
          error { image in
            image.updateRecord(gm_node.self, 2, in: image.offsets(GM_EXTENT_NODES)[0]) { $0.parent = parent }
          }))
    }
    #expect(
      isDamaged(
        error { image in
          image.updateRecord(gm_cell.self, 2, in: image.offsets(GM_EXTENT_CELLS)[0]) { $0.previous = 2 }
        }))
    #expect(
      isDamaged(
        error { image in
          image.updateRecord(gm_cell.self, 2, in: image.offsets(GM_EXTENT_CELLS)[0]) { $0.site = 4 }
        }))
    #expect(isDamaged(error { $0.update { $0.node_count = 1025 } }))
    #expect(isDamaged(error { $0.update { $0.cell_count = 257 } }))
    #expect(isDamaged(error { $0.update { $0.node_count = 1 << 40 } }))
    #expect(isDamaged(error { $0.update { $0.label_count = 65 } }))
    #expect(isDamaged(error { $0.update { $0.module_count = 33 } }))
    #expect(isDamaged(error { $0.update { $0.bank = 0 } }))
    #expect(isDamaged(error { $0.update { $0.bank += 64 } }))
    #expect(isDamaged(error { $0.update { $0.used -= 64 } }))
    #expect(isDamaged(error { $0.update { $0.used = 4095 } }))
  }

  @Test func marksThatContradictEachOtherAreRefused() {
    #expect(isDamaged(error { $0.updateMark(1) { $0.generation = 1 } }))
    #expect(isDamaged(error { $0.updateMark(1) { $0.label = 2 } }))
    #expect(isDamaged(error { $0.updateMark(1) { $0.first_change = 0 } }))
    #expect(isDamaged(error { $0.updateMark(2) { $0.change_count = 3 } }))
    #expect(isDamaged(error { $0.updateMark(2) { $0.first_change = UInt64.max } }))
    #expect(isDamaged(error { $0.updateChange(1) { $0.cell = 0 } }))
    #expect(isDamaged(error { $0.updateChange(1) { $0.cell = 4 } }))
    #expect(isDamaged(error { $0.updateChange(1) { $0.cell = 3 } }))
    #expect(isDamaged(error { $0.updateChange(1) { $0.live_bytes = 1 << 60 } }))
  }

  @Test func sectionsThatOverlapAreRefused() {
    for kind in [GM_EXTENT_NODES, GM_EXTENT_CELLS, GM_EXTENT_COUNTERS, GM_EXTENT_MODULES, GM_EXTENT_LABELS] {
      #expect(
        isDamaged(
          error { image in
            let extent = image.load(gm_extent.self, at: image.offsets(kind)[0])
            let payload = Int(extent.capacity) * Int(extent.element_size) + 64
            image.appendExtent(
              kind, first: 0, capacity: Int(extent.capacity), elementSize: Int(extent.element_size), payload: payload,
              shard: extent.shard)
          }), "kind \(kind)")
    }
  }

  @Test func countersThatOverlapInPartAreRefused() {
    #expect(
      isDamaged(
        error { image in
          image.appendExtent(
            GM_EXTENT_COUNTERS, first: 2, capacity: 256, elementSize: 32, payload: 64 + 256 * 32, shard: 0)
        }))
    // Another shard's may begin anywhere.
    #expect(
      error { image in
        image.appendExtent(
          GM_EXTENT_COUNTERS, first: 2, capacity: 256, elementSize: 32, payload: 64 + 256 * 32, shard: 9)
      } == nil)
  }

  @Test func sectionsThatDoNotHoldWhatTheySayAreRefused() {
    for kind in [GM_EXTENT_NODES, GM_EXTENT_CELLS, GM_EXTENT_COUNTERS, GM_EXTENT_MODULES, GM_EXTENT_LABELS] {
      for damage: @Sendable (inout gm_extent) -> Void in [
        { $0.capacity = .max }, { $0.element_size = 8 }, { $0.element_size = .max }, { $0.size = 64 }, { $0.size = 0 },
        { $0.size = .max }, { $0.size += 8 }, { $0.magic = 0 }, { $0.first = .max },
      ] {
        #expect(
          isDamaged(error { image in image.update(gm_extent.self, at: image.offsets(kind)[0], damage) }), "kind \(kind)"
        )
      }
    }
  }

  @Test func moreFreedThanBornIsNothingAliveAndSaid() throws {
    var trace = TraceBuilder.example()
    trace.count(2, shard: 3, freed: (50, 10))
    let recording = try Recording(traceBytes: trace.build().bytes, file: "x")
    #expect(recording.cells[1].live == Amount(blocks: 0, bytes: 54))
    #expect(recording.notes.count == 1)
  }

  @Test func textsThatAreNotThereAreEmptyAndSaid() throws {
    for offset in [UInt64(1), 4096, 1 << 40, .max] {
      var image = TraceBuilder.example().build()
      image.update { $0.program.offset = offset }
      let recording = try Recording(traceBytes: image.bytes, file: "x")
      #expect(recording.process.program == "")
      #expect(recording.notes.count == 1)
    }
    var image = TraceBuilder.example().build()
    image.update { $0.directory.length = .max }
    #expect(try Recording(traceBytes: image.bytes, file: "x").process.directory == "")
  }

  // MARK: Large claims

  @Test func stacksWithoutEndAreRefused() {
    var trace = TraceBuilder()
    var node: UInt32 = 0
    for index in 1...1025 { node = trace.node(address: UInt64(index) << 12, parent: node) }
    // As deep as a recorder keeps, and the node that says that there was more.
    #expect(error(trace.build().bytes) == nil)
    for index in 1...2000 { node = trace.node(address: UInt64(index) << 12, parent: node) }
    #expect(isDamaged(error(trace.build().bytes)))
  }

  @Test func aSmallFileThatClaimsMuchTakesLittleMemory() throws {
    // A file of holes: 4 GiB of nodes are claimed and nothing is stored.
    let directory = try TemporaryDirectory()
    var image = TraceBuilder.example().build()
    image.update(gm_extent.self, at: image.offsets(GM_EXTENT_NODES)[0]) { $0.kind = 77 }
    let offset = image.appendExtent(GM_EXTENT_NODES, first: 0, capacity: 0, elementSize: 16, payload: 0)
    let size = UInt64(4) << 30
    image.update(gm_extent.self, at: offset) {
      $0.capacity = UInt32(size / 16 - 4)
      $0.size = size
    }
    image.update {
      $0.used = UInt64(offset) + size
      $0.node_count = size / 16 - 8
    }
    let file = try directory.write(image.bytes, to: "holes.genmark")
    try #require(truncate(file, off_t(UInt64(offset) + size)) == 0)
    do throws(TraceError) {
      _ = try Recording(trace: file)
      Issue.record("it was read")
    } catch {
      guard case .tooLarge = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func countersMayClaimAnyNumber() {
    #expect(
      isDamaged(
        error { image in
          image.updateRecord(gm_counter.self, 3, in: image.offsets(GM_EXTENT_COUNTERS)[0]) { $0.born_bytes = 1 << 57 }
        }))
  }
}
