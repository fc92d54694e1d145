// SPDX-License-Identifier: MIT
//
// ReportTextTests: what people read, word for word.

import GenmarkAnalysis
import GenmarkModel
import GenmarkReports
import Testing

struct ReportTextTests {
  static let texts: [(name: String, text: String)] = [
    ("generations", Sample.generations.text(Sample.trace, style: Style(width: 100), byCallSite: true)),
    ("marks", Sample.recording.marksText(style: Style(width: 100))),
    ("diff", Sample.diff.text(Sample.trace, style: .plain)),
    ("tree", Sample.tree.text(Sample.trace, style: .plain)),
    ("comparison", Sample.comparison.text(old: Sample.trace, new: Sample.trace, style: .plain)),
    ("growth", Sample.growth.text(Sample.trace, style: .plain, all: true)),
    ("explain", Sample.growth.text(explaining: Sample.leak, Sample.trace, style: .plain)),
    ("check", Sample.check.text(Sample.trace, style: .plain)),
  ]

  @Test func nothingOfItControlsATerminal() {
    for (name, text) in ReportTextTests.texts {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7f }, "\(name)")
    }
  }

  @Test func everyReportShowsLosses() {
    for (name, text) in ReportTextTests.texts { #expect(text.contains("loss: 3 call stacks were deeper"), "\(name)") }
  }

  @Test func growthReadsAsAVerdict() {
    #expect(
      Sample.growth.text(Sample.trace, style: .plain) == """
        app.genmark: app (pid 42), exit status 0 after 2.10 s

        1 finding grows over 20 judged cycles of "pop" (23 marked: 2 warm-up, 1 settling)

        leak, certain  +1 block, +96 B a cycle  20 blocks, 1,920 B live  [0123456789abcdef]
          Screen<A|B>::init("x")  Screen.cc:12
              main  main.cc:3
            every judged cycle keeps 1 block

        1 more finding without growth (1 saturating); --all shows them

        process, a cycle: heap +96 B, RSS +4,096 B, held by the allocator unknown. The heap grows.
        warm-up: first use ends after cycle 2
        loss: 3 call stacks were deeper than the limit and lack their outer frames

        """)
  }

  @Test func nothingGrowsIsSaidOnlyWhenItIsKnown() {
    var report = Sample.growth
    report.findings = [Sample.cache]
    #expect(report.headline(.plain).hasPrefix("nothing grows over 20 judged cycles"))
    report.inconclusive = ["only 2 judged cycles"]
    #expect(report.headline(.plain).hasPrefix("no verdict over"))
    #expect(report.headline(.plain).contains("inconclusive: only 2 judged cycles"))
  }

  @Test func diffNamesItsEnds() {
    let text = Sample.diff.text(Sample.trace, style: .plain)
    #expect(text.contains("from the start to mark 1 (\"pop\"), alive at the end: born and alive 3 blocks, 300 B;"))
    #expect(
      text.contains("\n300 B       3   50 B  +250 B  Screen<A|B>::init(\"x\")  Screen.cc:12\n    main  main.cc:3"))
    #expect(text.contains("6 more rows"))
  }

  @Test func treesAreIndented() {
    let text = Sample.tree.text(Sample.trace, style: .plain)
    #expect(text.contains("+300 B  Screen<A|B>::init") && text.contains("+300 B    main"))
  }

  @Test func checkSaysTheOutcomeInWords() {
    let text = Sample.check.text(Sample.trace, style: .plain)
    #expect(text.contains("FAIL: 2 limits exceeded over 20 judged cycles"))
    #expect(text.contains("over max-growth 0B: +96 B a cycle"))
    #expect(text.contains("over max-total 0B: +96 B a cycle in all"))
    #expect(text.contains("bounded <cache> (leak:cache*)") && text.contains("unused: leak:gone"))
  }

  @Test func explainShowsSurvivorsAndCourse() {
    let text = Sample.growth.text(explaining: Sample.leak, Sample.trace, style: .plain)
    #expect(text.contains("survivors (blocks alive at the end, by cycle of birth): 0×2 1×3"))
    #expect(text.contains("▁▃▆█"))
    #expect(text.contains("malloc  libc.so.6  (folded)"))
  }

  @Test func explainGivesShortenedNamesInFullOnce() {
    let text = Sample.growth.text(explaining: Sample.leak, Sample.trace, style: .plain) { frame in
      frame == Sample.leak.headline ? "the \u{1b}[31mwhole name" : frame.function
    }
    #expect(text.contains("shortened names in full\n"))
    #expect(text.ranges(of: "whole name").count == 1)
    #expect(!text.contains("\u{1b}"))
    let plain = Sample.growth.text(explaining: Sample.leak, Sample.trace, style: .plain)
    #expect(!plain.contains("shortened names"))
  }

  @Test func framesWithoutNamesAreModuleAndOffset() {
    #expect(FrameText.line(Sample.unknown) == "lib x.so+0xff")
    #expect(FrameText.line(nil) == "?")
  }

  @Test func aTerminalIsNeverWiderThanItIs() {
    let text = Sample.generations.text(Sample.trace, style: Style(width: 100), byCallSite: true)
    #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 100 })
  }
}
