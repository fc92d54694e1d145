// SPDX-License-Identifier: MIT
//
// Diff: references to marks, what is born and freed between two of them, and the four groupings.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

@Suite struct MarkReferenceTests {
  let recording = RecordingBuilder(labels: ["login", "cycle", "cycle", "B", "cycle", "end"]).recording

  @Test(arguments: [
    ("1", 1), ("3", 3), ("A", 1), ("C", 3), ("login", 1), ("cycle", 5), ("cycle#1", 2), ("cycle#3", 5), ("start", 0),
    ("B", 4), ("end", 6),
  ])
  func means(_ reference: String, _ position: Int) throws {
    #expect(try recording.markPoint(reference).position == position)
  }

  @Test func endWithoutALabelIsTheEnd() throws {
    let other = RecordingBuilder(marks: 3).recording
    #expect(try other.markPoint("end").kind == .end)
    #expect(try other.markPoint("end").position == 4)
  }

  @Test func lettersGoOnAfterZ() {
    #expect(Recording.markNumber("Z") == 26)
    #expect(Recording.markNumber("AA") == 27)
    #expect(Recording.markNumber("AZ") == 52)
    #expect(Recording.markNumber("a") == nil)
    #expect(Recording.markNumber("99999999999") == nil)
  }

  @Test func errorsSayWhatThereIs() {
    #expect(throws: AnalysisError.noSuchMark("7", count: 6, file: "test.genmark")) { try recording.markPoint("7") }
    #expect(throws: AnalysisError.noSuchMark("cycle#4", count: 3, file: "test.genmark")) {
      try recording.markPoint("cycle#4")
    }
    #expect(
      throws: AnalysisError.unknownLabel(
        "cycl", nearest: "cycle", labels: ["login", "cycle", "B", "end"], file: "test.genmark")
    ) { try recording.markPoint("cycl") }
    #expect(throws: AnalysisError.badReference("")) { try recording.markPoint("") }
  }

  @Test func thinnedMarksAreSaid() {
    let thinned = RecordingBuilder(marks: 8).keeping(marks: [1, 4, 8]).recording
    #expect(throws: AnalysisError.markThinnedAway("3", nearest: "4", file: "test.genmark")) {
      try thinned.markPoint("3")
    }
    #expect(throws: AnalysisError.markThinnedAway("cycle#5", nearest: "cycle#8", file: "test.genmark")) {
      try thinned.markPoint("cycle#5")
    }
  }

  @Test(arguments: [("A..D", "A", "D"), ("..D", nil, "D"), ("2..", "2", nil), ("..", nil, nil), ("x.y..z", "x.y", "z")])
  func ranges(_ text: String, _ from: String?, _ to: String?) {
    let options = DiffOptions(range: text)
    #expect(options.from == from)
    #expect(options.to == to)
  }

  @Test func oneReferenceIsTheSecond() {
    #expect(DiffOptions(range: "C").from == nil)
    #expect(DiffOptions(range: "C").to == "C")
  }
}

@Suite struct DiffTests {
  /// Leak: one a generation. Pool: 4 born at the start, one less at each mark. Buffer: one block that gets longer.
  let builder = RecordingBuilder(marks: 5)
    .site("main > run > leak > [malloc]", survivors: [1, 1, 1, 1, 1, 0], bytes: 10)
    .site("main > pool", alive: [[4, 3, 2, 1, 0, 0], [0]], bytes: 100)
    .site(
      "libx.so!worker > run > leak > [malloc]",
      amounts: [(1...6).map { Amount(blocks: 1, bytes: Int64(64 * $0)) }])

  func diff(_ range: String, _ change: (inout DiffOptions) -> Void = { _ in }) throws -> DiffReport {
    var options = DiffOptions(range: range)
    change(&options)
    return try Diff.report(of: builder.recording, frames: builder.frames, options: options)
  }

  @Test func bornAndFreedBetweenTwoMarks() throws {
    let report = try diff("2..4")
    // Two leaked blocks of 10, and 128 bytes that realloc added to a block that was there.
    #expect(report.born == Amount(blocks: 2, bytes: 148))
    #expect(report.freed == Amount(blocks: 2, bytes: 200))
    #expect(report.net == Amount(blocks: 0, bytes: -52))
    #expect(report.rows.map(\.born.bytes.count) == [128, 20, 0])
    #expect(report.rows.first { $0.freed != .zero }?.headline?.function == "pool")
  }

  @Test func defaultIsTheLastTwoMarks() throws {
    let report = try diff("")
    #expect(report.from.name == "4")
    #expect(report.to.name == "5")
    #expect(report.born == Amount(blocks: 1, bytes: 74))
  }

  @Test func fromTheStartEverythingIsBorn() throws {
    let report = try diff("start..end")
    #expect(report.freed == .zero)
    #expect(report.born == Amount(blocks: 6, bytes: 50 + 384))
  }

