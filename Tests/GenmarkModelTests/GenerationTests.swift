// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@Suite struct GenerationTests {
  private let builder = RecordingBuilder(labels: ["start", "cycle", "cycle"])
    .site("main > leak", survivors: [1, 2, 3, 4], bytes: 100)
    .site("main > work", survivors: [], bytes: 8)
    .site("main > cache", alive: [[10, 5, 0]], bytes: 1, transient: 3)
    .resident([1000, 2000, 3000])

  @Test func tableAddsUp() {
    let generations = builder.recording.generations()
    #expect(generations.map(\.number) == [0, 1, 2, 3])
    #expect(generations.map(\.persistent.blocks.count) == [1, 2, 3, 4])
    #expect(generations.map(\.persistent.bytes.count) == [100, 200, 300, 400])
    #expect(generations.map(\.born.blocks.count) == [14, 5, 6, 7])
    #expect(generations.map(\.transient.blocks.count) == [13, 3, 3, 3])
    #expect(generations.map(\.live.blocks.count) == [11, 8, 6, 10])
    #expect(generations.map { $0.residentBytes?.count } == [1000, 2000, 3000, nil])
  }

  /// Another thread was being given a block while the mark was taken: born before it, counted after it.
  @Test func blocksCountedOnTheOtherSideOfAMarkBelongWhereTheyWereBorn() {
    var recording = builder.recording
    let total = recording.generations().reduce(0) { $0 + $1.born.blocks.count }
    recording.marks[0].born.blocks = Blocks(0)
    let generations = recording.generations()
    #expect(generations[0].born.blocks == Blocks(1))
    #expect(generations[0].transient.blocks == .zero)
    #expect(generations[1].born.blocks == Blocks(18))
    #expect(generations.reduce(0) { $0 + $1.born.blocks.count } == total)
  }

  @Test func marksOpenAndClose() {
    let generations = builder.recording.generations()
    #expect(generations.map(\.openingMark) == [nil, 0, 1, 2])
    #expect(generations.map(\.closingMark) == [0, 1, 2, nil])
    #expect(generations.map(\.startedAt.count) == [0, 1_000_000_000, 2_000_000_000, 3_000_000_000])
    #expect(generations.allSatisfy { $0.duration == Nanoseconds(1_000_000_000) })
  }

  @Test func thinnedGenerationsSayWhichTheyStandFor() {
    let recording = RecordingBuilder(marks: 5).site("a", survivors: [1, 1, 1, 1, 1, 1]).keeping(marks: [2, 4, 5])
      .recording
    let generations = recording.generations()
    #expect(generations.map(\.number) == [0, 2, 4, 5])
    #expect(generations.map(\.lastNumber) == [1, 3, 4, 5])
    #expect(generations.map(\.persistent.blocks.count) == [2, 2, 1, 1])
    #expect(recording.marks.map(\.merged) == [2, 2, 1])
  }

  @Test func generationsThatShareABirthAreCountedAsOne() {
    // Mark 5 is there, and whether it stays is open: blocks born after it have birth 4.
    var recording = RecordingBuilder(marks: 5).site("a", survivors: [1, 1, 1, 1, 1, 1], transient: 2)
      .keeping(marks: [2, 4]).recording
    recording.marks.append(
      Mark(
        generation: 5, label: 0, ordinal: 5, born: Amount(blocks: 15, bytes: 240), live: Amount(blocks: 5, bytes: 80)))
    recording.newestBirth = 4
    let generations = recording.generations()
    #expect(generations.map(\.persistent.blocks.count) == [2, 2, 2, 0])
    #expect(generations.map(\.born.blocks.count) == [6, 6, 6, 0])
    #expect(generations.map(\.transient.blocks.count) == [4, 4, 4, 0])
    #expect(generations.map(\.lastNumber) == [1, 3, 5, 5])
    #expect(generations.map(\.live.blocks.count) == [2, 4, 5, 6])
  }

  @Test func transientIsNeverNegative() {
    let grown = [Amount(blocks: 1, bytes: 10), Amount(blocks: 1, bytes: 1000)]
    let generations = RecordingBuilder(marks: 2).site("a", amounts: [grown]).recording.generations()
    #expect(generations[0].persistent.bytes == Bytes(1000))
    #expect(generations[0].transient == .zero)
  }

  @Test func clockThatGoesBackGivesNoTime() {
    var recording = RecordingBuilder(marks: 2).recording
    recording.marks[1].time = Nanoseconds(0)
    recording.process.duration = Nanoseconds(5)
    #expect(recording.generations().map(\.duration.count) == [1_000_000_000, 0, 5])
  }

  @Test func birthsBelongToTheGenerationBeforeTheNextKeptMark() {
    let recording = RecordingBuilder(marks: 5).keeping(marks: [2, 4]).recording
    #expect((0..<8).map { recording.generationIndex(ofBirth: $0) } == [0, 0, 1, 1, 2, 2, 2, 2])
    #expect((0..<3).map { recording.generationNumber(at: $0) } == [0, 2, 4])
  }
}
