// SPDX-License-Identifier: MIT
//
// JUnit: a check as JUnit XML, in the dialect that Jenkins' junit-10.xsd and GitLab agree on: a test case for the whole
// and one for each finding.

import GenmarkAnalysis
import GenmarkModel

public enum JUnit {
  public static func text(_ check: CheckReport, _ trace: TraceSummary) -> String {
    var counts = (tests: 1, failures: 0, errors: 0, skipped: 0)
    var cases = ""
    for item in check.cases {
      counts.tests += 1
      cases += open(item.finding)
      switch item.outcome {
      case .failed(let exceeded):
        counts.failures += 1
        let message = "over " + exceeded.map(\.sentence).joined(separator: "; over ")
        cases += element("failure", message, type: item.finding.verdict.rawValue, body(item.finding))
      case .excused(let excuse):
        counts.skipped += 1
        cases += element("skipped", "\(excuse.reason) (\(excuse.pattern))")
      case .inconclusive:
        counts.skipped += 1
        cases += element("skipped", "inconclusive: \(item.finding.why)")
      case .withinBudget: cases += "      <system-out>\(Escaping.xml(item.finding.sentence))</system-out>\n"
      }
      cases += "    </testcase>\n"
    }
    let whole = whole(check, trace, &counts)
    let numbers =
      "tests=\"\(counts.tests)\" failures=\"\(counts.failures)\" errors=\"\(counts.errors)\""
    let time = "time=\"\(seconds(trace.duration))\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="genmark" \(numbers) \(time)>
        <testsuite name="\(Escaping.xml("genmark check " + trace.file))" \(numbers) skipped="\(counts.skipped)" \(time)>
      \(whole)\(cases)  </testsuite>
      </testsuites>

      """
  }

  private static func whole(
    _ check: CheckReport, _ trace: TraceSummary,
    _ counts: inout (tests: Int, failures: Int, errors: Int, skipped: Int)
  ) -> String {
    var out =
      "    <testcase classname=\"genmark\" name=\"\(Escaping.xml("growth over " + check.growth.cycles.text))\">\n"
    let inAll = check.exceededInAll
    if !inAll.isEmpty {
      counts.failures += 1
      out += element("failure", "over " + inAll.map(\.sentence).joined(separator: "; over "), type: "max-total")
    }
    if check.outcome == .inconclusive {
      counts.errors += 1
      out += element("error", check.reasons.joined(separator: " "), type: "inconclusive")
    } else if inAll.isEmpty, !check.reasons.isEmpty {
      counts.skipped += 1
      out += element("skipped", "inconclusive: " + check.reasons.joined(separator: " "))
    }
    let notes = check.notes(trace)
    if !notes.isEmpty {
      out += "      <system-out>\(notes.map { Escaping.xml($0) }.joined(separator: "\n"))</system-out>\n"
    }
    return out + "    </testcase>\n"
  }

  private static func open(_ finding: Finding) -> String {
    let place = FrameText.plainPlace(finding.headline)
    let name = Escaping.cut(FrameText.plainName(finding.headline), to: 300) + (place.isEmpty ? "" : " (\(place))")
    return "    <testcase classname=\"\(Escaping.xml("genmark." + finding.verdict.rawValue))\" "
      + "name=\"\(Escaping.xml("\(name) [\(finding.fingerprint)]"))\">\n"
  }

  private static func body(_ finding: Finding) -> String {
    ([finding.sentence, finding.why] + finding.stackLines.map { "  " + $0 }).filter { !$0.isEmpty }
      .map { Escaping.xml(Escaping.cut($0)) }.joined(separator: "\n")
  }

  private static func element(_ name: String, _ message: String, type: String? = nil, _ body: String = "") -> String {
    let type = type.map { " type=\"\(Escaping.xml($0))\"" } ?? ""
    let start = "      <\(name) message=\"\(Escaping.xml(Escaping.cut(message)))\"\(type)"
    return body.isEmpty ? start + "/>\n" : start + ">\(body)</\(name)>\n"
  }

  private static func seconds(_ duration: Nanoseconds) -> String {
    let milliseconds = duration.count / 1_000_000
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
