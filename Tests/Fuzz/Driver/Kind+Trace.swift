// SPDX-License-Identifier: MIT
//
// The kinds of input that hold a trace: a trace, and a pack. What could be read is given to all that reports are made of,
// every now and then to the reports themselves.

import GenmarkAnalysis
import GenmarkModel
import GenmarkPack
import GenmarkReports
import GenmarkSymbols
import GenmarkTestSupport
import GenmarkTrace

extension Kind {
  /// Small traces of our own making, and those of real programs in the full layout.
  static func trace(_ recorded: [[UInt8]]) -> Kind {
    let small = Seeds.small
    let large = [TraceSeed(TraceBuilder.example().build())] + recorded.map { TraceSeed($0) }
    return Kind(name: "trace", turns: 16, sound: (small + large).map(\.bytes)) { generator in
      // Large ones take as long as a hundred small ones.
      let seeds = generator.below(128) == 0 ? large : small
      return generator.pick(seeds).mutated(using: &generator)
    } attempt: { bytes, number in
      guard let recording = try? Recording(traceBytes: bytes, file: "damaged.genmark") else { return false }
      Reading(recording, number).all()
      return true
    }
  }

  /// The file damaged as it stands, below a right checksum, and before it was compressed.
  static var pack: Kind {
    let files = Seeds.packs
    return Kind(name: "pack", turns: 5, sound: files) { generator in
      let file = generator.pick(files)
      switch generator.below(8) {
      case 0: return mutated(file, using: &generator)
      case 1:
        let rest = mutated(Array(file[PackFormat.headerSize...]), using: &generator)
        return PackFormat.file(
          compressed: rest, bodySize: Int(file[16]) | Int(file[17]) << 8 | Int(file[18]) << 16, flags: 0)
      default:
        guard let (body, flags) = try? PackFormat.open(file, file: "sound.pack") else { return file }
        let bad = mutated(body, using: &generator)
        return PackFormat.file(compressed: Seeds.stored(bad), bodySize: bad.count, flags: flags)
      }
    } attempt: { bytes, number in
      guard let pack = try? Pack(bytes: bytes, file: "damaged.pack") else { return false }
      for node in 0..<min(pack.recording.callTree.count, 256) { _ = pack.symbols.frames(of: CallTree.NodeID(node)) }
      _ = pack.notes
      Reading(pack.recording, number, frames: pack.symbols).all()
      return true
    }
  }
}

/// Names that are as hostile as those of any file.
final class HostileFrames: FrameSource {
  private let recording: Recording
  init(_ recording: Recording) { self.recording = recording }

  private static let names: [String?] = [
    "leak", "operator new(unsigned long)", "</script><b>", "a\nb", "\u{1b}[2J", "\u{202e}x", "", nil,
  ]

  func frames(of callSite: CallTree.NodeID) -> [Frame] {
    recording.callTree.path(of: callSite).flatMap { frames(ofNode: $0) }
  }

  func frames(ofNode node: CallTree.NodeID) -> [Frame] {
    let address = recording.callTree.addresses[Int(node)]
    let name = HostileFrames.names[Int(address / 4096 % 8)]
    return [
      Frame(function: name, module: "/x", offset: address, file: name, line: Int(address % 7), folded: address % 5 == 0)
    ]
  }
}

/// What a verb does with a recording.
private struct Reading {
  let recording: Recording
  let number: UInt64
  let frames: any FrameSource

  init(_ recording: Recording, _ number: UInt64, frames: (any FrameSource)? = nil) {
    self.recording = recording
    self.number = number
    self.frames = frames ?? HostileFrames(recording)
  }

  func all() {
    exercise(recording)
    // Reports take longer than reading: one in eight.
    switch number % 64 {
    case 0...3: growth()
    case 4: diff()
    case 5: generations()
    case 6: page()
    case 7: comparison()
    default: break
    }
  }

  private var summary: TraceSummary { TraceSummary(recording) }

  private func growth() {
    guard let report = try? Growth.report(of: recording, frames: frames, options: GrowthOptions(all: number % 2 == 0))
    else {
      return
    }
    let check = Check.report(
      of: report, options: CheckOptions(budget: Budget(maxGrowth: .zero), baselines: [Baseline(report, name: "x")]))
    let root = SourceRoot("/")
    _ = report.text(summary, style: Style(width: 80)) + report.json(summary, all: true).text
    _ = JUnit.text(check, summary) + SARIF.document(check, summary, root: root, version: "0").text
    _ = Markdown.text(check, summary) + GitHubAnnotations.text(check, root: root) + check.json(summary, all: true).text
    _ = check.text(summary, style: Style(width: nil))
  }

  private func diff() {
    for grouping in DiffOptions.Grouping.allCases {
      var options = DiffOptions(range: "start..end")
      options.grouping = grouping
      guard let report = try? Diff.report(of: recording, frames: frames, options: options) else { continue }
      _ = report.text(summary, style: Style(width: 100)) + report.json(summary).text
      if grouping == .callSite {
        let stacks = StackSamples(report, of: recording)
        _ = Folded.text(stacks) + CSV.text(stacks, program: nil) + Speedscope.document(stacks, version: "0").text
        _ = Pprof.bytes(stacks, modules: recording.modules)
      }
    }
  }

  private func generations() {
    let report = Generations.report(of: recording, frames: frames)
    _ = report.text(summary, style: Style(width: 80), byCallSite: true) + report.json(summary, byCallSite: true).text
  }

  private func page() {
    let report = try? Growth.report(of: recording, frames: frames, options: GrowthOptions(all: true))
    _ = HTMLReport.text(recording, summary, frames: frames, growth: report)
  }

  private func comparison() {
    guard let report = try? Growth.report(of: recording, frames: frames) else { return }
    _ = Comparison.compare(old: report, new: report).json(old: summary, new: summary).text
  }
}
