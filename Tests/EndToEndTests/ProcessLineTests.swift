// SPDX-License-Identifier: MIT
//
// The line about the process as a whole: heap, RSS, what the allocator holds, threads, and what of it grows.

import Foundation
import Testing

@Suite("the process line")
struct ProcessLineTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func line(_ what: String, cycles: Int = 20) throws -> Substring {
    let program = try Genmark.program("process")
    let run = try Running(
      [Genmark.command, "run", "-o", "a.genmark", "--", program, what, String(cycles)], in: workshop.folder
    ).finish()
    try #require(run.status == 0, "\(run.errors)")
    let growth = try workshop.genmark("growth", "a.genmark")
    return try #require(growth.text.split(separator: "\n").first { $0.hasPrefix("process, a cycle: ") }, "\(growth.text)")
  }

  @Test("the heap grows")
  func heap() throws {
    let line = try line("heap")
    #expect(line.contains("heap +1,000 B"))
    #expect(line.hasSuffix("The heap grows."), "\(line)")
  }

  @Test("memory that did not come from malloc")
  func mapped() throws {
    let line = try line("mapped")
    #expect(line.contains("RSS +4.0 MiB"), "\(line)")
    #expect(line.contains("memory not from malloc"), "\(line)")
    #expect(line.contains("held by the allocator 0 B"), "\(line)")
  }

  @Test("fragmentation")
  func fragments() throws {
    let line = try line("fragments", cycles: 60)
    #expect(line.contains("RSS grows while the heap does not"), "\(line)")
    #expect(line.contains("MALLOC_ARENA_MAX"), "\(line)")
  }

  @Test("threads")
  func threads() throws {
    let line = try line("threads")
    #expect(line.contains("threads +1 (now "), "\(line)")
    #expect(line.contains("Threads grow."), "\(line)")
  }

  @Test("nothing grows")
  func nothing() throws {
    let line = try line("nothing")
    #expect(line.hasSuffix("Level."), "\(line)")
  }

  @Test("marks from outside can not ask the allocator")
  func outside() throws {
    let program = try workshop.start("say ready repeat 6 wait leak say done end wait", trace: "b.genmark")
    _ = try program.lines(1)
    for cycle in 1...6 {
      program.send()
      _ = try program.lines(1 + cycle)
      #expect(try workshop.genmark("mark", "b.genmark", "cycle").status == 0)
    }
    #expect(try program.finish().status == 0)
    let text = try workshop.genmark("growth", "b.genmark").text
    #expect(text.contains("held by the allocator unknown"), "\(text)")
  }
}
