// SPDX-License-Identifier: MIT
//
// AcceptVerb: `genmark accept`: writes an accepted finding into the budget. How the file looks is BudgetFile's.

import GenmarkAnalysis

struct AcceptVerb: Verb {
  static let name = "accept"
  static let summary = "accept a finding in genmark.json, with a reason, so that `check` passes it"
  static let usage = "FINGERPRINT --reason TEXT [options]"
  static let explanation = """
    Adds an exception to the budget: `check` shows the finding as excused and does not count it. With --until it
    fails again after that day. Anyone may read the reason later, so write why and not what.
    """
  static let example =
    "genmark accept 9f2c41d07be3a856 --reason \"cache of parsed styles, bounded by 200\" --until 2027-03-31"
  static let operands = Operands(needed: ["a fingerprint"], optional: 0)
  static var options: [Option<AcceptVerb>] {
    [
      .text("--reason", value: "TEXT", set: \.reason, "Why it may grow. Needed."),
      .value(
        "--until", value: "DATE", set: \.until, expected: "a day as YYYY-MM-DD", "Last day on which it is accepted.",
        parse: Today.day),
      .text("--budget", value: "FILE", set: \.budget, files: true, "Where to write it. Default: genmark.json."),
    ]
  }

  var words: [String] = []
  var reason: String?
  var until: String?
  var budget: String?

  func run(_ console: Console) throws -> ExitStatus {
    let fingerprint = words[0].lowercased()
    let isFingerprint = fingerprint.allSatisfy { $0.isASCII && $0.isHexDigit } && (6...16).contains(fingerprint.count)
    guard isFingerprint else {
      throw CommandError.badValue(
        option: "FINGERPRINT", value: words[0], expected: "a fingerprint: 16 hexadecimal digits, or the first 6 of them"
      )
    }
    guard let reason, reason.contains(where: { !$0.isWhitespace }) else {
      throw CommandError.missingValue(option: "--reason", placeholder: "TEXT")
    }
    let file = budget ?? CheckVerb.budgetFile
    let text = Paths.exists(file) ? try TextFile.read(file) : ""
    let exception = BudgetException(pattern: Pattern(.fingerprint, fingerprint), reason: reason, until: until)
    try TextFile.write(Array(BudgetFile.adding(exception, to: text, file: file).utf8), to: file)
    console.note("accepted \(fingerprint) in \(file)")
    return .success
  }
}
