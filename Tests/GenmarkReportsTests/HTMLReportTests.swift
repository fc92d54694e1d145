// SPDX-License-Identifier: MIT
//
// HTMLReportTests: what stands in the page: it needs nothing beside it, its data is JSON that can not leave its element, and
// the numbers in it are the recording's. How the page behaves in a browser is in Tests/Browser.

import Foundation
import GenmarkAnalysis
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkReports

struct HTMLReportTests {
  static let hostile = "</script><img src=x onerror=alert(1)>\u{202e}\u{2028}`'\"&lt;<!--"

  /// The builder takes `>` for a call, so that names can not hold it.
  static let hostileName = "</script <img src=x onerror=alert(1) // `'\"&lt;"

  private var builder: RecordingBuilder {
    RecordingBuilder(marks: 8, label: HTMLReportTests.hostile)
      .site(
        "main > push > \(HTMLReportTests.hostileName) > [malloc]", survivors: [0, 1, 1, 1, 1, 1, 1, 1, 1], bytes: 100
      )
      .site("main > setup > [malloc]", survivors: [3], bytes: 1000)
      .site("main > cache > [malloc]", alive: [[0], [2, 1, 0]], bytes: 10)
  }

  private func page(
    _ builder: RecordingBuilder, from: MarkPoint? = nil, to: MarkPoint? = nil
  ) throws -> String {
    let recording = builder.recording
    let growth = try Growth.report(of: recording, frames: builder.frames, options: GrowthOptions(all: true))
    return HTMLReport.text(
      recording, TraceSummary(recording), frames: builder.frames, growth: growth, from: from, to: to)
  }

  /// The data as a JSON reader sees it.
  private func data(in page: String) throws -> [String: Any] {
    let start = try #require(page.range(of: #"<script type="application/json" id="data">"#))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let value = try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
    return try #require(value as? [String: Any])
  }

  @Test func pageNeedsNothingBesideIt() {
    let page = HTMLReport.assemble("{}")
    let namespace = "'http://www.w3.org/2000/svg'"
    #expect(!page.replacingOccurrences(of: namespace, with: "").contains("://"))
    for word in ["src=", "@import", "url(http", "<link", "import(", "fetch(", "XMLHttpRequest", "eval(", "innerHTML"] {
      let parts = page.components(separatedBy: word)
      #expect(parts.count == 1, "\(word)")
    }
  }

  @Test func scriptsRunByTheirNumberOnly() throws {
    let pages = try [page(builder), page(builder)]
    let numbers = try pages.map { page in
      let policy = try #require(page.range(of: "script-src 'nonce-"))
      let number = page[policy.upperBound...].prefix { $0 != "'" }
      #expect(number.count > 16)
      #expect(page.contains("<script nonce=\"\(number)\">"))
      #expect(page.contains("<style nonce=\"\(number)\">"))
      #expect(!page.contains("unsafe-inline"))
      return String(number)
    }
    #expect(numbers[0] != numbers[1])
  }

