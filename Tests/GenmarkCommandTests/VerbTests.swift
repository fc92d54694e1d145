// SPDX-License-Identifier: MIT
//
// VerbTests: every verb on a trace that is written here, through the same door as the command line: what it prints and
// what it ends with. Recording is tested end to end.

import Foundation
import GenmarkTestSupport
import Testing

@testable import GenmarkCommand

/// One call of the command.
struct Call {
  let status: Int32
  let output: String
  let errors: String

  init(_ words: String...) throws { try self.init(words) }

  init(_ words: [String]) throws {
    let folder = try TemporaryDirectory()
    let files = ["out", "err"].map { open(folder.path + "/" + $0, O_RDWR | O_CREAT, 0o600) }
    defer { for file in files { close(file) } }
    status = Main.status(of: words, Console(output: files[0], error: files[1], style: .plain)).code
    output = try String(contentsOfFile: folder.path + "/out", encoding: .utf8)
    errors = try String(contentsOfFile: folder.path + "/err", encoding: .utf8)
  }

  var lines: [Substring] { output.split(separator: "\n") }
}

/// A trace in which one call site keeps `blocks` blocks of 32 bytes in each of `cycles` cycles, and another nothing.
struct TraceOnDisk {
  let folder: TemporaryDirectory
  let path: String

  init(cycles: UInt32 = 12, blocks: UInt64 = 1, label: String = "pop") throws {
    var trace = TraceBuilder()
    let module = trace.module(path: "/usr/bin/example") { record in
      record.start = 0x40_0000
      record.end = 0x50_0000
      record.bias = 0x40_0000
      record.flags = 1
    }
    let main = trace.node(address: 0x40_1000, module: module)
    let leak = trace.node(address: 0x40_2000, parent: main, module: module)
    let clean = trace.node(address: 0x40_3000, parent: main, module: module)
    for birth in 0...cycles {
      let cell = trace.cell(site: leak, birth: birth)
      if birth < cycles {
        if blocks > 0 { trace.count(cell, born: (blocks, blocks * 32)) }
        let change = TraceBuilder.Change(cell: cell, birth: birth, blocks: blocks, bytes: blocks * 32)
        trace.mark(label, changes: blocks > 0 ? [change] : []) { mark in
          mark.born_blocks = UInt64(birth + 1) * (blocks + 3)
          mark.born_bytes = UInt64(birth + 1) * (blocks * 32 + 300)
          mark.live_blocks = UInt64(birth + 1) * blocks
          mark.live_bytes = UInt64(birth + 1) * blocks * 32
        }
      }
    }
    let busy = trace.cell(site: clean, birth: 0)
    trace.count(
      busy, born: (3 * UInt64(cycles), 300 * UInt64(cycles)), freed: (3 * UInt64(cycles), 300 * UInt64(cycles)))
    folder = try TemporaryDirectory()
    path = try folder.write(trace.build().bytes, to: "app.genmark")
  }
}

struct VerbTests {
  private let readers = ["generations", "marks", "diff", "growth", "check", "export"]

  @Test func generationsAreARowEach() throws {
    let trace = try TraceOnDisk(cycles: 3)
    let call = try Call("generations", trace.path)
    #expect(call.status == 0 && call.errors == "")
    #expect(call.lines.count { $0.contains("  pop  ") } == 3)
    #expect(call.lines[1].hasPrefix("Generation  Label"))
    let opened = try Call("generations", trace.path, "--by", "call-site", "--no-symbols")
    #expect(opened.output.contains("32 B in 1  example+0x1fff"))
  }

  @Test func growthNamesTheCallSiteAndItsRate() throws {
    let trace = try TraceOnDisk()
    let call = try Call("growth", trace.path, "--no-symbols")
    #expect(call.status == 0)
    #expect(call.output.contains("1 finding grows over 10 judged cycles of \"pop\""))
    #expect(call.output.contains("leak, certain  +1 block, +32 B a cycle  12 blocks, 384 B live"))
    #expect(call.output.contains("  example+0x1fff\n"))
  }

