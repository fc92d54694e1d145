// SPDX-License-Identifier: MIT
//
// Baseline: what grew in an earlier recording, as far as a check needs it: judged anew from a trace, or read from the JSON
// of an earlier `growth` or `check`. How several baselines make one allowance is in Allowances.

import GenmarkModel

/// What grew before.
public struct Baseline: Sendable {
  /// A finding that grew, or could not be judged.
  struct Entry: Sendable {
    var fingerprint: String
    var rate: Rate
    /// See StableChain; empty where not known.
    var chain: CallerChain
  }

  /// For messages.
  public var name: String
  var entries: [Entry]
  /// Why nothing could be said of it as a whole.
  public var inconclusive: [String]
  /// What else is to be said of it: names that could not be looked up match nothing.
  public var notes: [String] = []

  public init(_ growth: GrowthReport, name: String) {
    self.name = name
    inconclusive = growth.inconclusive
    entries = growth.findings.filter(\.verdict.isReported).map { finding in
      Entry(
        fingerprint: finding.fingerprint, rate: Rate(blocks: finding.blocksPerCycle, bytes: finding.bytesPerCycle),
        chain: finding.chain)
    }
  }

  /// - Parameter json: what `genmark growth --json`, or `genmark check` wrote as JSON.
  /// - Throws: `badReport`.
  public init(json: String, name: String) throws(AnalysisError) {
    self.name = name
    do throws(JSONProblem) {
      let document = try JSONText.parse(json)
      let schema = document["schema"]?.text ?? ""
      guard schema.hasPrefix("genmark.growth/1") || schema.hasPrefix("genmark.check/1") else {
        throw JSONProblem(line: document.line, reason: "it is not what `genmark check --json` writes")
      }
      let program = document["trace"]?["program"]?.text
      inconclusive = (document["inconclusive"]?.items ?? []).compactMap(\.text)
      entries = []
      for finding in document["findings"]?.items ?? [] {
        guard let verdict = Verdict(rawValue: finding["verdict"]?.text ?? ""), let name = finding["fingerprint"]?.text,
          let blocks = finding["blocksPerCycle"]?.number, let bytes = finding["bytesPerCycle"]?.number
        else { throw JSONProblem(line: finding.line, reason: "a finding lacks its fingerprint, verdict or rates") }
        guard verdict.isReported else { continue }
        let frames = (finding["callSites"]?.items.first?["frames"]?.items ?? []).map(Frame.init)
        entries.append(
          Entry(
            fingerprint: name, rate: Rate(blocks: blocks, bytes: bytes),
            chain: Baseline.chain(frames, headline: finding["headline"].map(Frame.init)).stable(program: program)))
      }
    } catch let problem {
      throw .badReport(file: name, line: problem.line, reason: problem.reason)
    }
  }

  private static func chain(_ frames: [Frame], headline: Frame?) -> CallerChain {
    guard let headline, let index = frames.firstIndex(where: { FrameKey($0) == FrameKey(headline) }) else {
      return CallerChain(functions: [])
    }
    return CallerChain(frames, headline: index)
  }
}

extension Frame {
  fileprivate init(_ value: JSONValue) {
    self.init(
      function: value["function"]?.text, module: value["module"]?.text,
      offset: value["offset"]?.number.flatMap { UInt64(exactly: $0) }, folded: value["folded"]?.content == .bool(true))
  }
}
