// SPDX-License-Identifier: MIT
//
// BudgetFile: reads and writes genmark.json, the budget of a project.
//
//     { "maxGrowth": "0B", "maxTotal": "4KiB", "maxBlocks": 0,
//       "limits": [ { "function": "Cache::*", "maxGrowth": "1KiB" } ],
//       "exceptions": [ { "fingerprint": "9f2c04…", "reason": "…", "until": "2026-12-31" } ] }
//
// Sizes are texts with a unit, or plain numbers of bytes. A rule or exception names one of pattern (any frame),
// function, file, module, fingerprint.

import GenmarkModel

/// Reads and writes genmark.json.
public enum BudgetFile {
  /// - Throws: `badRule`; an unknown field is one, so that a misspelt limit is not silently none.
  public static func parse(_ text: String, file: String) throws(AnalysisError) -> Budget {
    do {
      return try budget(JSONText.parse(text))
    } catch let problem {
      throw .badRule(file: file, line: problem.line, text: line(problem.line, of: text), reason: problem.reason)
    }
  }

  /// The text of `file` with an exception added, in the place of one with the same pattern; empty `text` makes a new file.
  /// What else was there stays as it was, except for its layout.
  /// - Throws: `badRule` when `text` can not be read.
  public static func adding(_ exception: BudgetException, to text: String, file: String) throws(AnalysisError) -> String
  {
    var all = text.utf8.allSatisfy { $0 <= 0x20 } ? Budget() : try parse(text, file: file)
    let place = all.exceptions.firstIndex { $0.pattern == exception.pattern }
    all.exceptions.removeAll { $0.pattern == exception.pattern }
    all.exceptions.insert(exception, at: place ?? all.exceptions.count)
    return BudgetFile.text(of: all)
  }

  /// A budget as genmark.json has it.
  public static func text(of budget: Budget) -> String {
    var fields: [String] = []
    if let schema = budget.schema { fields.append("\"$schema\": \(quoted(schema))") }
    if let most = budget.maxGrowth { fields.append("\"maxGrowth\": \"\(most.count)B\"") }
    if let most = budget.maxTotal { fields.append("\"maxTotal\": \"\(most.count)B\"") }
    if let most = budget.maxBlocks { fields.append("\"maxBlocks\": \(most.count)") }
    func list(_ name: String, _ lines: [String]) {
      if !lines.isEmpty { fields.append("\"\(name)\": [\n    \(lines.joined(separator: ",\n    "))\n  ]") }
    }
    list(
      "limits",
      budget.rules.map { rule in
        var parts = [field(of: rule.pattern)]
        if let most = rule.maxGrowth { parts.append("\"maxGrowth\": \"\(most.count)B\"") }
        if let most = rule.maxBlocks { parts.append("\"maxBlocks\": \(most.count)") }
        return "{ \(parts.joined(separator: ", ")) }"
      })
    list(
      "exceptions",
      budget.exceptions.map { exception in
        var parts = [field(of: exception.pattern), "\"reason\": \(quoted(exception.reason))"]
        if let until = exception.until { parts.append("\"until\": \(quoted(until))") }
        return "{ \(parts.joined(separator: ", ")) }"
      })
    return fields.isEmpty ? "{}\n" : "{\n  \(fields.joined(separator: ",\n  "))\n}\n"
  }

  /// `4KiB`, `1.5MB`, `0B`, `100`: bytes, not negative. Nil when it is none.
  public static func bytes(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text[digits.endIndex...].drop { $0 == " " }
    let units: [String: Double] = [
      "": 1, "b": 1, "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "kb": 1000, "mb": 1e6, "gb": 1e9, "k": 1024,
      "m": 1_048_576, "g": 1_073_741_824,
    ]
    guard let factor = units[unit.lowercased()], let value = Double(digits), digits.first != "." else { return nil }
    let bytes = (value * factor).rounded()
    return bytes < 9e18 ? Int64(bytes) : nil
  }

  // MARK: Reading

  private static func line(_ number: Int, of text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return number >= 1 && number <= lines.count ? String(lines[number - 1]) : ""
  }

  private static func budget(_ value: JSONValue) throws(JSONProblem) -> Budget {
    var budget = Budget()
    for field in try fields(of: value, "a budget") {
      switch field.name {
      case "maxGrowth": budget.maxGrowth = try size(field)
      case "maxTotal": budget.maxTotal = try size(field)
      case "maxBlocks": budget.maxBlocks = try blocks(field)
      case "limits": for item in try items(field) { budget.rules.append(try rule(item)) }
      case "exceptions": for item in try items(field) { budget.exceptions.append(try exception(item)) }
      case "$schema": budget.schema = try text(field)
      default:
        throw unknown(field, ["maxGrowth", "maxTotal", "maxBlocks", "limits", "exceptions"])
      }
    }
    return budget
  }

