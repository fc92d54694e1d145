// SPDX-License-Identifier: MIT
//
// ParserTests: words of the command line to the arguments of a verb, and what is said of words that are none.

import GenmarkAnalysis
import GenmarkModel
import Testing

@testable import GenmarkCommand

struct ParserTests {
  private func parse<V: Verb>(_ verb: V.Type, _ words: String...) throws(CommandError) -> V {
    var arguments = V()
    _ = try Parser.parse(words, into: &arguments)
    return arguments
  }

  @Test func valuesStandApartOrBehindAnEqualsSign() throws {
    #expect(try parse(DiffVerb.self, "t", "--top", "5").top == 5)
    #expect(try parse(DiffVerb.self, "--top=5", "t").top == 5)
    #expect(try parse(RunVerb.self, "-oa b", "app").output == "a b")
    #expect(try parse(RunVerb.self, "-q", "-o", "x", "app").isQuiet)
    #expect(try parse(RunVerb.self, "-qox", "app").output == "x")
    #expect(try parse(RunVerb.self, "--output=", "app").output == "")
  }

  @Test func whatFollowsTheProgramIsTheProgramsOwn() throws {
    #expect(
      try parse(RunVerb.self, "--follow", "app", "--follow", "-o", "x", "--").words == [
        "app", "--follow", "-o", "x", "--",
      ])
    #expect(try parse(RunVerb.self, "--", "-app", "--help").words == ["-app", "--help"])
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try parse(MarkVerb.self, "--", "1", "--label").words == ["1", "--label"])
  }

  @Test func aSingleDashIsAWord() throws { #expect(try parse(MarksVerb.self, "-").words == ["-"]) }

  @Test func groupsOfOptionsReachTheirPlace() throws {
    let diff = try parse(DiffVerb.self, "--label", "pop", "--fold", "a*", "--fold", "b", "--warm-up", "auto", "t")
    #expect(diff.growth.label == "pop" && diff.growth.warmUp == .auto)
    #expect(diff.symbols.foldPatterns == ["a*", "b"])
  }

  @Test func mistakesSayWhatToDo() {
    #expect(throws: CommandError.unknownOption("--labl", verb: "growth", nearest: "--label")) {
      try parse(GrowthVerb.self, "--labl", "x", "t")
    }
    #expect(throws: CommandError.unknownOption("-x=", verb: "marks", nearest: nil)) { try parse(MarksVerb.self, "-x=") }
  }

  @Test(arguments: [
    (["--top"], "--top needs a value: --top N."), (["--top", "many", "t"], "--top: 'many' is not a number from 1."),
    (["--top", "0", "t"], "--top: '0' is not a number from 1."), (["--json=yes", "t"], "--json takes no value."),
    (["--by", "line", "t"], "--by: 'line' is not one of call-site, function, module, tree."),
    ([], "`diff` needs a trace. See `genmark diff --help`."),
    (["a", "b", "c"], "`diff` does not know what to do with 'c'. See `genmark diff --help`."),
    (["--warm-up", "-1", "t"], "--warm-up: '-1' is not a number of cycles or 'auto'."),
    (["--sotr", "bytes", "t"], "`diff` has no option '--sotr'. Did you mean '--sort'?"),
    (["-x", "t"], "`diff` has no option '-x'. See `genmark diff --help`."),
  ])
  func messages(words: [String], message: String) {
    var arguments = DiffVerb()
    let error = #expect(throws: CommandError.self) { try Parser.parse(words, into: &arguments) }
    #expect(error?.description == message)
  }

  @Test func helpIsNeverAnError() throws {
    var arguments = DiffVerb()
    #expect(try Parser.parse(["--help"], into: &arguments) == .help)
    #expect(try Parser.parse(["-h", "a", "b", "c"], into: &arguments) == .help)
  }
}

struct SuggestionTests {
  @Test(arguments: [
    ("growht", "growth"), ("generation", "generations"), ("chekc", "check"), ("gen", "generations"), ("DIFF", "diff"),
    ("exlpain", "explain"),
  ])
  func nearest(word: String, verb: String) { #expect(Suggestion.nearest(to: word, in: Main.verbs.map(\.name)) == verb) }

  @Test(arguments: ["x", "frobnicate", "", String(repeating: "growth", count: 1000)])
  func nothingIsNear(word: String) { #expect(Suggestion.nearest(to: word, in: Main.verbs.map(\.name)) == nil) }

  @Test func distanceCountsASwapOnce() {
    #expect(Suggestion.distance(Array("growht"), Array("growth")) == 1)
    #expect(Suggestion.distance(Array("abc"), Array("")) == 3)
    #expect(Suggestion.distance(Array("kitten"), Array("sitting")) == 3)
  }
}

struct ValuesTests {
  @Test(arguments: [
    ("500ms", 500_000_000), ("2s", 2_000_000_000), ("1.5s", 1_500_000_000), ("1m", 60_000_000_000), ("250us", 250_000),
    ("1h", 3_600_000_000_000),
  ])
  func durations(word: String, nanoseconds: UInt64) { #expect(Values.duration(word) == Nanoseconds(nanoseconds)) }

  @Test(arguments: ["", "5", "s", "0s", "-1s", "1e3s", "1.s", ".5s", "5 s", "1d", "99999999999999h", "nans"])
  func noDurations(word: String) { #expect(Values.duration(word) == nil) }

  @Test(arguments: [
    ("0", 0), ("0B", 0), ("96", 96), ("4KiB", 4096), ("4k", 4096), ("1.5MiB", 1_572_864), ("2GB", 2_000_000_000),
    ("1kB", 1000),
  ])
  func sizes(word: String, bytes: Int64) { #expect(Values.bytes(word) == Bytes(bytes)) }

  @Test(arguments: ["", "B", "-1", "1 KiB", "1XB", "1e99", "99999999999GiB", "0x10"])
  func noSizes(word: String) { #expect(Values.bytes(word) == nil) }

  @Test(arguments: [
    ("USR2", "12"), ("SIGUSR1", "10"), ("usr1", "10"), ("10", "10"), ("RTMIN+3", "RTMIN+3"), ("RTMAX", "RTMAX"),
  ])
  func markSignals(word: String, name: String) { #expect(SystemText.markSignal(word) == name) }

  @Test(arguments: ["KILL", "9", "SEGV", "0", "65", "RTMIN-1", "RTMIN+99", "", "SIG", "NOSUCH"])
  func noMarkSignals(word: String) { #expect(SystemText.markSignal(word) == nil) }
}
