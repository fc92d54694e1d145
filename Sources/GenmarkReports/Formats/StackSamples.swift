// SPDX-License-Identifier: MIT
//
// StackSamples: call stacks with what they hold, the common ground of all exports. How each format writes them is in
// the neighbours.

import GenmarkAnalysis
import GenmarkModel

/// One call stack and an amount.
public struct StackSample: Sendable {
  /// Innermost first and complete.
  public var frames: [Frame]
  public var amount: Amount

  public init(frames: [Frame], amount: Amount) {
    self.frames = frames
    self.amount = amount
  }
}

/// What is exported.
public struct StackSamples: Sendable {
  /// What it is, for the title.
  public var name: String
  public var samples: [StackSample]
  public var startedAt: Nanoseconds
  public var duration: Nanoseconds

  public init(name: String, samples: [StackSample], startedAt: Nanoseconds, duration: Nanoseconds) {
    self.name = name
    self.samples = samples
    self.startedAt = startedAt
    self.duration = duration
  }

  /// What was born in a diff and is alive.
  public init(_ diff: DiffReport, of recording: Recording) {
    let program = FrameText.baseName(recording.process.program)
    self.init(
      name: "\(program): alive, born from \(diff.from.plainText) to \(diff.to.plainText)",
      samples: diff.rows.map { StackSample(frames: $0.frames, amount: $0.born) },
      startedAt: recording.process.startedAt, duration: recording.process.duration)
  }

  /// What is alive of the call sites that grow.
  public init(_ growth: GrowthReport, of recording: Recording) {
    let sites = growth.findings.filter(\.verdict.isGrowth).flatMap(\.callSites)
    self.init(
      name: "\(FrameText.baseName(recording.process.program)): alive, of what grows",
      samples: sites.map { StackSample(frames: $0.frames, amount: $0.live) }, startedAt: recording.process.startedAt,
      duration: recording.process.duration)
  }

  /// Negative amounts have no place in a flame graph.
  var shown: [StackSample] {
    samples.filter { !$0.frames.isEmpty && ($0.amount.bytes > .zero || $0.amount.blocks > .zero) }
      .map { StackSample(frames: $0.frames, amount: $0.amount.clamped) }
  }
}

extension MarkPoint {
  /// As `text`, not escaped.
  fileprivate var plainText: String {
    switch kind {
    case .start, .end: "the \(name)"
    case .mark(let number, let label, _): "mark \(number)" + (label.isEmpty ? "" : " (\(label))")
    }
  }
}
