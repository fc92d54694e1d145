// SPDX-License-Identifier: MIT
//
// TableTests: columns that line up, and what is cut where a terminal is narrow.

import GenmarkReports
import Testing

struct TableTests {
  private func table() -> Table {
    var table = Table([.init("Bytes"), .init("Name", .leading, flexible: true), .init("Live")])
    table.add(["9 B", "short", "1"])
    table.add(["12,345 B", "a very long name of a function that takes room", "10"])
    return table
  }

  @Test func columnsLineUp() {
    #expect(
      table().text(.plain) == """
           Bytes  Name                                            Live
             9 B  short                                              1
        12,345 B  a very long name of a function that takes room    10

        """)
  }

  @Test func theFlexibleColumnIsCutToTheWidth() {
    let lines = table().text(Style(width: 40)).split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 40 })
    #expect(lines.last == "12,345 B  a very long name of a f…    10")
  }

  @Test func colourIsOnlyAddedAroundWholeLines() {
    let lines = table().text(Style(width: 40, hasColour: true)).split(separator: "\n")
    #expect(lines.first?.hasPrefix("\u{1b}[1m") == true && lines.first?.hasSuffix("\u{1b}[0m") == true)
    #expect(lines.last?.contains("\u{1b}") == false)
  }

  @Test func wideLettersCountTwice() {
    #expect(DisplayWidth.of("漢字") == 4)
    #expect(DisplayWidth.of("e\u{301}") == 1)
    #expect(DisplayWidth.cut("漢字漢字", to: 5) == "漢字…")
    #expect(DisplayWidth.cut("abc", to: 3) == "abc")
  }

  @Test func missingCellsAreEmpty() {
    var table = Table([.init("A"), .init("B")])
    table.add(["1"])
    table.add(line: "a line of its own")
    #expect(table.text(.plain) == "A  B\n1\na line of its own\n")
  }
}
