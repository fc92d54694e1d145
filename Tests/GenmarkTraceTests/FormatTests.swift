// SPDX-License-Identifier: MIT
//
// What Swift makes of the structs of genmark_trace.h is what C makes of them; trace_format.c has C's side.

import CTraceFormat
import Testing

@Suite struct FormatTests {
  struct Layout: Sendable {
    var name: String
    var size: Int
    var stride: Int
    var expected: Int
    init<T>(_ type: T.Type, _ expected: Int) {
      name = "\(type)"
      size = MemoryLayout<T>.size
      stride = MemoryLayout<T>.stride
      self.expected = expected
    }
  }

  @Test(arguments: [
    Layout(gm_string.self, 16), Layout(gm_extent.self, 64), Layout(gm_node.self, 16), Layout(gm_cell.self, 64),
    Layout(gm_counter.self, 32), Layout(gm_module.self, 136), Layout(gm_label.self, 32), Layout(gm_bank.self, 64),
    Layout(gm_mark.self, 128), Layout(gm_change.self, 24), Layout(gm_header.self, 448 + 16 * 8),
  ])
  func structsHaveNoPadding(_ layout: Layout) {
    #expect(layout.size == layout.expected, "\(layout.name)")
    #expect(layout.stride == layout.expected, "\(layout.name)")
  }

  @Test func headerFieldsStandWhereTheyAreSaidToStand() {
    #expect(MemoryLayout<gm_header>.offset(of: \.major) == 8)
    #expect(MemoryLayout<gm_header>.offset(of: \.header_size) == 12)
    #expect(MemoryLayout<gm_header>.offset(of: \.byte_order) == 16)
    #expect(MemoryLayout<gm_header>.offset(of: \.pid) == 32)
    #expect(MemoryLayout<gm_header>.offset(of: \.used) == 192)
    #expect(MemoryLayout<gm_header>.offset(of: \.lock) == 256)
    #expect(MemoryLayout<gm_header>.offset(of: \.node_count) == 320)
    #expect(MemoryLayout<gm_header>.offset(of: \.end_kind) == 384)
    #expect(MemoryLayout<gm_header>.offset(of: \.losses) == 448)
  }

  @Test func recordFieldsStandWhereTheyAreSaidToStand() {
    #expect(MemoryLayout<gm_node>.offset(of: \.parent) == 8)
    #expect(MemoryLayout<gm_cell>.offset(of: \.previous) == 8)
    #expect(MemoryLayout<gm_cell>.offset(of: \.base_birth) == 48)
    #expect(MemoryLayout<gm_counter>.offset(of: \.freed_blocks) == 16)
    #expect(MemoryLayout<gm_module>.offset(of: \.build_id) == 88)
    #expect(MemoryLayout<gm_label>.offset(of: \.text) == 8)
    #expect(MemoryLayout<gm_bank>.offset(of: \.mark_count) == 8)
    #expect(MemoryLayout<gm_mark>.offset(of: \.time_ns) == 16)
    #expect(MemoryLayout<gm_mark>.offset(of: \.first_change) == 80)
    #expect(MemoryLayout<gm_change>.offset(of: \.live_blocks) == 8)
  }

  @Test func magicIsTheWord() {
    #expect(withUnsafeBytes(of: GM_MAGIC) { Array($0) } == Array("GENMARK\0".utf8))
  }
}
