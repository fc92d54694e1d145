// SPDX-License-Identifier: MIT
//
// ExecChain: which of the traces of one process is the program's. A script's `#!/usr/bin/env perl`, or `exec app` in a
// shell script, makes a process several programs one after the other, each with a trace; the name that was asked for
// went to the first. Finding the traces is TraceNames's.

import GenmarkModel
import GenmarkTrace

#if canImport(Glibc)
  import Glibc
#endif

struct ExecChain {
  /// A trace and what is in it.
  struct Link {
    var file: String
    var program: String
    var marks: GenerationNumber
    var pid: UInt32
    var hasBecomeAnother: Bool
  }

  /// In the order in which the process became them.
  private(set) var links: [Link]

  /// Leaves out what can not be read.
  init(_ traces: [String]) {
    links = traces.compactMap { file in
      guard let recording = try? Recording(trace: file) else { return nil }
      return Link(
        file: file, program: recording.process.program, marks: recording.marksTaken, pid: recording.process.pid,
        hasBecomeAnother: recording.process.end == .exec)
    }
  }

  /// Gives `name` to the last program, when only wrappers came before it: they took no marks and became another. Their
  /// traces stay, under other names.
  mutating func giveToProgram(_ name: String, pid: Int32) {
    guard links.count > 1, links[0].file == name, let last = links.last, last.pid == UInt32(bitPattern: pid),
      links.dropLast().allSatisfy({ $0.hasBecomeAnother && $0.marks == 0 && $0.pid == last.pid })
    else { return }
    let dot = name.lastIndex(of: ".").flatMap { name[$0...].contains("/") ? nil : $0 } ?? name.endIndex
    let wrapper = "\(name[..<dot]).\(pid).0\(name[dot...])"
    // Not over a file that exists.
    guard link(name, wrapper) == 0 else { return }
    guard rename(last.file, name) == 0 else {
      unlink(wrapper)
      return
    }
    links[0].file = wrapper
    links[links.count - 1].file = name
  }
}
