// SPDX-License-Identifier: MIT
//
// ReportFiles: the reports that `genmark check` writes for other programs, several at once, from one decided value.

import GenmarkAnalysis
import GenmarkReports

/// `--report FORMAT=FILE`.
struct ReportFile {
  enum Format: String, CaseIterable { case junit, sarif, markdown, json }

  let format: Format
  /// `-` is standard output.
  let path: String

  static var expected: String {
    "FORMAT=FILE with \(Format.allCases.map(\.rawValue).joined(separator: ", ")) as format"
  }

  init?(_ word: String) {
    guard let equals = word.firstIndex(of: "="), let format = Format(rawValue: String(word[..<equals])) else {
      return nil
    }
    path = String(word[word.index(after: equals)...])
    self.format = format
    if path.isEmpty { return nil }
  }

  func write(_ check: CheckReport, _ trace: TraceSummary, root: SourceRoot) throws {
    let text =
      switch format {
      case .junit: JUnit.text(check, trace)
      case .sarif: SARIF.document(check, trace, root: root, version: Main.version).text + "\n"
      case .markdown: Markdown.text(check, trace)
      case .json: check.json(trace, all: true).text + "\n"
      }
    try TextFile.write(Array(text.utf8), to: path)
  }
}
