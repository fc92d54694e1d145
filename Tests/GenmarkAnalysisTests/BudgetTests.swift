// SPDX-License-Identifier: MIT
//
// Budgets: patterns, suppression files, genmark.json, and what a check makes of them.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

@Suite struct PatternTests {
  @Test(arguments: [
    ("foo", "xfooy", true), ("^foo", "foobar", true), ("^foo", "xfoo", false), ("foo$", "xfoo", true),
    ("foo$", "foox", false), ("^foo$", "foo", true), ("f*o", "xf--oy", true), ("a*b*c", "a1b2c3", true),
    ("a*b*c", "acb", false), ("*", "anything", true), ("", "anything", false), ("Cache::*", "LRUCache::insert", true),
    ("^Cache::*$", "Cache::insert", true), ("aab", "aaab", true), ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
  ])
  func matches(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect(Pattern.match(pattern, text) == expected)
  }

  @Test func subjects() {
    let frames = [Frame(function: "f", module: "/lib/libx.so", file: "/src/a.c")]
    #expect(Pattern(.any, "libx").matches(frames))
    #expect(Pattern(.any, "a.c").matches(frames))
    #expect(!Pattern(.function, "libx").matches(frames))
    #expect(Pattern(.file, "a.c$").matches(frames))
    #expect(Pattern(.module, "libx.so$").matches(frames))
    #expect(Pattern(.fingerprint, "0123AB").matches(fingerprint: "0123ab0000000000"))
    #expect(!Pattern(.fingerprint, "0123").matches(fingerprint: "0123ab0000000000"))
  }
}

@Suite struct SuppressionFileTests {
  @Test func readsTheSyntaxOfSanitizers() throws {
    let text = """
      # Kept on purpose until the end.
      leak:Cache::insert
        leak:^libfoo.so$ \r

      race:other
      vptr:Thing
      leak:*_cache
      """
    let suppressions = try SuppressionFile.parse(text, file: "x.supp")
    #expect(suppressions.map(\.pattern.text) == ["Cache::insert", "^libfoo.so$", "*_cache"])
    #expect(suppressions.map(\.reason)[0] == "Kept on purpose until the end.")
    #expect(suppressions.map(\.reason)[2] == "suppressed in x.supp")
    #expect(suppressions.map(\.line) == [2, 3, 7])
  }

  @Test(arguments: ["no kind", "leak:", "leak: *", "leak:^$"]) func badLines(_ line: String) {
    #expect(throws: AnalysisError.self) { try SuppressionFile.parse("\n\(line)\n", file: "x.supp") }
  }

  @Test func theLineIsSaid() {
    let error = #expect(throws: AnalysisError.self) { try SuppressionFile.parse("leak:a\nnonsense\n", file: "x.supp") }
    #expect(error?.description.hasPrefix("x.supp:2: 'nonsense'") == true)
  }
}

@Suite struct BudgetFileTests {
  static let example = """
    {
      "maxGrowth": "1.5KiB", "maxTotal": 4096, "maxBlocks": 0,
      "limits": [ { "function": "Cache::*", "maxGrowth": "1kB" }, { "pattern": "x", "maxBlocks": 3 } ],
      "exceptions": [
        { "fingerprint": "9f2c04aabbccddee", "reason": "known \\"quote\\" \\u00e9\\ud83d\\ude00", "until": "2026-12-31" }
      ]
    }
    """

  @Test func readsAllFields() throws {
    let budget = try BudgetFile.parse(BudgetFileTests.example, file: "genmark.json")
    #expect(budget.maxGrowth == Bytes(1536))
    #expect(budget.maxTotal == Bytes(4096))
    #expect(budget.maxBlocks == .zero)
    #expect(budget.rules.map(\.pattern) == [Pattern(.function, "Cache::*"), Pattern(.any, "x")])
    #expect(budget.rules.first?.maxGrowth == Bytes(1000))
    #expect(budget.exceptions.first?.reason == "known \"quote\" é😀")
    #expect(budget.exceptions.first?.until == "2026-12-31")
  }

  @Test func whatIsWrittenReadsBack() throws {
    let budget = try BudgetFile.parse(BudgetFileTests.example, file: "genmark.json")
    #expect(try BudgetFile.parse(BudgetFile.text(of: budget), file: "genmark.json") == budget)
    #expect(try BudgetFile.parse(BudgetFile.text(of: Budget()), file: "genmark.json") == Budget())
  }

