// SPDX-License-Identifier: MIT
//
// PackedSymbols: names out of a pack, in place of Symbolizer's out of files.

import GenmarkModel
import GenmarkSymbols

/// Gives names to the call sites of the recording that was packed with them. For one thread.
package final class PackedSymbols: FrameSource {
  private let recording: Recording
  private let table: FrameTable
  private let folding: FrameFolding

  init(_ recording: Recording, _ table: FrameTable, options: SymbolOptions) {
    self.recording = recording
    self.table = table
    folding = FrameFolding(options)
  }

  package func frames(of callSite: CallTree.NodeID) -> [Frame] {
    recording.callTree.path(of: callSite).flatMap { frames(ofNode: $0) }
  }

  /// The frames of one node, without its callers'.
  package func frames(ofNode node: CallTree.NodeID) -> [Frame] {
    guard let place = recording.place(of: node) else { return [Frame()] }
    guard place.module > 0 else { return table[place] ?? [Frame()] }
    let module = recording.modules[Int(place.module) - 1]
    let offset = place.address &- 1 &- module.bias
    return (table[place] ?? [Frame()]).map { frame in
      var frame = frame
      frame.module = module.path
      frame.offset = offset
      folding.apply(to: &frame)
      return frame
    }
  }
}

extension Recording {
  /// Where a pack has the frames of a node; nil for an address in no module.
  func place(of node: CallTree.NodeID) -> FrameTable.Place? {
    guard Int(node) < callTree.count else { return nil }
    let address = callTree.addresses[Int(node)]
    if callTree.special(node) != nil { return FrameTable.Place(module: 0, address: address) }
    let module = callTree.modules[Int(node)]
    guard module > 0, module <= modules.count else { return nil }
    return FrameTable.Place(module: module, address: address)
  }
}
