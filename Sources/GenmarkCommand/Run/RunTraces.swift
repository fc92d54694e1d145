// SPDX-License-Identifier: MIT
//
// RunTraces: which of the traces that a run left is the one that was wanted. A process may become several programs one
// after the other (`#!/usr/bin/env perl`, `exec app`), and a shell or another launcher starts programs; each has a trace.
// Finding the files is TraceNames's, and which programs are launchers the recorder's (output.c).

import GenmarkModel
import GenmarkReports
import GenmarkTrace

#if canImport(Glibc)
  import Glibc
#endif

struct RunTraces {
  /// In the order in which they began.
  private(set) var all: [TraceOrigin]
  /// The one that was wanted; nil when there is none.
  private(set) var chosen: TraceOrigin?
  /// Of launchers, and of what else they started: with no mark in them, and not kept.
  private var byTheWay: [TraceOrigin] = []

  /// - Parameter pid: of the process that was started; `keepsAll`: all of them were wanted.
  init(_ files: [String], pid: Int32, keepsAll: Bool) {
    all = files.compactMap { try? TraceOrigin($0) }.sorted { $0.startedAt < $1.startedAt }
    let first = UInt32(bitPattern: pid)
    let launched = all.contains { $0.isLauncher }
    if keepsAll || !launched {
      // The process's own last program, when only others came before it that took no marks.
      let own = all.filter { $0.pid == first }
      chosen = own.dropLast().allSatisfy { $0.hasBecomeAnother && $0.marks == 0 } ? own.last : own.first
      return
    }
    let programs = all.filter { !$0.isLauncher }
    // What took marks was meant to be watched; else what most was recorded of.
    chosen = (programs.isEmpty ? all : programs).max { ($0.marks, $0.used) < ($1.marks, $1.used) }
    byTheWay = all.filter { $0.file != chosen?.file && $0.marks == 0 && !$0.isRunning }
  }

  /// Removes what no one asked for, and gives `name` to the chosen one; another trace of that name gets the pid into its own.
  /// - Returns: The file of the chosen one.
  mutating func settle(name: String?) -> String? {
    for trace in byTheWay { _ = trace.file.withPathBytes { unlink($0) } }
    guard let chosen else { return nil }
    guard let name, chosen.file != name else { return chosen.file }
    if let other = all.first(where: { $0.file == name }), !byTheWay.contains(where: { $0.file == name }) {
      let dot = name.lastIndex(of: ".").flatMap { name[$0...].contains("/") ? nil : $0 } ?? name.endIndex
      // Not over a file that exists.
      guard RunTraces.move(name, to: "\(name[..<dot]).\(other.pid).0\(name[dot...])") else { return chosen.file }
    }
    return RunTraces.move(chosen.file, to: name) ? name : chosen.file
  }

  /// What is to be said of the choice; nil when there was none.
  func choice(startedBy words: String) -> String? {
    guard let chosen, all.count > 1, !byTheWay.isEmpty else { return nil }
    var others: [String] = []
    for trace in byTheWay where !trace.isLauncher {
      let name = FrameText.baseName(trace.program)
      if !others.contains(name) { others.append(name) }
    }
    let most = 8
    let rest =
      others.isEmpty
      ? ""
      : " of what it ran (also: \(others.prefix(most).joined(separator: ", "))"
        + (others.count > most ? " and \(others.count - most) more" : "") + "; --follow keeps a trace of each)"
    return "'\(words)' starts programs: '\(FrameText.baseName(chosen.program))' (pid \(chosen.pid)) was chosen\(rest)"
  }

  private static func move(_ from: String, to: String) -> Bool {
    from.withPathBytes { from in
      to.withPathBytes { to in
        guard link(from, to) == 0 else { return false }
        unlink(from)
        return true
      }
    }
  }
}
