// SPDX-License-Identifier: MIT
//
// Seeds: sound inputs, small, with one of everything that the formats know, to be damaged.

import CTraceFormat
import GenmarkAnalysis
import GenmarkModel
import GenmarkPack
import GenmarkReports
import GenmarkSymbols
import GenmarkTestSupport
import GenmarkTrace

enum Seeds {
  /// Traces of a few KiB: a reader of one takes some 20 microseconds.
  static let small: [TraceSeed] = [empty, example, cycles(8), cycles(24), special].map { TraceSeed($0) }

  private static func dense(_ trace: TraceBuilder) -> TraceImageBytes {
    var trace = trace
    trace.isDense = true
    trace.header.header_size = 640
    return trace.build()
  }

  private static var empty: TraceImageBytes { dense(TraceBuilder()) }

  private static var example: TraceImageBytes { dense(.example()) }

  /// A program that marks `count` cycles, with a call site for each of leak, cache, one-off and doubling.
  private static func cycles(_ count: UInt32) -> TraceImageBytes {
    var trace = TraceBuilder()
    let module = trace.module(path: "/usr/bin/app") { $0.flags = UInt32(GM_MODULE_MAIN) }
    let main = trace.node(address: 0x40_1000, module: module)
    let sites = (1...4).map { trace.node(address: 0x40_1000 + UInt64($0) * 0x1000, parent: main, module: module) }
    var previous = [UInt32](repeating: 0, count: sites.count)
    for birth in 0..<count {
      var changes: [TraceBuilder.Change] = []
      for (index, site) in sites.enumerated() {
        let blocks = [1, birth < 4 ? 2 : 0, birth == 3 ? 5 : 0, birth & (birth &- 1) == 0 ? 1 : 0][index]
        guard blocks > 0 else { continue }
        let cell = trace.cell(site: site, birth: birth, previous: previous[index])
        previous[index] = cell
        trace.count(cell, shard: birth % 3, born: (UInt64(blocks + 3), UInt64(blocks + 3) * 48), freed: (3, 144))
        changes.append(.init(cell: cell, birth: birth, blocks: UInt64(blocks), bytes: UInt64(blocks) * 48))
      }
      trace.mark("cycle", changes: changes) {
        $0.live_blocks = UInt64(birth) * 2
        $0.rss_bytes = 1 << 20
      }
    }
    return dense(trace)
  }

  /// What a recorder under limits leaves: losses, special nodes, marks merged and without changes, several labels.
  private static var special: TraceImageBytes {
    var trace = TraceBuilder()
    let cut = trace.node(address: UInt64(GM_ADDRESS_CUT))
    let merged = trace.node(address: UInt64(GM_ADDRESS_MERGED))
    let site = trace.node(address: 0x7f00_0000_1000, parent: cut)
    let cell = trace.cell(site: site, birth: 1)
    let other = trace.cell(site: merged, birth: 0)
    trace.count(cell, born: (3, 90), freed: (1, 30))
    trace.count(other, shard: 2, born: (1, 1 << 40))
    trace.header.losses = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 1)
    trace.header.flags = UInt32(GM_FLAG_STOPPED)
    trace.header.end_kind = UInt32(GM_END_SIGNAL)
    trace.header.end_value = 9
    trace.header.thinning = 1
    trace.mark("a\u{1b}[31m\n", changes: [.init(cell: cell, birth: 1, blocks: 1, bytes: 30)]) { $0.merged = 2 }
    trace.mark("b") { $0.flags = UInt32(GM_MARK_CHANGES_LOST) }
    trace.mark("b", changes: [.init(cell: cell, birth: 1, blocks: 2, bytes: 60)]) { $0.generation = 5 }
    return dense(trace)
  }

  // MARK: Packs

  /// Of small traces, with names and without.
  static let packs: [[UInt8]] = [dense(.example()), cycles(8)].flatMap { image -> [[UInt8]] in
    guard let directory = try? TemporaryDirectory(), let path = try? directory.write(image.bytes, to: "a.genmark"),
      let writer = try? PackWriter(trace: path)
    else { return [] }
    let frames: (CallTree.NodeID) -> [Frame] = { node in
      [
        Frame(function: "inner\(node)", module: "/x", inlined: true),
        Frame(function: "f", file: "a.c", line: 3, folded: true),
      ]
    }
    return [nil, Anonymizer()].compactMap { anonymizer in
      try? writer.bytes(frames: frames, notes: { ["no debug information"] }, version: "0", anonymizer: anonymizer)
    }
  }

  /// A frame of zstd (RFC 8878) that holds bytes as they are: compressing would take most of the time.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000]
    func little(_ value: Int, _ count: Int) {
      for index in 0..<count { frame.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    little(bytes.count, 4)
    let limit = 100_000
    var start = 0
    repeat {
      let end = min(start + limit, bytes.count)
      little((end - start) << 3 | (end == bytes.count ? 1 : 0), 3)
      frame += bytes[start..<end]
      start = end
    } while start < bytes.count
    return frame
  }

  // MARK: Texts

  static let budgets: [[UInt8]] = [
    #"{"maxGrowth": "0B", "maxTotal": "4KiB", "maxBlocks": 3, "exceptions": [{"pattern": "leak_record", "reason": "known", "until": "2030-01-01"}]}"#,
    """
    { "$schema": "x", "limits": [ { "function": "Cache::*", "maxGrowth": "1.5KiB" }, { "module": "^lib*$", "maxBlocks": 0 } ],
      "exceptions": [ { "fingerprint": "9f2c04aabb", "reason": "a \\"b\\" \\u00e9\\ud83d\\ude00\\n" }, { "file": "a.c", "reason": "-" } ] }
    """,
    "{}",
  ].map { Array($0.utf8) }

  /// A growing recording, and what a check of it wrote.
  static let (growing, baselines): (GrowthReport?, [[UInt8]]) = {
    guard let recording = try? Recording(traceBytes: cycles(8).bytes, file: "sound.genmark"),
      let report = try? Growth.report(of: recording, frames: HostileFrames(recording))
    else { return (nil, []) }
    let summary = TraceSummary(recording)
    let texts = [Check.report(of: report).json(summary, all: true).text, report.json(summary, all: false).text]
    return (report, texts.map { Array($0.utf8) })
  }()

  static let suppressions: [[UInt8]] = [
    "# known since May\nleak:leak_record\nleak:*::operator*\r\n\n# a comment\nleak:libsomething.so\nrace:x\n",
    "leak:^main$",
  ].map { Array($0.utf8) }

  static let symbolNames: [[UInt8]] = [
    "_ZNSt6vectorIiSaIiEE9push_backEOi", "_ZN3FooC2Ev.cold",
    "_ZNKSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiE2atERKS5_",
    "$s4main5ShapeV5namesSaySSGvg", "$s7Signals7SubjectC9subscribeyyyxcF", "$s4main4workSiyYaFTQ0_",
    "_RNvC6_123foo3bar",
    "_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "__GI_strdup", "parse.constprop.0",
    "$s4main3FooV3baryySDySSSaySiGG_AA5ShapeVAC4KindOtF",
  ].map { Array($0.utf8) }

  static let words: [[UInt8]] = [
    "A..B", "login#3..end", "7", "start..", "4KiB", "2026-12-31", "libc.so!mallo*", "Cache::*", "^f$",
  ].map {
    Array($0.utf8)
  }
}