  @Test func anExceptionIsAdded() throws {
    let exception = BudgetException(pattern: Pattern(.fingerprint, "0123456789abcdef"), reason: "later\n\u{1}")
    let new = try BudgetFile.adding(exception, to: " \n", file: "genmark.json")
    #expect(try BudgetFile.parse(new, file: "genmark.json").exceptions == [exception])
    let more = try BudgetFile.adding(exception, to: BudgetFileTests.example, file: "genmark.json")
    #expect(try BudgetFile.parse(more, file: "genmark.json").exceptions.count == 2)
  }

  @Test(arguments: [
    ("{ \"maxGrowht\": 0 }", 1, "Did you mean 'maxGrowth'?"), ("[]", 1, "a budget is an object"),
    ("{\n\"maxGrowth\": -1 }", 2, "not negative"), ("{\n\n\"maxBlocks\": 1.5 }", 3, "a whole number"),
    ("{ \"limits\": [ { \"function\": \"f\" } ] }", 1, "no limit"),
    ("{ \"limits\": [ { \"maxBlocks\": 1 } ] }", 1, "for what?"),
    ("{ \"exceptions\": [ { \"function\": \"f\" } ] }", 1, "needs a reason"),
    ("{ \"exceptions\": [ { \"function\": \"f\", \"reason\": \"r\", \"until\": \"soon\" } ] }", 1, "a day like"),
    ("{ \"exceptions\": [ { \"function\": \"f\", \"file\": \"g\", \"reason\": \"r\" } ] }", 1, "two patterns"),
    ("{ \"maxGrowth\": \"4 apples\" }", 1, "a size like"), ("{", 1, "field name"), ("{ \"a\" 1 }", 1, "':' is missing"),
    ("{} x", 1, "follows after the end"), ("{ \"maxGrowth\": \"0B\", \"maxGrowth\": \"1B\" }", 1, "twice"),
    ("", 1, "the file ends"), ("{ \"maxGrowth\": nul }", 1, "no JSON value"), ("{ \"x", 1, "the end of a text"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ line: Int, _ reason: String) {
    let error = #expect(throws: AnalysisError.self) { try BudgetFile.parse(text, file: "genmark.json") }
    #expect(error?.description.hasPrefix("genmark.json:\(line):") == true)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func deepNestingEnds() {
    #expect(throws: AnalysisError.self) {
      try BudgetFile.parse(String(repeating: "[", count: 100_000), file: "genmark.json")
    }
  }

  @Test(arguments: [
    ("0B", 0), ("100", 100), ("4KiB", 4096), ("4 kib", 4096), ("1.5MB", 1_500_000), ("2G", 2_147_483_648),
  ])
  func sizes(_ text: String, _ bytes: Int64) { #expect(BudgetFile.bytes(text) == bytes) }

  @Test(arguments: ["", "-1", "B", "1.2.3", "4XB", "1e3", ".5"]) func noSizes(_ text: String) {
    #expect(BudgetFile.bytes(text) == nil)
  }
}

@Suite struct CheckTests {
  let leaking = RecordingBuilder(marks: 20)
    .site("main > leak > [malloc]", survivors: every(2, cycles: 20), bytes: 50)
    .site("main > other > [malloc]", survivors: every(1, cycles: 20), bytes: 8)

  func check(_ builder: RecordingBuilder, _ options: CheckOptions = CheckOptions()) throws -> CheckReport {
    Check.report(of: try Growth.report(of: builder.recording, frames: builder.frames), options: options)
  }

  @Test func nothingMayGrowByDefault() throws {
    let report = try check(leaking)
    #expect(report.outcome == .fail)
    #expect(report.exceeded.map(\.limit) == ["max-growth 0B", "max-growth 0B"])
    #expect(report.exceeded.map(\.value) == [100, 8])
    #expect(try check(RecordingBuilder(marks: 20).site("main > f", survivors: [3])).outcome == .pass)
  }

  @Test func limitsHoldPerFindingAndInAll() throws {
    #expect(try check(leaking, CheckOptions(budget: Budget(maxGrowth: Bytes(100)))).outcome == .pass)
    #expect(try check(leaking, CheckOptions(budget: Budget(maxGrowth: Bytes(99)))).outcome == .fail)
    #expect(try check(leaking, CheckOptions(budget: Budget(maxTotal: Bytes(108)))).outcome == .pass)
    #expect(try check(leaking, CheckOptions(budget: Budget(maxTotal: Bytes(107)))).outcome == .fail)
    #expect(try check(leaking, CheckOptions(budget: Budget(maxBlocks: Blocks(2)))).outcome == .pass)
    #expect(try check(leaking, CheckOptions(budget: Budget(maxBlocks: Blocks(1)))).outcome == .fail)
  }

  @Test func blocksOfNoBytesDoNotPassZero() throws {
    let empty = RecordingBuilder(marks: 20).site("main > leak", survivors: every(1, cycles: 20), bytes: 0)
    #expect(try check(empty, CheckOptions(budget: Budget(maxGrowth: .zero))).outcome == .fail)
  }

  @Test func aRuleComesBeforeTheGeneralLimit() throws {
    let rule = BudgetRule(pattern: Pattern(.function, "^leak$"), maxGrowth: Bytes(100))
    let budget = Budget(maxGrowth: Bytes(8), rules: [rule])
    #expect(try check(leaking, CheckOptions(budget: budget)).outcome == .pass)
  }

  @Test func exceptionsAreExcusedUntilTheirDay() throws {
    let exceptions = [
      BudgetException(pattern: Pattern(.function, "leak"), reason: "known", until: "2026-06-30"),
      BudgetException(pattern: Pattern(.function, "other"), reason: "small"),
      BudgetException(pattern: Pattern(.function, "nothing"), reason: "gone"),
    ]
    var options = CheckOptions(budget: Budget(exceptions: exceptions), today: "2026-06-30")
    let before = try check(leaking, options)
    #expect(before.outcome == .pass)
    #expect(before.excused.map(\.reason) == ["known", "small"])
    #expect(before.unused == ["function:nothing"])
    options.today = "2026-07-01"
    let after = try check(leaking, options)
    #expect(after.outcome == .fail)
    #expect(after.exceeded.contains { $0.limit.contains("expired 2026-06-30") })
  }

  @Test func suppressionsAreUsedOrSaid() throws {
    let suppressions = try SuppressionFile.parse("leak:^leak$\nleak:nowhere\n", file: "x.supp")
    let report = try check(leaking, CheckOptions(suppressions: suppressions))
    #expect(report.outcome == .fail)
    #expect(report.exceeded.map(\.value) == [8])
    #expect(report.excused.map(\.pattern) == ["leak:^leak$"])
    #expect(report.unused == ["leak:nowhere"])
  }

  @Test func aSuppressedPartOfAFindingDoesNotHideTheRest() throws {
    let builder = RecordingBuilder(marks: 20)
      .site("main > make > libx.so!one > [malloc]", survivors: every(1, cycles: 20), bytes: 30)
      .site("main > make > libx.so!two > [malloc]", survivors: every(1, cycles: 20), bytes: 40)
    let suppressions = try SuppressionFile.parse("leak:^one$", file: "x.supp")
    let report = try check(builder, CheckOptions(suppressions: suppressions))
    #expect(report.exceeded.map(\.value) == [40])
    #expect(report.excused.count == 1)
  }

  @Test func baselineAllowsWhatWasThere() throws {
    let before = RecordingBuilder(marks: 20).site("main > leak > [malloc]", survivors: every(2, cycles: 20), bytes: 50)
    var options = CheckOptions()
    options.baselines = [Baseline(try Growth.report(of: before.recording, frames: before.frames), name: "before")]
    #expect(try check(before, options).outcome == .pass)
    let both = try check(leaking, options)
    #expect(both.exceeded.map(\.value) == [8])
    let faster = RecordingBuilder(marks: 20).site("main > leak > [malloc]", survivors: every(3, cycles: 20), bytes: 50)
    #expect(try check(faster, options).exceeded.map(\.value) == [50])
    options.slack = Bytes(50)
    #expect(try check(faster, options).outcome == .pass)
  }

  @Test func doubtIsNeverAPass() throws {
    #expect(try check(RecordingBuilder(marks: 2)).outcome == .inconclusive)
    #expect(try check(RecordingBuilder(marks: 20).loss(.blocksMemory)).outcome == .inconclusive)
    #expect(try check(leaking.loss(.history)).outcome == .inconclusive)
    let level = RecordingBuilder(marks: 20).site("main > f", survivors: [3])
    #expect(try check(level.loss(.blocksMemory)).reasons.count == 1)
  }

  @Test func nothingRecordedPassesNever() throws {
    let options = CheckOptions(budget: Budget(maxGrowth: Bytes(1 << 40)), passesInconclusive: true)
    #expect(Check.report(of: .unmarked("no marks"), options: options).outcome == .inconclusive)
    let empty = try check(RecordingBuilder(marks: 20), options)
    #expect(empty.outcome == .inconclusive)
    #expect(empty.reasons.contains { $0.contains("No block was recorded") })
  }

  @Test func whatIsOverBudgetFailsWhereDoubtPasses() throws {
    let short = RecordingBuilder(marks: 20).loss(.blocksMemory).site("main > leak", survivors: every(1, cycles: 20))
    #expect(try check(short).outcome == .inconclusive)
    #expect(try check(short).exceeded.count == 1)
    #expect(try check(short, CheckOptions(passesInconclusive: true)).outcome == .fail)
    let level = RecordingBuilder(marks: 20).loss(.blocksMemory).site("main > f", survivors: [5])
    #expect(try check(level, CheckOptions(passesInconclusive: true)).outcome == .pass)
  }

  @Test func doubtFailsWhereSomethingGrows() throws {
    let doubtful = [0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0]
    let unsure = RecordingBuilder(marks: 20).site("main > unsure", survivors: doubtful, bytes: 100)
    try #require(try check(unsure).growth.findings.map(\.verdict) == [.inconclusive])
    #expect(try check(unsure).outcome == .inconclusive)
    let both = unsure.site("main > leak", survivors: every(1, cycles: 20), bytes: 8)
    #expect(try check(both).outcome == .fail)
    #expect(try check(both, CheckOptions(budget: Budget(maxGrowth: Bytes(8)))).outcome == .fail)
    #expect(
      try check(both, CheckOptions(budget: Budget(maxGrowth: Bytes(8)), passesInconclusive: true)).outcome == .pass)
  }

  @Test func aNewExceptionTakesThePlaceOfAnExpiredOne() throws {
    let fingerprint = try #require(try check(leaking).exceeded.first?.fingerprint)
    let old = BudgetException(pattern: Pattern(.fingerprint, fingerprint), reason: "old", until: "2026-01-01")
    var new = old
    (new.reason, new.until) = ("new", "2027-01-01")
    let text = try BudgetFile.adding(new, to: BudgetFile.text(of: Budget(exceptions: [old])), file: "genmark.json")
    #expect(try BudgetFile.parse(text, file: "genmark.json").exceptions == [new])
    // Also where someone wrote both by hand.
    let both = Budget(maxGrowth: Bytes(8), exceptions: [old, new])
    let report = try check(leaking, CheckOptions(budget: both, today: "2026-06-30"))
    #expect(report.outcome == .pass)
    #expect(report.excused.map(\.reason) == ["new"])
  }

  @Test func severalBaselinesGiveTheNoise() throws {
    func run(_ blocks: Int) -> RecordingBuilder {
      RecordingBuilder(marks: 20).site("main > leak > [malloc]", survivors: every(blocks, cycles: 20), bytes: 10)
    }
    func baseline(_ blocks: Int) throws -> Baseline {
      Baseline(try Growth.report(of: run(blocks).recording, frames: run(blocks).frames), name: "\(blocks)")
    }
    let one = CheckOptions(baselines: [try baseline(4)])
    #expect(try check(run(4), one).outcome == .pass)
    #expect(try check(run(5), one).outcome == .fail)
    let two = CheckOptions(baselines: [try baseline(4), try baseline(6)])
    #expect(try check(run(8), two).outcome == .pass)
    #expect(try check(run(9), two).outcome == .fail)
  }

  @Test func callersThatWereInlinedAwayAreTheSameFinding() throws {
    let plain = RecordingBuilder(marks: 20).site("main > run > push > keep > [malloc]", survivors: every(1, cycles: 20))
    let optimised = RecordingBuilder(marks: 20).site("main > push > keep > [malloc]", survivors: every(1, cycles: 20))
    let other = RecordingBuilder(marks: 20).site("main > other > keep > [malloc]", survivors: every(1, cycles: 20))
    let options = CheckOptions(
      baselines: [Baseline(try Growth.report(of: plain.recording, frames: plain.frames), name: "plain")])
    #expect(try check(optimised, options).outcome == .pass)
    #expect(try check(other, options).outcome == .fail)
    // Two that could be it: neither is.
    let both = plain.site("main > run > keep > [malloc]", survivors: every(2, cycles: 20))
    #expect(try check(both, options).outcome == .fail)
  }

  @Test func suppressionsSayWhatTheyTookOut() throws {
    let suppressions = try SuppressionFile.parse("leak:^leak$\nleak:^other$", file: "x.supp")
    let report = try check(leaking, CheckOptions(suppressions: suppressions))
    #expect(report.suppressions.map(\.suppression.line) == [1, 2])
    #expect(report.suppressions.map(\.bytesPerCycle) == [100, 8])
    #expect(report.suppressions.map(\.live.blocks) == [Blocks(40), Blocks(20)])
    #expect(report.unused.isEmpty)
  }

  /// As the exit statuses of `check`.
  static func status(_ outcome: CheckReport.Outcome) -> Int {
    switch outcome {
    case .pass: 0
    case .fail: 1
    case .inconclusive: 2
    }
  }

  /// Every option alone, from the loosest to the strictest, under every setting of the others, on recordings with
  /// growth, doubt, losses and nothing at all: the exit status never falls.
  @Test func aStricterOptionNeverGivesALowerStatus() throws {
    var random = Random(77)
    var seen: Set<Int> = []
    for round in 0..<30 {
      var builder = RecordingBuilder(marks: Int.random(in: 3...16, using: &random))
      for site in 0..<3 {
        let kept = (0..<16).map { _ in Int.random(in: 0...2, using: &random) }
        builder = builder.site(
          "main > f\(site)", survivors: Int.random(in: 0...1, using: &random) == 0 ? kept : every(1, cycles: 16))
      }
      if round % 5 == 0 { builder = builder.loss(.blocksMemory) }
      let growth = try Growth.report(of: builder.recording, frames: builder.frames)
      let sizes: [Int64?] = [1000, 40, 20, 16, 8, 1, 0]
      let limits = sizes.map { $0.map { Bytes($0) } }
      let counts: [Blocks?] = [nil, Blocks(2), Blocks(1), .zero]
      let patterns = ["^f0$", "^f1$"].map { Suppression(pattern: Pattern(.any, $0), reason: "r") }
      let exceptions = patterns.map { BudgetException(pattern: $0.pattern, reason: "r", until: "2026-06-30") }
      let base = Baseline(growth, name: "base")
      var chains: [[(inout CheckOptions) -> Void]] = [
        limits.map { limit in { $0.budget.maxGrowth = limit } },
        ([nil] + limits).map { limit in { $0.budget.maxTotal = limit } },
        counts.map { count in { $0.budget.maxBlocks = count } },
        limits.map { limit in { $0.budget.rules = [BudgetRule(pattern: Pattern(.function, "f2"), maxGrowth: limit)] } },
        [2, 1, 0].map { count in { $0.suppressions = Array(patterns.prefix(count)) } },
        [2, 1, 0].map { count in { $0.budget.exceptions = Array(exceptions.prefix(count)) } },
        ["2026-06-30", "2026-07-01"].map { day in { $0.today = day } },
        [true, false].map { passes in { $0.passesInconclusive = passes } },
      ]
      chains.append([100, 8, 0].map { slack in { $0.slack = Bytes(slack) } })
      for baselines in [[base], []] {
        for passes in [true, false] {
          for growthLimit in [Bytes(16), .zero] {
            let setting = CheckOptions(
              budget: Budget(maxGrowth: growthLimit, exceptions: exceptions.suffix(1)), suppressions: [],
              today: "2026-06-01", baselines: baselines, passesInconclusive: passes)
            for chain in chains {
              var last = 0
              for tighten in chain {
                var options = setting
                tighten(&options)
                let status = CheckTests.status(Check.report(of: growth, options: options).outcome)
                #expect(status >= last)
                last = status
                seen.insert(status)
              }
            }
          }
        }
      }
    }
    #expect(seen == [0, 1, 2])
  }
}
