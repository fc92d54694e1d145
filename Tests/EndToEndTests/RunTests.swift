// SPDX-License-Identifier: MIT
//
// `genmark run` and plain LD_PRELOAD: the program is as without the recorder, and the trace is where it should be.

import Foundation
import Testing

@Suite("Recording a program")
struct RunTests {
  private let workshop: Workshop
  private let actor: String

  init() throws {
    workshop = try Workshop()
    actor = try Genmark.program("actor")
  }

  private func run(_ options: [String], _ script: String, environment: [String: String] = [:]) throws -> Outcome {
    try Running(
      [Genmark.command, "run"] + options + ["--", actor] + Workshop.words(script), in: workshop.folder,
      environment: environment
    ).finish()
  }

  /// Marks of a trace, 0 also while it cannot be read yet.
  private func marks(in trace: String) throws -> Int {
    let outcome = try workshop.genmark("generations", trace, "--json")
    return outcome.status == 0 ? try outcome.report(GenerationsReport.self).generations.count - 1 : 0
  }

  @Test("the exit status is the program's", arguments: [0, 1, 2, 7, 255])
  func exitStatus(status: Int32) throws {
    #expect(try run(["-o", "a.genmark"], "exit \(status)").status == status)
  }

  @Test("a program that a signal ended ends with 128 and the signal, and the trace says so")
  func signalled() throws {
    #expect(try run(["-o", "a.genmark"], "leak kill").status == 128 + SIGKILL)
    let trace = try workshop.genmark("generations", "a.genmark", "--json").report(GenerationsReport.self).trace
    #expect(trace.end.kind == "signal")
    #expect(trace.end.value.value == Int(SIGKILL))
  }

  @Test("standard output and standard error are the program's own, byte for byte")
  func output() throws {
    let script = "repeat 300 leak churn 20 say line complain trouble mark cycle end exit 5"
    let bare = try Running([actor] + Workshop.words(script), in: workshop.folder).finish()
    for recorded in [try run(["-o", "a.genmark"], script), try workshop.record(script, trace: "b.genmark")] {
      #expect(recorded.output == bare.output)
      #expect(recorded.errors == bare.errors)
      #expect(recorded.status == bare.status)
    }
  }

  @Test("preload prints a library that is there")
  func preload() throws {
    let outcome = try workshop.genmark("preload")
    #expect(outcome.status == 0)
    let path = outcome.text.trimmingCharacters(in: .newlines)
    #expect(path.hasPrefix("/"))
    #expect(FileManager.default.isReadableFile(atPath: path))
  }

  @Test("without a name the trace is PROGRAM.PID.genmark in the working directory")
  func defaultName() throws {
    let program = try Running([actor, "pid"], in: workshop.folder, environment: ["LD_PRELOAD": Genmark.library])
    let pid = try program.lines(1)[0]
    _ = try program.finish()
    #expect(workshop.traces == ["actor.\(pid).genmark"])
  }

  @Test("GENMARK_OUTPUT knows the pid, the program, the host, the time and the percent sign")
  func outputPattern() throws {
    try workshop.record("leak", trace: "p%p-e%e-h%h-t%t-%%.genmark")
    let name = try #require(workshop.traces.first)
    #expect(name.wholeMatch(of: /p\d+-eactor-h[^%]+-t[^%]+-%\.genmark/) != nil, "\(name)")
  }

  @Test("a file that is there already is never written to")
  func nothingOverwritten() throws {
    try workshop.write("precious", to: "a.genmark")
    try workshop.record("leak", trace: "a.genmark")
    #expect(try workshop.contents("a.genmark") == Data("precious".utf8))

    let outcome = try run(["-o", "a.genmark"], "say ran")
    #expect(try workshop.contents("a.genmark") == Data("precious".utf8))
    #expect(outcome.status == 3 || outcome.text == "ran\n")
  }

  @Test("--every marks a program that never marks")
  func every() throws {
    let program = try Running(
      [Genmark.command, "run", "-o", "a.genmark", "--every", "20ms", "--", actor, "leak", "wait"], in: workshop.folder)
    try eventually("three marks") { try marks(in: "a.genmark") >= 3 ? true : nil }
    program.send()
    #expect(try program.finish().status == 0)
  }

  @Test("by default a child is not recorded, with --follow it has a trace of its own")
  func follow() throws {
    let script = "leak fork repeat 3 leak end end"
    _ = try run(["-o", "alone.genmark"], script)
    #expect(workshop.traces == ["alone.genmark"])

    _ = try run(["-o", "app.genmark", "--follow"], script)
    let child = try #require(workshop.traces.first { $0.hasPrefix("app.") && $0 != "app.genmark" })
    #expect(child.wholeMatch(of: /app\.\d+\.genmark/) != nil)
    let parents = try workshop.genmark("generations", "app.genmark", "--by", "call-site", "--json")
    #expect(try parents.report(GenerationsReport.self).blocks(in: "leak_record") == 1)
    let childs = try workshop.genmark("generations", child, "--by", "call-site", "--json")
    #expect(try childs.report(GenerationsReport.self).blocks(in: "leak_record") == 3)
  }

  @Test("a signal of one's choice marks")
  func markSignal() throws {
    let program = try workshop.start(
      "say ready wait wait", trace: "a.genmark", environment: ["GENMARK_MARK_SIGNAL": "USR1"])
    _ = try program.lines(1)
    program.signal(SIGUSR1)
    try eventually("a mark") { try marks(in: "a.genmark") == 1 ? true : nil }
    program.send()
    program.send()
    #expect(try program.finish().status == 0)
  }

  @Test("a program that cannot be recorded still runs, and it is said once")
  func unwritableDirectory() throws {
    let nowhere = workshop.path("no/such/folder/a.genmark")
    let outcome = try workshop.record("leak say ran exit 4", trace: "x", environment: ["GENMARK_OUTPUT": nowhere])
    #expect(outcome.text == "ran\n")
    #expect(outcome.status == 4)
    #expect(outcome.complaints.count == 1)
    #expect(outcome.errors.hasPrefix("genmark:"))

    let quiet = try workshop.record(
      "leak say ran", trace: "x", environment: ["GENMARK_OUTPUT": nowhere, "GENMARK_QUIET": "1"])
    #expect(quiet.text == "ran\n")
    #expect(quiet.errors.isEmpty)
  }
}

extension GenerationsReport {
  /// Blocks alive at the end that a function allocated, in all generations.
  func blocks(in function: String) -> Int {
    generations.flatMap { $0.callSites ?? [] }.filter { $0.functions.contains(function) }.reduce(0) { $0 + $1.blocks }
  }
}