  @Test func dataCanNotLeaveItsElement() throws {
    let page = try page(builder)
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<img"))
    #expect(
      HTMLReport.inScript("\"</script><!--&\u{2028}\u{2029}é\"")
        == "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\u2029é\"")
  }

  @Test func markersInDataAreData() {
    let page = HTMLReport.assemble("\"{script} {data} {style} {nonce}\"")
    #expect(page.contains("\"{script} {data} {style} {nonce}\"</script>"))
    #expect(page.hasSuffix("</html>\n") && page.contains("function zoomTo"))
  }

  @Test func namesAreWhole() throws {
    let strings = try #require(try data(in: page(builder))["strings"] as? [String])
    #expect(strings.contains(HTMLReportTests.hostileName))
    #expect(Set(strings).count == strings.count)
  }

  @Test func hiddenCharactersOfLabelsAreVisible() throws {
    let generations = try #require(try data(in: page(builder))["generations"] as? [[String: Any]])
    #expect(generations.count == 9)
    let label = try #require(generations.first?["label"] as? String)
    #expect(label.hasPrefix("</script><img src=x onerror=alert(1)>\\u{202e}\\u{2028}"))
  }

  /// Adds up what is born in the generations and alive at the moment, as the page does.
  private func sum(_ data: [String: Any], births: Range<Int>, moment: Int) throws -> Amount {
    let rows = try #require(data["rows"] as? [Int])
    var sum = Amount.zero
    var index = 0
    while index < rows.count {
      let (birth, steps) = (rows[index + 1], rows[index + 2])
      let values = (0..<steps).map { Array(rows[index + 3 + 3 * $0..<index + 6 + 3 * $0]) }
      if births.contains(birth), let last = values.last(where: { $0[0] <= moment }) {
        sum += Amount(blocks: Int64(last[1]), bytes: Int64(last[2]))
      }
      index += 3 + 3 * steps
    }
    return sum
  }

  @Test(arguments: [(0, 9), (1, 3), (2, 4), (0, 1), (5, 9)])
  func rowsHoldEveryChoiceOfMarks(range: (Int, Int)) throws {
    let builder = builder
    let survival = Survival(builder.recording)
    let data = try data(in: page(builder))
    for moment in 0...8 {
      let expected = survival.survivors(bornIn: range.0..<range.1, at: moment == 8 ? .end : .mark(moment))
        .reduce(Amount.zero) { $0 + $1.live }
      #expect(try sum(data, births: range.0..<range.1, moment: moment) == expected, "alive at \(moment)")
    }
  }

  @Test func callTreeHasParentsFirst() throws {
    let data = try data(in: page(builder))
    let nodes = try #require(data["nodes"] as? [Int])
    let frames = try #require(data["frames"] as? [Int])
    let strings = try #require(data["strings"] as? [String])
    #expect(nodes.prefix(2) == [0, -1])
    for node in 1..<nodes.count / 2 {
      #expect(nodes[node * 2] < node)
      #expect((0..<frames.count / HTMLTables.frameWidth).contains(nodes[node * 2 + 1]))
    }
    // main, push, hostile, setup, cache; malloc below three of them.
    #expect(nodes.count / 2 == 1 + 8)
    #expect(strings.filter { $0 == "malloc" }.count == 1)
  }

  @Test func choiceBeginsWithWhatWasJudged() throws {
    let data = try data(in: page(builder))
    let judged = try #require(data["judged"] as? [Int])
    #expect(judged == [1, 7])
    #expect(data["choice"] as? [Int] == [1, 7, 7])
  }

  @Test func choiceCanBeAskedFor() throws {
    let recording = builder.recording
    let (from, to) = try (recording.markPoint("3"), recording.markPoint("end"))
    #expect(try data(in: page(builder, from: from, to: to))["choice"] as? [Int] == [3, 9, 8])
    #expect(try data(in: page(builder, from: recording.markPoint("8")))["choice"] as? [Int] == [8, 9, 7])
    #expect(try data(in: page(builder, to: recording.startPoint))["choice"] as? [Int] == [0, 0, 7])
  }

  @Test func survivalMatrixIsTheRecordings() throws {
    let findings = try #require(try data(in: page(builder))["findings"] as? [[String: Any]])
    let matrix = try #require(findings.first?["matrix"] as? [String: Any])
    #expect(findings.first?["verdict"] as? String == "leak")
    #expect(matrix["marks"] as? [Int] == Array(1...8))
    let values = try #require(matrix["values"] as? [[Int]])
    for birth in 0..<8 {
      for mark in 0..<8 {
        #expect(values[birth][mark] == (birth > 0 && mark >= birth ? 1 : 0), "born in \(birth), alive at \(mark)")
      }
    }
  }

  @Test func longHistoriesHaveASmallMatrix() throws {
    let builder = RecordingBuilder(marks: 90).site("main > push", survivors: Array(repeating: 1, count: 91))
    let findings = try #require(try data(in: page(builder))["findings"] as? [[String: Any]])
    let matrix = try #require(findings.first?["matrix"] as? [String: Any])
    let values = try #require(matrix["values"] as? [[Int]])
    #expect(values.count <= 40)
    #expect((matrix["marks"] as? [Int])?.last == 90)
    // All births up to the last mark are in one of the rows.
    #expect(values.map { $0.last ?? 0 }.reduce(0, +) == 90)
  }

  @Test func lossesAreShown() throws {
    let trace = try #require(try data(in: page(builder.loss(.stacksCut, 5)))["trace"] as? [String: Any])
    let losses = try #require(trace["losses"] as? [String])
    #expect(losses.count == 1 && losses[0].hasPrefix("5 call stacks"))
  }

  @Test func aRecordingWithoutMarksHasAPage() throws {
    let recording = Sample.recording
    let page = HTMLReport.text(
      recording, Sample.trace, frames: NamedFrames(), growth: nil, noGrowth: "No marks, nothing to judge.")
    let data = try data(in: page)
    #expect(data["verdict"] as? String == "No marks, nothing to judge.")
    #expect((data["findings"] as? [Any])?.isEmpty == true)
  }
}
