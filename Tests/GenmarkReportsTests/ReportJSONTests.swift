// SPDX-License-Identifier: MIT
//
// ReportJSONTests: every document against report.schema.json, by a validator that is not ours (python3-jsonschema).

import Foundation
import GenmarkReports
import Testing

struct ReportJSONTests {
  static let documents: [(name: String, value: JSONValue)] = [
    ("generations", Sample.generations.json(Sample.trace, byCallSite: true)),
    ("generations, short", Sample.generations.json(Sample.trace, byCallSite: false)),
    ("marks", Sample.recording.marksJSON),
    ("diff", Sample.diff.json(Sample.trace)),
    ("tree", Sample.tree.json(Sample.trace)),
    ("comparison", Sample.comparison.json(old: Sample.trace, new: Sample.trace)),
    ("growth", Sample.growth.json(Sample.trace, all: true)),
    ("explain", Sample.growth.json(Sample.trace, explaining: Sample.leak)),
    ("check", Sample.check.json(Sample.trace, all: false)),
  ]

  @Test(.enabled(if: Validator.isInstalled, "python3-jsonschema is not installed"))
  func everyDocumentIsAsTheSchemaSays() throws {
    for document in ReportJSONTests.documents {
      let complaint = try Validator.complaint(about: document.value.text, schema: Validator.reportSchema)
      #expect(complaint == "", "\(document.name)")
    }
  }

  @Test(.enabled(if: Validator.isInstalled, "python3-jsonschema is not installed"))
  func theSchemaRefusesWhatIsWrong() throws {
    let document = Sample.growth.json(Sample.trace, all: true).text
    for (right, wrong) in [("\"judged\":", "\"judge\":"), ("\"leak\"", "\"leaks\""), ("growth/1", "growth/2")] {
      let complaint = try Validator.complaint(
        about: document.replacingOccurrences(of: right, with: wrong), schema: Validator.reportSchema)
      #expect(complaint != "", "\(wrong)")
    }
  }

  @Test func growthShowsWhatGrowsAndAllShowsTheRest() {
    let short = Sample.growth.json(Sample.trace, all: false).text
    #expect(short.contains("0123456789abcdef") && !short.contains("fedcba9876543210"))
    #expect(Sample.growth.json(Sample.trace, all: true).text.contains("fedcba9876543210"))
  }

  @Test func textStaysWhole() throws {
    let text = Sample.recording.marksJSON.text
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let marks = parsed?["marks"] as? [[String: Any]]
    #expect(marks?.first?["label"] as? String == "pop\u{1b}[2J")
  }

  @Test func lossesOfNothingAreLeftOut() {
    #expect(Sample.trace.json.text.contains(#""losses":[{"kind":"stacksCut","count":3}]"#))
    #expect(Sample.trace.json.text.contains(#""end":{"kind":"exit","value":0}"#))
  }
}

/// A JSON schema validator in a process of its own.
enum Validator {
  static let reportSchema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/GenmarkReports/report.schema.json").standardized.path

  static var isInstalled: Bool { (try? python("import jsonschema", input: "").status) == 0 }

  /// Empty when the document is valid.
  static func complaint(about document: String, schema: String) throws -> String {
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      try: jsonschema.validate(json.load(sys.stdin), schema)
      except jsonschema.ValidationError as e:
        c = jsonschema.exceptions.best_match([e]) or e
        print(c.message[:300] or "invalid")
      """
    let result = try python(script, schema, input: document)
    return result.output + result.error
  }

  static func python(_ script: String, _ arguments: String..., input: String) throws -> (
    status: Int32, output: String, error: String
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-W", "ignore", "-c", script] + arguments
    let pipes = (in: Pipe(), out: Pipe(), err: Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (pipes.in, pipes.out, pipes.err)
    try process.run()
    // The documents here are smaller than a pipe.
    pipes.in.fileHandleForWriting.write(Data(input.utf8))
    try pipes.in.fileHandleForWriting.close()
    let output = pipes.out.fileHandleForReading.readDataToEndOfFile()
    let error = pipes.err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self), String(decoding: error, as: UTF8.self))
  }
}
