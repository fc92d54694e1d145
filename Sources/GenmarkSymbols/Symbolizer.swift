// SPDX-License-Identifier: MIT
//
// Symbolizer: from a call site to its frames. It finds the module of each address, asks the module's symbols once,
// and keeps the answer. Where the answers come from is in ModuleSymbols, what they are called in Demangler, which of
// them are folded in FoldTable.

import GenmarkModel

/// Gives names to the call sites of one recording. For one thread.
public final class Symbolizer: FrameSource {
  /// What could not be done as asked, one sentence each, in the order in which it was met; untrusted text. Grows
  /// as call sites are looked up.
  public private(set) var warnings: [String] = []

  private let recording: Recording
  private let options: SymbolOptions

  /// Opens nothing: files are opened when the first address in them is asked for.
  public init(_ recording: Recording, options: SymbolOptions = SymbolOptions()) {
    self.recording = recording
    self.options = options
  }

  public func frames(of callSite: CallTree.NodeID) -> [Frame] {
    recording.callTree.path(of: callSite).map { node in
      let module = recording.callTree.modules[Int(node)]
      let address = recording.callTree.addresses[Int(node)]
      guard module > 0, Int(module) <= recording.modules.count else { return Frame() }
      let found = recording.modules[Int(module) - 1]
      return Frame(module: found.path, offset: address &- 1 &- found.bias)
    }
  }
}
