// SPDX-License-Identifier: MIT
//
// Bad input: each gets one clear line on standard error and exit status 3, nothing on standard output, and nothing is
// lost or overwritten.

import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.record("repeat 10 leak mark cycle end", trace: "good.genmark")
  }

  private func expectRefusal(
    _ outcome: Outcome, mentions words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 3, sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.complaints.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errors.hasPrefix("genmark"), "\(outcome.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(outcome.errors.contains(word), "no '\(word)' in: \(outcome.errors)", sourceLocation: sourceLocation)
    }
  }

  private static let readers = ["generations", "diff", "growth", "check"]

  @Test("no trace", arguments: readers)
  func noTrace(verb: String) throws {
    expectRefusal(try workshop.genmark(verb, "absent.genmark"), mentions: "absent.genmark")
    expectRefusal(try workshop.genmark(verb))
  }

  @Test("not a trace", arguments: readers)
  func notATrace(verb: String) throws {
    try workshop.write(String(repeating: "This is a letter. ", count: 1000), to: "letter.genmark")
    try workshop.write("", to: "empty.genmark")
    expectRefusal(try workshop.genmark(verb, "letter.genmark"), mentions: "letter.genmark")
    expectRefusal(try workshop.genmark(verb, "empty.genmark"), mentions: "empty.genmark")
    expectRefusal(try workshop.genmark(verb, workshop.folder.path))
    expectRefusal(try workshop.genmark(verb, "/dev/null"))
  }

  @Test("a newer version")
  func newerVersion() throws {
    var bytes = try workshop.contents("good.genmark")
    bytes[8] = 99  // gm_header.major
    try bytes.write(to: workshop.folder.appendingPathComponent("new.genmark"))
    expectRefusal(try workshop.genmark("growth", "new.genmark"), mentions: "new.genmark", "version")
  }

  @Test("cut anywhere: an error or a report, never a crash", arguments: readers)
  func cut(verb: String) throws {
    let bytes = try workshop.contents("good.genmark")
    for length in [1, 8, 100, 4095, 4096, 4097, 5000, bytes.count / 2, bytes.count - 1] {
      try bytes.prefix(length).write(to: workshop.folder.appendingPathComponent("cut.genmark"))
      let outcome = try workshop.genmark(verb, "cut.genmark")
      #expect(outcome.status <= 3, "cut at \(length): \(outcome.errors)")
      #expect(outcome.complaints.count <= 1)
      #expect(verb != "check" || outcome.status != 0, "cut at \(length) is a pass")
    }
  }

  @Test("damaged anywhere: an error or a report, never a crash")
  func damaged() throws {
    let good = try workshop.contents("good.genmark")
    var generator = SplitMix(state: 7)
    for _ in 0..<60 {
      var bytes = good
      for _ in 0..<4 {
        bytes[Int(generator.next() % UInt64(min(bytes.count, 20_000)))] = UInt8(truncatingIfNeeded: generator.next())
      }
      try bytes.write(to: workshop.folder.appendingPathComponent("bad.genmark"))
      #expect(try workshop.genmark("growth", "bad.genmark", "--json").status <= 3)
    }
  }

  @Test("no marks")
  func noMarks() throws {
    try workshop.record("leak", trace: "unmarked.genmark")
    expectRefusal(try workshop.genmark("diff", "unmarked.genmark"), mentions: "mark")
    #expect(try workshop.genmark("generations", "unmarked.genmark").status == 0)
    expectRefusal(try workshop.genmark("growth", "unmarked.genmark"), mentions: "mark")
    expectRefusal(try workshop.genmark("check", "unmarked.genmark"), mentions: "mark")
  }

  @Test("an unknown label")
  func unknownLabel() throws {
    expectRefusal(try workshop.genmark("growth", "good.genmark", "--label", "cycel"), mentions: "cycel", "cycle")
    expectRefusal(try workshop.genmark("diff", "good.genmark", "cycle#11..cycle#12"))
    expectRefusal(try workshop.genmark("diff", "good.genmark", "5..99"))
  }

  @Test("a dead pid, a pid that is not recorded, none at all")
  func pids() throws {
    let program = try Running(["true"], in: workshop.folder)
    let pid = program.pid
    _ = try program.finish()
    expectRefusal(try workshop.genmark("mark", "\(pid)", "late"), mentions: "\(pid)")
    expectRefusal(try workshop.genmark("mark", "\(getpid())"), mentions: "\(getpid())")
    expectRefusal(try workshop.genmark("mark", "0"))
    expectRefusal(try workshop.genmark("mark", "-1"))
    expectRefusal(try workshop.genmark("mark"))
  }

  @Test("someone else's process", .enabled(if: getuid() != 0, "root may mark any process"))
  func foreignProcess() throws {
    expectRefusal(try workshop.genmark("mark", "1"))
  }

  @Test("an unknown verb or option names the nearest")
  func nearest() throws {
    expectRefusal(try workshop.genmark("growht", "good.genmark"), mentions: "growth")
    expectRefusal(try workshop.genmark("growth", "good.genmark", "--labell", "x"), mentions: "--label")
    expectRefusal(try workshop.genmark("check", "good.genmark", "--max-grow", "0B"), mentions: "--max-growth")
  }

  @Test("an unwritable directory under run")
  func unwritable() throws {
    let outcome = try workshop.genmark("run", "-o", "no/such/a.genmark", "--", Genmark.program("actor"), "say", "ran")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.status == 3 || outcome.text == "ran\n")
  }

  @Test("a preload library that is missing, or of another kind")
  func library() throws {
    let actor = try Genmark.program("actor")
    try workshop.write("no library", to: "lib.so")
    for library in [workshop.path("absent.so"), workshop.path("lib.so")] {
      let outcome = try workshop.genmark(
        "run", "-o", "a.genmark", "--", actor, "say", "ran", environment: ["GENMARK_PRELOAD": library])
      #expect(outcome.status == 3)
      #expect(outcome.complaints.count == 1, "\(outcome.errors)")
    }
  }

  @Test("a static program runs, and it is said that it was not recorded")
  func staticProgram() throws {
    let source = Genmark.root.appendingPathComponent("Tests/Programs/actor.c").path
    let built = try Running(["gcc", "-static", "-o", "static", source], in: workshop.folder).finish()
    try #require(built.status == 0, "\(built.errors)")
    let outcome = try workshop.genmark("run", "-o", "a.genmark", "--", "./static", "say", "ran", "exit", "0")
    #expect(outcome.text == "ran\n")
    #expect(outcome.complaints.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("not recorded"))
    #expect(!workshop.exists("a.genmark"))
  }

  @Test("a setuid program runs, and it is said that it was not recorded", .enabled(if: getuid() == 0, "needs root"))
  func setuidProgram() throws {
    try FileManager.default.copyItem(atPath: Genmark.program("actor"), toPath: workshop.path("privileged"))
    chown(workshop.path("privileged"), 1, 1)
    chmod(workshop.path("privileged"), 0o6755)
    chmod(workshop.folder.path, 0o755)
    let outcome = try workshop.genmark("run", "-o", "a.genmark", "--", "./privileged", "say", "ran")
    #expect(outcome.text == "ran\n")
    #expect(outcome.complaints.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("not recorded"))
  }

  @Test("help and version are no errors")
  func help() throws {
    for words in [["help"], ["--help"], ["growth", "--help"], ["--version"]] {
      let outcome = try Running([Genmark.command] + words, in: workshop.folder).finish()
      #expect(outcome.status == 0, "\(words)")
      #expect(!outcome.output.isEmpty, "\(words)")
    }
  }
}

/// The same numbers on every machine.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