  private static let subjects = ["pattern", "function", "file", "module", "fingerprint"]

  private static func rule(_ value: JSONValue) throws(JSONProblem) -> BudgetRule {
    var pattern: Pattern?
    var rule = BudgetRule(pattern: Pattern(.any, ""))
    for field in try fields(of: value, "a limit") {
      switch field.name {
      case "maxGrowth": rule.maxGrowth = try size(field)
      case "maxBlocks": rule.maxBlocks = try blocks(field)
      case _ where subjects.contains(field.name): pattern = try self.pattern(field, after: pattern)
      default: throw unknown(field, subjects + ["maxGrowth", "maxBlocks"])
      }
    }
    guard let pattern else {
      throw JSONProblem(line: value.line, reason: "for what? Name a function, file, module or fingerprint.")
    }
    if rule.maxGrowth == nil, rule.maxBlocks == nil {
      throw JSONProblem(line: value.line, reason: "no limit: maxGrowth or maxBlocks is missing")
    }
    rule.pattern = pattern
    return rule
  }

  private static func exception(_ value: JSONValue) throws(JSONProblem) -> BudgetException {
    var pattern: Pattern?
    var exception = BudgetException(pattern: Pattern(.any, ""), reason: "")
    for field in try fields(of: value, "an exception") {
      switch field.name {
      case "reason": exception.reason = try text(field)
      case "until":
        let day = try text(field)
        guard isDay(day) else { throw JSONProblem(line: field.line, reason: "'until' is a day like 2026-12-31") }
        exception.until = day
      case _ where subjects.contains(field.name): pattern = try self.pattern(field, after: pattern)
      default: throw unknown(field, subjects + ["reason", "until"])
      }
    }
    guard let pattern else {
      throw JSONProblem(line: value.line, reason: "for what? Name a function, file, module or fingerprint.")
    }
    if exception.reason.allSatisfy(\.isWhitespace) {
      throw JSONProblem(line: value.line, reason: "an exception needs a reason")
    }
    exception.pattern = pattern
    return exception
  }

  private static func pattern(_ field: JSONValue.Field, after other: Pattern?) throws(JSONProblem) -> Pattern {
    if other != nil { throw JSONProblem(line: field.line, reason: "two patterns: write one entry for each") }
    let text = try text(field)
    if text.isEmpty { throw JSONProblem(line: field.line, reason: "an empty pattern") }
    if field.name == "fingerprint", text.count < 6 {
      throw JSONProblem(line: field.line, reason: "a fingerprint has at least 6 digits here")
    }
    return Pattern(Pattern.Subject(rawValue: field.name) ?? .any, text)
  }

  /// A day of the calendar as YYYY-MM-DD.
  public static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    guard let year = Int(parts[0]), (1...12).contains(month) else { return false }
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  private static func fields(of value: JSONValue, _ what: String) throws(JSONProblem) -> [JSONValue.Field] {
    guard case .object(let fields) = value.content else {
      throw JSONProblem(line: value.line, reason: "\(what) is an object in { }")
    }
    return fields
  }

  private static func items(_ field: JSONValue.Field) throws(JSONProblem) -> [JSONValue] {
    guard case .array(let items) = field.value.content else {
      throw JSONProblem(line: field.line, reason: "'\(field.name)' is a list in [ ]")
    }
    return items
  }

  private static func text(_ field: JSONValue.Field) throws(JSONProblem) -> String {
    guard case .string(let text) = field.value.content else {
      throw JSONProblem(line: field.line, reason: "'\(field.name)' is a text in \"…\"")
    }
    return text
  }

  private static func size(_ field: JSONValue.Field) throws(JSONProblem) -> Bytes {
    switch field.value.content {
    case .string(let text), .number(let text):
      if let bytes = bytes(text) { return Bytes(bytes) }
      fallthrough
    default: throw JSONProblem(line: field.line, reason: "'\(field.name)' is a size like \"4KiB\", not negative")
    }
  }

  private static func blocks(_ field: JSONValue.Field) throws(JSONProblem) -> Blocks {
    guard case .number(let text) = field.value.content, let count = Int64(text), count >= 0 else {
      throw JSONProblem(line: field.line, reason: "'\(field.name)' is a whole number, not negative")
    }
    return Blocks(count)
  }

  private static func unknown(_ field: JSONValue.Field, _ known: [String]) -> JSONProblem {
    let nearest = Suggestion.nearest(to: field.name, in: known).map { " Did you mean '\($0)'?" } ?? ""
    return JSONProblem(line: field.line, reason: "unknown field '\(field.name)'.\(nearest)")
  }

  // MARK: Writing

  private static func field(of pattern: Pattern) -> String {
    "\"\(pattern.subject == .any ? "pattern" : pattern.subject.rawValue)\": \(quoted(pattern.text))"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
