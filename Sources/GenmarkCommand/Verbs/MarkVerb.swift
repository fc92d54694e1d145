// SPDX-License-Identifier: MIT
//
// MarkVerb: `genmark mark`: takes a mark in a running program, through its trace. Listing them is the verb `marks`.

import GenmarkModel
import GenmarkReports
import GenmarkTrace

struct MarkVerb: Verb {
  static let name = "mark"
  static let summary = "take a mark in a running program"
  static let usage = "PID|TRACE [LABEL]"
  static let explanation = """
    Ends the generation of a recorded program that runs, and begins the next. The program takes no part in it: no
    signal, no debugger. Marks with one LABEL are cycles of one repeated action. Default: 'mark'.
    """
  static let example = "genmark mark 1234 after-login"
  static let operands = Operands(needed: ["a process id or a trace"], optional: 1)
  static var options: [Option<MarkVerb>] {
    [.flag("-q", "--quiet", set: \.isQuiet, "Print nothing.")]
  }

  var words: [String] = []
  var isQuiet = false

  func run(_ console: Console) throws -> ExitStatus {
    let label = words.count > 1 ? words[1] : "mark"
    let trace = try OpenTrace.processID(words[0]).map { try LiveTrace(program: $0) } ?? LiveTrace(program: words[0])
    let generation = try trace.mark(label)
    if !isQuiet {
      let shown = Escaping.terminal(Escaping.cut(label, to: 200))
      try console.write(line: "mark \(generation) \"\(shown)\" in \(Escaping.terminal(trace.file))")
    }
    return .success
  }
}
