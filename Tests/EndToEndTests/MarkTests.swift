// SPDX-License-Identifier: MIT
//
// Marks from outside, and traces of programs that run, were killed, or crashed.

import Foundation
import Testing

@Suite("Marking and reading")
struct MarkTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func generations(_ trace: String) throws -> GenerationsReport {
    let outcome = try workshop.genmark("generations", trace, "--by", "call-site", "--json")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try outcome.report()
  }

  @Test("a running program is marked by its pid and by its trace, and read")
  func outside() throws {
    let program = try workshop.start(
      "say ready wait leak say done wait leak leak say done wait", trace: "a.genmark")
    _ = try program.lines(1)
    #expect(try workshop.genmark("mark", "\(program.pid)", "start").status == 0)
    program.send()
    _ = try program.lines(2)
    #expect(try workshop.genmark("mark", "a.genmark", "one").status == 0)
    program.send()
    _ = try program.lines(3)

    let report = try generations("a.genmark")
    #expect(report.trace.end.kind == "running")
    #expect(report.trace.pid == program.pid)
    #expect(report.generations.map(\.openedBy.value) == [nil, "start", "one"])
    #expect(report.generations.map(\.closedBy.value) == ["start", "one", nil])
    #expect(report.generations[1].callSites?.map(\.blocks) == [1])
    #expect(report.generations[2].blocks(in: "leak_record") == 2)

    #expect(try workshop.genmark("mark", "\(program.pid)").status == 0)
    #expect(try generations("a.genmark").generations.count == 4)
    program.send()
    #expect(try program.finish().status == 0)
    #expect(try generations("a.genmark").trace.end.kind == "exit")
  }

  @Test("kill -9 loses nothing")
  func killed() throws {
    let program = try workshop.start(
      "repeat 5 leak mark cycle end repeat 3 leak end say ready wait", trace: "a.genmark")
    _ = try program.lines(1)
    program.signal(SIGKILL)
    #expect(try program.finish().status == 128 + SIGKILL)
    let report = try generations("a.genmark")
    #expect(report.generations.count == 6)
    #expect(report.blocks(in: "leak_record") == 8)
    #expect(report.generations[5].blocks(in: "leak_record") == 3)
    #expect(["unknown", "signal"].contains(report.trace.end.kind))
    #expect(report.trace.losses.isEmpty)
  }

  @Test("a program that aborts leaves a trace, and its status is its own")
  func aborted() throws {
    let outcome = try workshop.record("leak mark cycle leak abort", trace: "a.genmark")
    #expect(outcome.status == 128 + SIGABRT)
    #expect(try generations("a.genmark").blocks(in: "leak_record") == 2)
  }

  @Test("the exit status is in the trace")
  func exited() throws {
    try workshop.record("leak exit 9", trace: "a.genmark")
    let end = try generations("a.genmark").trace.end
    #expect(end.kind == "exit")
    #expect(end.value.value == 9)
  }

  @Test("a finished program cannot be marked, and its trace stays as it is")
  func finished() throws {
    try workshop.record("leak mark cycle", trace: "a.genmark")
    let before = try workshop.contents("a.genmark")
    let outcome = try workshop.genmark("mark", "a.genmark", "late")
    #expect(outcome.status == 3)
    #expect(outcome.complaints.count == 1)
    #expect(try workshop.contents("a.genmark") == before)
  }
}

extension GenerationsReport.Generation {
  func blocks(in function: String) -> Int {
    (callSites ?? []).filter { $0.functions.contains(function) }.reduce(0) { $0 + $1.blocks }
  }
}