  @Test func aliveLater() throws {
    let report = try diff("start..1") { $0.aliveAt = "end" }
    #expect(report.born == Amount(blocks: 2, bytes: 10 + 384))
  }

  @Test func orderIsChecked() {
    #expect(throws: AnalysisError.wrongOrder("4..2", from: "4", to: "2")) { try diff("4..2") }
    #expect(throws: AnalysisError.wrongOrder("2..2", from: "2", to: "2")) { try diff("2..2") }
    #expect(throws: AnalysisError.wrongOrder("alive at 1", from: "3", to: "1")) {
      try diff("2..3") { $0.aliveAt = "1" }
    }
  }

  @Test func noMarksAndNoReferences() {
    let empty = RecordingBuilder(marks: 0)
    #expect(throws: AnalysisError.noMarks(file: "test.genmark")) {
      try Diff.report(of: empty.recording, frames: empty.frames)
    }
    #expect(throws: Never.self) {
      try Diff.report(of: empty.recording, frames: empty.frames, options: DiffOptions(range: "start..end"))
    }
  }

  @Test func lostChangesAreAnError() {
    let lost = builder.losingChanges(ofMark: 2)
    #expect(throws: AnalysisError.changesLost("2", file: "test.genmark")) {
      try Diff.report(of: lost.recording, frames: lost.frames, options: DiffOptions(range: "2..4"))
    }
  }

  @Test func byFunction() throws {
    let report = try diff("2..4") { $0.grouping = .function }
    #expect(report.rows.map(\.headline?.function) == ["leak", "pool"])
    #expect(report.rows.first?.callSites.count == 2)
    #expect(report.rows.first?.born == Amount(blocks: 2, bytes: 148))
  }

  @Test func byModule() throws {
    let report = try diff("2..4") { $0.grouping = .module }
    #expect(report.rows.map { $0.frames.first?.module } == ["/usr/bin/test"])
  }

  @Test func byTree() throws {
    let report = try diff("2..4") { $0.grouping = .tree }
    let leak = try #require(report.tree.first)
    #expect(leak.frame.function == "leak")
    #expect(leak.children.map(\.frame.function) == ["run"])
    #expect(Set(leak.children[0].children.map(\.frame.function)) == ["main", "worker"])
    #expect(leak.born == report.born)
    #expect(report.rows.isEmpty)
  }

  @Test func sortedByBlocksAndCut() throws {
    let report = try diff("2..4") {
      $0.sorting = .blocks
      $0.top = 1
    }
    #expect(report.rows.count == 1)
    #expect(report.rowCount == 3)
    #expect(report.rows[0].born.blocks == Blocks(2))
    #expect(report.born == Amount(blocks: 2, bytes: 148))
  }
}

@Suite struct GenerationsTests {
  @Test func rowsOfTheTable() {
    let builder = RecordingBuilder(labels: ["a", "b"])
      .site("main > f", survivors: [1, 2, 3], bytes: 8)
      .site("main > g", survivors: [5, 0, 0], bytes: 1)
    let report = Generations.report(of: builder.recording, frames: builder.frames)
    #expect(report.generations.map(\.openedBy) == [nil, "a", "b"])
    #expect(report.generations.map(\.closedBy) == ["a", "b", nil])
    #expect(report.generations.map { $0.generation.persistent.blocks.count } == [6, 2, 3])
    #expect(report.generations[0].callSites.map(\.headline?.function) == ["f", "g"])
    #expect(Generations.report(of: builder.recording).generations.map(\.callSites.count) == [0, 0, 0])
  }

  @Test func withoutMarksThereIsOne() {
    #expect(Generations.report(of: RecordingBuilder(marks: 0).recording).generations.count == 1)
  }
}

@Suite struct ComparisonTests {
  func report(_ builder: RecordingBuilder) throws -> GrowthReport {
    try Growth.report(of: builder.recording, frames: builder.frames)
  }

  @Test func matchesByFingerprint() throws {
    let old = RecordingBuilder(marks: 12)
      .site("main > stays", survivors: every(1, cycles: 12))
      .site("main > faster", survivors: every(1, cycles: 12))
      .site("main > repaired", survivors: every(1, cycles: 12))
    // The new build calls an uninteresting function first, so that nodes and addresses differ.
    let new = RecordingBuilder(marks: 20)
      .site("main > other", survivors: [1] + every(0, cycles: 20))
      .site("main > new", survivors: every(1, cycles: 20))
      .site("main > faster", survivors: every(3, cycles: 20))
      .site("main > stays", survivors: every(1, cycles: 20))
    let comparison = Comparison.compare(old: try report(old), new: try report(new))
    let changes = Dictionary(
      uniqueKeysWithValues: comparison.rows.map { (($0.new ?? $0.old)?.headline?.function ?? "", $0.change) })
    #expect(changes == ["stays": .same, "faster": .faster, "repaired": .gone, "new": .appeared])
    #expect(comparison.rows.first?.new?.headline?.function == "faster")
    #expect(comparison.rows.last?.change == .gone)
  }
}
