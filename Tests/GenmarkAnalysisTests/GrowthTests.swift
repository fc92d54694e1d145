// SPDX-License-Identifier: MIT
//
// Growth from whole recordings: which cycles are judged, which call sites belong together, what is said of losses.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

func growth(_ builder: RecordingBuilder, _ options: GrowthOptions = GrowthOptions()) throws -> GrowthReport {
  try Growth.report(of: builder.recording, frames: builder.frames, options: options)
}

/// `count` blocks in every generation but the last, which is still open.
func every(_ count: Int, cycles: Int) -> [Int] { Array(repeating: count, count: cycles) + [0] }

@Suite struct GrowthTests {
  @Test func namesTheLeakAndNothingElse() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > push > Screen.init > [malloc]", survivors: every(2, cycles: 20), bytes: 48)
        .site("main > cache", alive: Array(repeating: [3, 3, 0], count: 21), bytes: 1024)
        .site("main > start", survivors: [10] + every(0, cycles: 19))
        .site("main > once", survivors: every(0, cycles: 9) + [7] + every(0, cycles: 10)))
    #expect(report.cycles.judged == 18)
    #expect(report.cycles.warmUp == 1)
    #expect(report.cycles.settling == 1)
    #expect(report.inconclusive.isEmpty)
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.verdict == .leak)
    #expect(finding.certainty == .certain)
    #expect(finding.blocksPerCycle == 2)
    #expect(finding.bytesPerCycle == 96)
    #expect(finding.headline?.function == "Screen.init")
    #expect(finding.live == Amount(blocks: 40, bytes: 1920))
    #expect(finding.callSites.first?.survivors.count == 20)
  }

  @Test func allShowsTheRest() throws {
    let builder = RecordingBuilder(marks: 20)
      .site("main > cache", alive: Array(repeating: [3, 3, 0], count: 21), bytes: 1024)
      .site("main > once", survivors: every(0, cycles: 9) + [7] + every(0, cycles: 10))
    #expect(try growth(builder).findings.isEmpty)
    let all = try growth(builder, GrowthOptions(all: true)).findings
    #expect(Set(all.map(\.verdict)) == [.turnover, .oneOff])
  }

  @Test func countsAtTheLastMarkNotAtTheExit() throws {
    // Everything is freed before the program ends.
    let rows = (0..<20).map { birth in
      [[Int]](repeating: [1], count: 1)[0] + Array(repeating: 1, count: 19 - birth) + [0]
    }
    let report = try growth(RecordingBuilder(marks: 20).site("main > keep", alive: rows + [[0]]))
    #expect(report.findings.first?.verdict == .leak)
    #expect(report.findings.first?.live.blocks == Blocks(20))
  }

  @Test(arguments: 1...4) func tooFewCyclesAreInconclusive(_ marks: Int) throws {
    let report = try growth(RecordingBuilder(marks: marks).site("main > leak", survivors: every(1, cycles: marks)))
    #expect(report.inconclusive.count == 1)
    #expect(report.findings.allSatisfy { !$0.verdict.isGrowth })
    if marks >= 2 { #expect(report.findings.first?.furtherCycles ?? 0 >= 1) }
  }

  @Test func noMarksIsAnError() {
    #expect(throws: AnalysisError.noMarks(file: "test.genmark")) { try growth(RecordingBuilder(marks: 0)) }
  }

  @Test func unknownLabelSuggestsTheNearest() {
    #expect(
      throws: AnalysisError.unknownLabel("cicle", nearest: "cycle", labels: ["cycle"], file: "test.genmark")
    ) {
      try growth(RecordingBuilder(marks: 5), GrowthOptions(label: "cicle"))
    }
  }

  @Test func popIsChosenOfPushAndPop() throws {
    let labels = (0..<20).flatMap { _ in ["push", "pop"] }
    // Born before push, gone before pop; one in each pair stays.
    let working = (0..<41).map { $0 % 2 == 0 ? [3, 0] : [0] }
    let kept = (0..<41).map { $0 % 2 == 0 && $0 < 40 ? 1 : 0 }
    let builder = RecordingBuilder(labels: ["start"] + labels)
      .site("main > screen", alive: [[0]] + working)
      .site("main > leak", survivors: [0] + kept)
    let report = try growth(builder)
    #expect(report.cycles.label == "pop")
    #expect(report.cycles.marked == 20)
    #expect(report.cycles.labelReason != nil)
    #expect(report.findings.map(\.headline?.function) == ["leak"])
    #expect(report.findings.first?.blocksPerCycle == 1)
  }

  @Test func labelsUsedOnceMakeEveryMarkACycle() throws {
    let builder = RecordingBuilder(labels: (1...10).map { "step-\($0)" })
      .site("main > leak", survivors: every(1, cycles: 10))
    let report = try growth(builder)
    #expect(report.cycles.label == nil)
    #expect(report.findings.first?.verdict == .leak)
  }

  @Test func recursionIsOneFinding() throws {
    // The same function leaks by another depth in every cycle; some depths come twice.
    var builder = RecordingBuilder(marks: 40)
    var random = Random(9)
    let depths = (0..<40).map { _ in Int.random(in: 0..<37, using: &random) }
    for depth in Set(depths).sorted() {
      let path = ["main"] + Array(repeating: "parse_group", count: depth + 1) + ["diag_new", "[malloc]"]
      builder = builder.site(
        path.joined(separator: " > "), survivors: depths.map { $0 == depth ? 1 : 0 } + [0], bytes: 40)
    }
    let report = try growth(builder)
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.verdict == .leak)
    #expect(finding.certainty == .certain)
    #expect(finding.headline?.function == "diag_new")
    #expect(abs(finding.blocksPerCycle - 1) < 1e-9)
    #expect(abs(finding.bytesPerCycle - 40) < 1e-9)
    #expect(finding.callSites.allSatisfy { $0.verdict == .leak && $0.blocksPerCycle > 0 })
    #expect(abs(finding.callSites.reduce(0) { $0 + $1.blocksPerCycle } - 1) < 1e-9)
  }

  @Test func aCacheFilledByManyStacksIsNoFinding() throws {
    // One function, another caller each time, of which the newest five survive.
    var builder = RecordingBuilder(marks: 40)
    for cycle in 0..<40 {
      var alive = [[Int]](repeating: [0], count: 41)
      alive[cycle] = [1, 1, 1, 1, 1, 0]
      builder = builder.site("main > caller\(cycle) > entry_new > [malloc]", alive: alive)
    }
    #expect(try growth(builder).findings.filter(\.verdict.isGrowth).isEmpty)
  }

  @Test func objectAndWhatItsInitialiserMakesAreOneFinding() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > run > makeJob > [new]", survivors: every(2, cycles: 20), bytes: 32)
        .site("main > run > makeJob > Job.init > [new]", survivors: every(2, cycles: 20), bytes: 61)
        .site("main > run > other > [malloc]", survivors: every(1, cycles: 20), bytes: 8))
    #expect(report.findings.map(\.headline?.function) == ["makeJob", "other"])
    #expect(report.findings.first?.blocksPerCycle == 4)
    #expect(report.findings.first?.bytesPerCycle == 186)
  }

  @Test func pluginLoadedAgainIsOneCallSite() throws {
    let builder = RecordingBuilder(marks: 20)
    var recording = builder.recording
    // Each load is a module of its own, elsewhere in memory.
    var tree = CallTree()
    let main = tree.append(address: 0x40_1000, parent: 0, module: 1)
    for load in 0..<20 {
      let bias = 0x7f00_0000_0000 + UInt64(load) * 0x10_0000
      recording.modules.append(Module(path: "/opt/plugin.so", bias: bias, start: bias, end: bias + 0x1_0000))
      let site = tree.append(address: bias + 0x1234, parent: main, module: Module.ID(load + 2))
      recording.cells.append(
        Cell(callSite: site, birth: GenerationNumber(load), born: Amount(blocks: 1, bytes: 512)))
      let change = Change(callSite: site, birth: GenerationNumber(load), live: Amount(blocks: 1, bytes: 512))
      recording.changes.append(change)
      recording.marks[load].changes = load..<(load + 1)
    }
    recording.callTree = tree
    let names = FixedFrames([
      Frame(function: "codec_start", module: "/opt/plugin.so", offset: 0x1233, file: "codec.c"),
      Frame(function: "main", module: "/usr/bin/test", offset: 0xfff),
    ])
    let report = try Growth.report(of: recording, frames: names)
    #expect(report.findings.count == 1)
    #expect(report.findings.first?.certainty == .certain)
    #expect(report.findings.first?.bytesPerCycle == 512)
    #expect(report.findings.first?.callSites.count == 1)
  }

  @Test(arguments: [2, 4, 8]) func thinningChangesNoAnswer(_ step: Int) throws {
    let cycles = 64
    let builder = RecordingBuilder(marks: cycles)
      .site("main > leak", survivors: every(3, cycles: cycles), bytes: 24)
      .site("main > third", survivors: (1...cycles).map { $0 % 3 == 0 ? 1 : 0 } + [0], bytes: 90)
      .site("main > ring", alive: Array(repeating: [5, 5, 5, 0], count: cycles + 1))
    let whole = try growth(builder)
    let marks = (1...cycles).filter { $0 == 1 || $0 == cycles || $0 % step == 0 }.map(GenerationNumber.init)
    let thinned = try growth(builder.keeping(marks: marks))
    #expect(whole.findings.map(\.headline?.function) == ["leak", "third"])
    #expect(thinned.findings.map(\.headline?.function) == ["leak", "third"])
    #expect(thinned.findings.map(\.verdict) == whole.findings.map(\.verdict))
    #expect(thinned.cycles.marked == cycles)
    for (a, b) in zip(whole.findings, thinned.findings) {
      #expect(abs(a.blocksPerCycle - b.blocksPerCycle) < 0.02)
      #expect(abs(a.bytesPerCycle - b.bytesPerCycle) < 0.02 * a.bytesPerCycle)
    }
  }

  @Test func lossesOfCountsAreSaidAndLossesOfNamesAreNot() throws {
    let builder = RecordingBuilder(marks: 10)
    #expect(try growth(builder.loss(.stacksCut, 4)).inconclusive.isEmpty)
    #expect(try growth(builder.loss(.blocksMemory, 4)).inconclusive.count == 1)
    #expect(try growth(builder.loss(.blocksMemory, 0)).inconclusive.isEmpty)
  }

  @Test func automaticWarmUpEndsWithFirstUse() throws {
    let builder = RecordingBuilder(marks: 40)
      .site("main > glyphs", survivors: [25, 25, 25, 25] + every(0, cycles: 36))
      .site("main > late", survivors: every(0, cycles: 8) + every(4, cycles: 31))
    let report = try growth(builder)
    #expect(report.cycles.warmUp == 4)
    #expect(report.findings.map(\.headline?.function) == ["late"])
    let asked = try growth(builder, GrowthOptions(warmUp: .cycles(10), settling: 5))
    #expect(asked.cycles.warmUp == 10)
    #expect(asked.cycles.settling == 5)
    #expect(asked.cycles.judged == 25)
  }

  @Test func aContainerThatDoublesIsTiedToWhatFillsIt() throws {
    var lengths: [Amount] = []
    var capacity: Int64 = 1
    for cycle in 0..<16 {
      while capacity < Int64(cycle + 1) { capacity *= 2 }
      lengths.append(Amount(blocks: 1, bytes: 32 * capacity))
    }
    let report = try growth(
      RecordingBuilder(marks: 16)
        .site("main > subscribe > [new]", survivors: every(1, cycles: 16), bytes: 48)
        .site("main > subscribe > append > [realloc]", amounts: [lengths] + Array(repeating: [.zero], count: 16)))
    let leak = try #require(report.findings.first)
    #expect(leak.headline?.function == "subscribe")
    #expect(leak.blocksPerCycle == 1)
  }

  @Test func heapAndResidentMemoryOfTheProcess() throws {
    let level = try growth(RecordingBuilder(marks: 20).resident(Array(repeating: 1 << 20, count: 20)))
    #expect(level.process.verdict == .level)
    let fragmented = try growth(RecordingBuilder(marks: 20).resident((0..<20).map { (1 << 20) + $0 * 65536 }))
    #expect(fragmented.process.verdict == .rssGrows)
    #expect(fragmented.process.rssBytesPerCycle == 65536)
    let leak = try growth(RecordingBuilder(marks: 20).site("main > f", survivors: every(2, cycles: 20), bytes: 100))
    #expect(leak.process.verdict == .heapGrows)
    #expect(leak.process.heapBytesPerCycle == 200)
  }
}

