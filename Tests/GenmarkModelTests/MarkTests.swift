// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@Suite struct MarkTests {
  private let recording = RecordingBuilder(labels: ["start", "cycle", "cycle", "end", "cycle"])
    .keeping(marks: [1, 3, 4, 5]).recording

  @Test func marksAreFoundByNumber() {
    #expect((0..<7).map { recording.markIndex(generation: $0) } == [nil, 0, nil, 1, 2, 3, nil])
    #expect(recording.marksTaken == 5)
    #expect((0..<7).filter { recording.isThinnedAway(mark: $0) } == [2])
  }

  @Test func marksAreFoundByLabel() {
    #expect(recording.markIndices(label: "cycle") == [1, 3])
    #expect(recording.markIndices(label: "other") == [])
    #expect(recording.markIndex(label: "cycle", ordinal: 3) == 3)
    #expect(recording.markIndex(label: "cycle", ordinal: 1) == nil)
    #expect(recording.label(ofMark: 2) == "end")
  }

  @Test func labelsAreListedOnce() {
    let labels = recording.labelsOfMarks()
    #expect(labels.map(\.label) == ["start", "cycle", "end"])
    #expect(labels.map(\.marksTaken) == [1, 3, 1])
  }

  @Test func labelThatIsNotThereIsEmpty() {
    var recording = recording
    recording.labels = []
    #expect(recording.label(ofMark: 0) == "")
    #expect(recording.markIndices(label: "start") == [])
  }
}
