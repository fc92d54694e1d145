// SPDX-License-Identifier: MIT
//
// TraceSummary: what every report says about the recording it is made from: which program, how it ended, what was not
// recorded. What the recording contains is in the reports themselves.

import GenmarkModel

/// Where a report comes from.
public struct TraceSummary: Sendable {
  public var file: String
  public var program: String
  public var pid: UInt32
  public var end: ProcessEnd
  public var duration: Nanoseconds
  public var losses: [Loss]
  /// More that the reader of any report should know, a sentence each; untrusted text.
  public var notes: [String]

  public init(_ recording: Recording) {
    file = recording.file
    program = recording.process.program
    pid = recording.process.pid
    end = recording.process.end
    duration = recording.process.duration
    losses = recording.losses.filter { $0.count > 0 }
    notes = recording.notes
    if recording.process.stoppedEarly { notes.append("recording stopped before the program did") }
    if recording.process.isForkChild {
      notes.append("recorded from a fork on: what the parent had allocated before is not in it")
    }
  }
}

extension TraceSummary {
  /// `trace` of the JSON schemas.
  public var json: JSONValue {
    .object([
      ("file", .string(file)), ("program", .string(program)), ("pid", .unsigned(UInt64(pid))), ("end", end.json),
      (
        "losses", .array(losses.map { .object([("kind", .string($0.kind.rawValue)), ("count", .unsigned($0.count))]) })
      ),
    ])
  }

  /// `app.genmark: app (pid 1234), exit status 0 after 2.10 s`.
  public var title: String { Escaping.terminal(plainTitle) }

  /// The same, not escaped.
  var plainTitle: String {
    "\(file): \(FrameText.baseName(program)) (pid \(pid)), \(end.text) after \(UnitText.duration(duration))"
  }

  /// Losses and notes, a line each with its line end; empty when there are none.
  public func warnings(_ style: Style) -> String {
    let lines = losses.map { "loss: \($0.sentence)" } + notes.map { "note: \($0)" }
    return lines.map { style.text(Escaping.terminal(Escaping.cut($0)), .doubtful) + "\n" }.joined()
  }
}

extension ProcessEnd {
  var json: JSONValue {
    let (kind, value): (String, JSONValue) =
      switch self {
      case .exit(let status): ("exit", .integer(Int64(status)))
      case .signal(let signal): ("signal", .integer(Int64(signal)))
      case .exec: ("exec", nil)
      case .running: ("running", nil)
      case .unknown: ("unknown", nil)
      }
    return .object([("kind", .string(kind)), ("value", value)])
  }

  /// `exit status 0`, `killed by signal 9`, `running`.
  public var text: String {
    switch self {
    case .exit(let status): "exit status \(status)"
    case .signal(let signal): "killed by signal \(signal)"
    case .exec: "became another program (exec)"
    case .running: "running"
    case .unknown: "end not known"
    }
  }
}

extension Loss {
  /// What is missing and what that means, in a sentence without its point.
  public var sentence: String {
    let n = UnitText.grouped(count)
    return switch kind {
    case .blocksMemory: "\(n) allocations were not recorded, the recorder had no memory or disk left"
    case .blocksReentrant: "\(n) allocations were not recorded, they came from inside the recorder"
    case .stacksMerged: "\(n) call stacks stand for several, the memory limit was reached"
    case .stacksCut: "\(n) call stacks were deeper than the limit and lack their outer frames"
    case .stacksBroken: "\(n) call stacks end early, at code without unwind information"
    case .history: "what was alive at \(n) marks could not be kept"
    case .marks: "\(n) marks could not be taken"
    case .labels: "\(n) marks share one label, there were too many different ones"
    case .modules: "\(n) loaded libraries could not be written down, their functions have no names"
    case .verify: "\(n) call stacks differed from libunwind's (GENMARK_VERIFY)"
    case .other: "\(n) of a kind that this version does not know"
    }
  }
}
