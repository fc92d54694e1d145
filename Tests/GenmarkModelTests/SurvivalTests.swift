// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@Suite struct SurvivalTests {
  private func blocks(_ amounts: [Amount]) -> [Int64] { amounts.map(\.blocks.count) }

  @Test func survivorsAreByGenerationOfBirth() {
    let builder = RecordingBuilder(marks: 4)
      .site("main > leak", survivors: [0, 1, 2, 3, 4], bytes: 10)
      .site("main > cache", alive: [[5, 5, 0], [4, 1, 0]])
    let survival = Survival(builder.recording)
    let leak = builder.callSite("main > leak")
    let cache = builder.callSite("main > cache")
    #expect(blocks(survival.survivors(of: leak, at: .end)) == [0, 1, 2, 3, 4])
    #expect(blocks(survival.survivors(of: leak, at: .mark(2))) == [0, 1, 2, 0, 0])
    #expect(survival.survivors(of: leak, at: .end)[3] == Amount(blocks: 3, bytes: 30))
    #expect(blocks(survival.survivors(of: cache, at: .mark(1))) == [5, 4, 0, 0, 0])
    #expect(blocks(survival.series(of: leak)) == [0, 1, 3, 6, 10])
    #expect(blocks(survival.series(of: cache)) == [5, 9, 1, 0, 0])
    #expect(blocks(survival.series(of: [leak, cache])) == [5, 10, 4, 6, 10])
    #expect(blocks(survival.survivors(of: [leak, cache], at: .mark(1))) == [5, 5, 0, 0, 0])
  }

  @Test func diffAsksForBirthsInARange() {
    let builder = RecordingBuilder(marks: 4)
      .site("a", survivors: [1, 1, 1, 1, 1])
      .site("b", alive: [[9, 8, 7, 6, 5]])
    let survival = Survival(builder.recording)
    let a = builder.callSite("a")
    let b = builder.callSite("b")
    #expect(
      survival.survivors(bornIn: 1..<3, at: .mark(2)) == [.init(callSite: a, live: Amount(blocks: 2, bytes: 32))])
    #expect(survival.survivors(bornIn: 0..<1, at: .end).map(\.callSite) == [a, b])
    #expect(
      survival.freed(from: .mark(0), to: .mark(2)) == [.init(callSite: b, live: Amount(blocks: 2, bytes: 32))])
    #expect(survival.freed(from: .mark(2), to: .mark(2)) == [])
  }

  @Test func freedDoesNotCountWhatReallocAdded() {
    let grows = [Amount(blocks: 1, bytes: 10), Amount(blocks: 1, bytes: 20), Amount(blocks: 0, bytes: 0)]
    let survival = Survival(RecordingBuilder(marks: 2).site("a", amounts: [grows]).recording)
    #expect(survival.freed(from: .mark(0), to: .mark(1)) == [])
    #expect(survival.freed(from: .mark(1), to: .end).first?.live == Amount(blocks: 1, bytes: 20))
  }

  @Test func whatIsNeverAliveAtAMarkIsNotThere() {
    let builder = RecordingBuilder(marks: 2).site("a", survivors: [0, 0, 0], transient: 7)
    let survival = Survival(builder.recording)
    #expect(survival.callSites == [])
    #expect(survival.live(of: 1, at: .end) == .zero)
    #expect(blocks(survival.series(of: 99)) == [0, 0, 0])
    #expect(CallSites(builder.recording).total(of: 1).born.blocks == Blocks(21))
  }

  @Test func recordingWithoutMarksHasOneGeneration() {
    let builder = RecordingBuilder(marks: 0).site("a", survivors: [3])
    let survival = Survival(builder.recording)
    #expect(blocks(survival.survivors(of: 1, at: .end)) == [3])
    #expect(blocks(survival.series(of: 1)) == [3])
  }

  @Test func thinnedBirthsAddUp() {
    let whole = RecordingBuilder(marks: 8).site("a", survivors: Array(repeating: 1, count: 9))
    let thinned = Survival(whole.keeping(marks: [2, 4, 6, 8]).recording)
    #expect(blocks(thinned.survivors(of: 1, at: .end)) == [2, 2, 2, 2, 1])
    #expect(blocks(thinned.series(of: 1)) == [2, 4, 6, 8, 9])
  }

  @Test func birthsFromBeforeThinningFallIntoTheirGroup() {
    // Cells keep the births that they were given before their marks were thinned away.
    var recording = RecordingBuilder(marks: 4).site("a", survivors: [1, 1, 1, 1, 1]).recording
    recording.marks = [recording.marks[1], recording.marks[3]]
    recording.marks[0].changes = 0..<recording.marks[0].changes.upperBound
    recording.marks[1].changes = recording.marks[0].changes.upperBound..<recording.changes.count
    let survival = Survival(recording)
    #expect(blocks(survival.survivors(of: 1, at: .end)) == [2, 2, 1])
    #expect(blocks(survival.survivors(of: 1, at: .mark(0))) == [2, 0, 0])
    #expect(blocks(survival.series(of: 1)) == [2, 4, 5])
  }

  @Test func lostChangesShowWhatWasKnownLast() {
    let recording = RecordingBuilder(marks: 3).site("a", survivors: [1, 1, 1, 1]).losingChanges(ofMark: 2).recording
    #expect(recording.marks.map(\.changesLost) == [false, true, false])
    #expect(blocks(Survival(recording).series(of: 1)) == [1, 1, 3, 4])
  }

  /// Every way in which blocks of three births may be alive at three marks and the end, with 0 to 2 blocks each.
  @Test func allSmallMatricesAgreeWithASlowReading() {
    for code in 0..<2187 {
      var digits: [Int] = []
      var rest = code
      for _ in 0..<7 {
        digits.append(rest % 3)
        rest /= 3
      }
      // Births 0, 1, 2 at marks 1, 2 and the end.
      let alive = [[digits[0], digits[1], digits[2]], [digits[3], digits[4]], [digits[5]]]
      let other = [[digits[6], digits[5], digits[4]], [digits[3], digits[2]], [digits[1]]]
      let builder = RecordingBuilder(marks: 2).site("a", alive: alive).site("b", alive: other)
      let survival = Survival(builder.recording)
      for (site, rows) in [(builder.callSite("a"), alive), (builder.callSite("b"), other)] {
        for (column, moment) in [Moment.mark(0), .mark(1), .end].enumerated() {
          let expected = (0..<3).map { birth in Int64(column < birth ? 0 : rows[birth][column - birth]) }
          #expect(blocks(survival.survivors(of: site, at: moment)) == expected)
          #expect(survival.series(of: site)[column].blocks.count == expected.reduce(0, +))
          #expect(survival.live(of: site, bornIn: 1..<2, at: moment).blocks.count == expected[1])
        }
      }
    }
  }
}