/// The same frames for every call site.
final class FixedFrames: FrameSource {
  let all: [Frame]
  init(_ all: [Frame]) { self.all = all }
  func frames(of callSite: CallTree.NodeID) -> [Frame] { all }
  func frames(ofNode node: CallTree.NodeID) -> [Frame] { all }
}

@Suite struct CyclesTests {
  @Test func aPairCountsOnlyWhatIsBornInIt() throws {
    // start, push, pop, push, pop …: one leak between push and pop, another between pop and push.
    let builder = RecordingBuilder(labels: ["start"] + (0..<12).flatMap { _ in ["push", "pop"] })
      .site("main > inside", survivors: [0, 0] + (0..<23).map { $0 % 2 == 0 ? 1 : 0 } + [0])
      .site("main > outside", survivors: [0, 0] + (0..<23).map { $0 % 2 == 1 ? 1 : 0 } + [0])
    let both = try growth(builder, GrowthOptions(label: "pop"))
    #expect(Set(both.findings.map(\.headline?.function)) == ["inside", "outside"])
    let inside = try growth(builder, GrowthOptions(pair: GrowthOptions.Pair(begin: "push", end: "pop")))
    #expect(inside.findings.map(\.headline?.function) == ["inside"])
    #expect(inside.cycles.label == "pop")
    let outside = try growth(builder, GrowthOptions(pair: GrowthOptions.Pair(begin: "pop", end: "push")))
    #expect(outside.findings.map(\.headline?.function) == ["outside"])
    #expect(throws: AnalysisError.self) {
      try growth(builder, GrowthOptions(pair: GrowthOptions.Pair(begin: "pusch", end: "pop")))
    }
  }

  @Test func everySoManyEthMarkEndsACycle() throws {
    let builder = RecordingBuilder(marks: 30).site("main > leak", survivors: (1...30).map { $0 % 3 == 0 ? 2 : 0 } + [0])
    let report = try growth(builder, GrowthOptions(every: 3))
    #expect(report.cycles.marked == 10)
    #expect(report.findings.first?.verdict == .leak)
    #expect(report.findings.first?.blocksPerCycle == 2)
  }
}