  @Test func cyclesAreChosen() throws {
    let trace = try TraceOnDisk()
    let paired = try Call("growth", trace.path, "--cycle", "pop..pop")
    #expect(paired.status == 0 && paired.output.contains("judged cycles"))
    #expect(try Call("growth", trace.path, "--marks-per-cycle", "2").output.contains("+2 blocks, +64 B a cycle"))
    #expect(try Call("growth", trace.path, "--warm-up", "4", "--settling", "2").output.contains("over 6 judged cycles"))
    for wrong in ["pop", "..pop", "pop..", ".."] {
      #expect(
        try Call("growth", trace.path, "--cycle", wrong).errors.contains("two labels as in push..pop"), "\(wrong)")
    }
    #expect(try Call("growth", trace.path, "--cycle", "pop..nosuch").errors.contains("nosuch"))
  }

  @Test func diffTakesNumbersAndLabels() throws {
    let trace = try TraceOnDisk()
    for range in ["2..5", "pop#2..pop#5", "B..E"] {
      let call = try Call("diff", trace.path, range, "--no-symbols")
      #expect(
        call.output.contains("from mark 2 (\"pop\") to mark 5 (\"pop\"): born and alive 3 blocks, 96 B"), "\(range)")
    }
    #expect(try Call("diff", trace.path, "5..2").status == 3)
    #expect(try Call("diff", trace.path, "pop#99").errors.contains("no mark 'pop#99'"))
  }

  @Test func twoTracesAreCompared() throws {
    let (old, new) = try (TraceOnDisk(blocks: 0), TraceOnDisk(blocks: 2))
    let call = try Call("diff", old.path, new.path, "--no-symbols")
    #expect(call.status == 0)
    #expect(call.output.contains("appeared") && call.output.contains("+64 B"))
  }

  @Test func checkEndsWithTheOutcome() throws {
    let (leak, clean, short) = try (TraceOnDisk(), TraceOnDisk(blocks: 0), TraceOnDisk(cycles: 2))
    #expect(try Call("check", leak.path).status == 1)
    #expect(try Call("check", leak.path, "--max-growth", "32B").status == 0)
    #expect(try Call("check", leak.path, "--max-growth", "31B").status == 1)
    #expect(try Call("check", leak.path, "--max-growth", "1KiB", "--max-blocks", "0").status == 1)
    #expect(try Call("check", leak.path, "--max-growth", "1KiB", "--max-total", "0").status == 1)
    #expect(try Call("check", clean.path).status == 0)
    #expect(try Call("check", short.path).status == 2)
    #expect(try Call("check", short.path, "--inconclusive", "pass").status == 0)
    #expect(try Call("check", leak.path, "--inconclusive", "pass").status == 1)
    #expect(try Call("check", leak.path, "--baseline", leak.path).status == 0)
    #expect(try Call("check", leak.path, "--baseline", clean.path).status == 1)
  }

  @Test func reportsAreWrittenAllAtOnce() throws {
    let trace = try TraceOnDisk()
    let file = { trace.folder.path + "/" + $0 }
    let call = try Call(
      "check", trace.path, "--report", "junit=" + file("j"), "--report", "sarif=" + file("s"), "--report",
      "markdown=" + file("m"), "--report", "json=" + file("c"), "--github")
    #expect(call.status == 1 && call.output.contains("::error title=genmark::leak: +1 block"))
    let texts = try ["j", "s", "m", "c"].map { try String(contentsOfFile: file($0), encoding: .utf8) }
    #expect(texts[0].hasPrefix("<?xml") && texts[1].contains("\"2.1.0\""))
    #expect(texts[2].hasPrefix("## genmark: ❌") && texts[3].hasPrefix("{\"schema\":\"genmark.check/1\""))
    #expect(try Call("check", trace.path, "--report", "pdf=x").status == 3)
    #expect(try Call("check", trace.path, "--report", "junit=/nonexistent/x").status == 3)
    #expect(try Call("check", trace.path, "--report", "json=-").output == "")
  }

  @Test func acceptedFindingsPass() throws {
    let trace = try TraceOnDisk()
    let budget = trace.folder.path + "/genmark.json"
    let growth = try Call("growth", trace.path).output
    let fingerprint = try #require(growth.split(separator: "[").dropFirst().first?.prefix(16)).description
    #expect(try Call("accept", fingerprint, "--budget", budget).status == 3)
    #expect(
      try Call("accept", fingerprint, "--reason", "known", "--until", "2026-02-30", "--budget", budget).status == 3)
    #expect(try Call("accept", fingerprint, "--reason", "known \"cache\"", "--budget", budget).status == 0)
    let check = try Call("check", trace.path, "--budget", budget)
    #expect(check.status == 0 && check.output.contains("known \"cache\""))
    let explained = try Call("explain", trace.path, String(fingerprint.prefix(6)))
    #expect(explained.output.contains("verdict   leak: keeps something from every cycle"))
    #expect(try Call("explain", trace.path, "ffffffffffffffff").status == 3)
  }

  @Test func exportsReadBack() throws {
    let trace = try TraceOnDisk()
    let folded = try Call("export", trace.path, "--no-symbols")
    #expect(folded.output == "example+0xfff;example+0x1fff 384\n")
    #expect(try Call("export", trace.path, "--no-symbols", "--growing", "--unit", "blocks").output.hasSuffix(" 12\n"))
    #expect(try Call("export", trace.path, "--growing", "1..2").status == 3)
    let file = trace.folder.path + "/profile"
    #expect(try Call("export", trace.path, "--format", "pprof", "-o", file).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).prefix(2) == Data([0x1f, 0x8b]))
  }

  @Test func jsonStandsAlone() throws {
    let trace = try TraceOnDisk()
    for verb in readers where verb != "export" {
      let call = try Call(verb, trace.path, "--json")
      #expect(call.lines.count == 1 && call.output.hasPrefix("{\"schema\":\"genmark.\(verb)/1\","), "\(verb)")
      let parsed = try JSONSerialization.jsonObject(with: Data(call.output.utf8)) as? [String: Any]
      #expect(parsed?["trace"] != nil, "\(verb)")
    }
  }

  @Test func badInputIsOneLineAndStatusThree() throws {
    let folder = try TemporaryDirectory()
    let letter = try folder.write(Array("a letter".utf8), to: "letter\u{1b}[31m")
    for verb in readers {
      for words in [
        [verb], [verb, folder.path + "/absent"], [verb, letter], [verb, folder.path], [verb, letter, "--nosuch"],
      ] {
        let call = try Call(words)
        #expect(call.status == 3 && call.output == "", "\(words)")
        #expect(call.errors.hasPrefix("genmark: ") && call.errors.split(separator: "\n").count == 1, "\(words)")
        #expect(!call.errors.contains("\u{1b}"), "\(words)")
      }
    }
    #expect(try Call("growht").errors == "genmark: no verb 'growht'. Did you mean 'growth'?\n")
    #expect(try Call("mark", "0").status == 3)
    #expect(try Call("explain", letter).errors.contains("a fingerprint"))
  }

  @Test func helpIsThereForAll() throws {
    for verb in Main.verbs.map(\.name) {
      #expect(try Call("help", verb).output == Call(verb, "--help").output, "\(verb)")
    }
    #expect(try Call("help", "nosuch").status == 3)
    #expect(try Call("--version").output == "genmark \(Main.version)\n")
    #expect(try Call().status == 3)
  }

  @Test func aClosedPipeIsNoError() throws {
    let trace = try TraceOnDisk()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(Main.status(of: ["check", trace.path], Console(output: ends[1], style: .plain)) == .exceeded)
    #expect(Main.status(of: ["growth", trace.path], Console(output: ends[1], style: .plain)) == .success)
  }

  @Test func aFullDiskIsSaid() throws {
    let trace = try TraceOnDisk()
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let errors = open("/dev/null", O_WRONLY)
    defer { close(errors) }
    #expect(Main.status(of: ["growth", trace.path], Console(output: full, error: errors, style: .plain)) == .failure)
  }
}
