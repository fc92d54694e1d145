// SPDX-License-Identifier: MIT
//
// TraceBuilder+Example: a small trace with one of everything, for tests to read and to damage.

import CTraceFormat

extension TraceBuilder {
  /// Two modules; main → leak and main → work as call sites 2 and 3; three marks; cells 1 and 2 of the leak with births
  /// 0 and 1, cell 3 of work, which was born again.
  public static func example() -> TraceBuilder {
    var trace = TraceBuilder()
    let program = trace.module(path: "/usr/bin/example") {
      $0.flags = UInt32(GM_MODULE_MAIN)
      $0.start = 0x40_0000
      $0.end = 0x50_0000
      $0.build_id_size = 20
      $0.build_id = (0x0102_0304, 2, 3, 4)
    }
    _ = trace.module(path: "/lib/libx.so.1") {
      $0.loaded_generation = 1
      $0.unloaded_generation = 2
    }
    let main = trace.node(address: 0x40_1000, module: program)
    let leak = trace.node(address: 0x40_2000, parent: main, module: program)
    let work = trace.node(address: 0x40_3000, parent: main, module: program)
    let old = trace.cell(site: leak, birth: 0)
    let new = trace.cell(site: leak, birth: 1, previous: old, grown: 2)
    let again = trace.cell(site: work, birth: 2)
    trace.count(old, shard: 0, born: (10, 1000))
    trace.count(old, shard: 1, freed: (4, 400))
    trace.count(new, shard: 1, born: (2, 64))
    trace.count(again, shard: 0, born: (7, 700), freed: (6, 600))
    trace.mark("start", changes: [.init(cell: old, birth: 0, blocks: 8, bytes: 800)]) {
      $0.born_blocks = 10
      $0.born_bytes = 1000
      $0.live_blocks = 8
      $0.live_bytes = 800
      $0.rss_bytes = 1 << 20
      $0.threads = 3
    }
    trace.mark(
      "cycle",
      changes: [
        .init(cell: old, birth: 0, blocks: 6, bytes: 600), .init(cell: new, birth: 1, blocks: 2, bytes: 64),
        .init(cell: again, birth: 1, blocks: 1, bytes: 100),
      ])
    trace.mark(
      "cycle",
      changes: [
        .init(cell: again, birth: 1, blocks: 0, bytes: 0), .init(cell: again, birth: 2, blocks: 1, bytes: 100),
      ]
    ) { $0.merged = 1 }
    trace.header.losses.3 = 5
    trace.header.foreign_frees = 9
    trace.header.end_value = 3
    return trace
  }
}
