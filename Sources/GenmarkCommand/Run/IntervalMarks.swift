// SPDX-License-Identifier: MIT
//
// IntervalMarks: the marks of `genmark run --every`, taken from outside through the trace; the program has no part in
// them. When they are due is ChildProcess's to say.

import GenmarkTrace

#if canImport(Glibc)
  import Glibc
#endif

/// Marks the program of a run, and with `--follow` all that it started.
final class IntervalMarks {
  static let label = "every"

  private let names: TraceNames
  private let marksAll: Bool
  private var live: [String: LiveTrace] = [:]

  init(_ names: TraceNames, marksAll: Bool) {
    self.names = names
    self.marksAll = marksAll
  }

  /// What can not be marked is left alone: it is just starting, just ending, or becoming another program, and the next
  /// mark will do.
  func mark(pid: Int32) {
    if marksAll {
      for file in names.found(run: UInt32(bitPattern: getpid())) where live[file]?.isRunning != true {
        live[file] = try? LiveTrace(path: file)
      }
    } else if live.values.first.map({ !$0.isRunning || $0.isLauncher }) ?? true {
      live = (try? LiveTrace(program: pid)).map { [$0.file: $0] } ?? [:]
    }
    for trace in live.values { _ = try? trace.mark(IntervalMarks.label) }
  }
}
