// SPDX-License-Identifier: MIT
//
// MarksVerb: `genmark marks`: the marks of a trace. Taking one is the verb `mark`.

import GenmarkModel
import GenmarkReports

struct MarksVerb: Verb {
  static let name = "marks"
  static let summary = "the marks of a trace"
  static let usage = "[--json] TRACE|PID"
  static let explanation = "Lists the marks with number, label, the how-many-eth with that label, and the process then."
  static let example = "genmark marks app.1234.genmark"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static var options: [Option<MarksVerb>] {
    [.flag("--json", set: \.isJSON, "Write JSON (schema genmark.marks/1).")]
  }

  var words: [String] = []
  var isJSON = false

  func run(_ console: Console) throws -> ExitStatus {
    let recording = try OpenTrace.read(words[0])
    try OpenTrace.show(console, asJSON: isJSON, [TraceSummary(recording)]) {
      recording.marksJSON
    } text: {
      recording.marksText(style: console.style)
    }
    return .success
  }
}
