// SPDX-License-Identifier: MIT
//
// SymbolArguments: the options of every verb that shows call stacks: where symbols are, and which frames are folded.

import GenmarkModel
import GenmarkSymbols

/// What the user said about symbols.
struct SymbolArguments {
  var withoutSymbols = false
  var debugDirectories: [String] = []
  var sysroot: String?
  var binary: String?
  var foldPatterns: [String] = []
  var withoutFolding = false
  var usesDebuginfod = false
  var withoutCache = false

  static var options: [Option<SymbolArguments>] {
    [
      .flag("--no-symbols", set: \.withoutSymbols, "Show modules and offsets only; fast, and the same everywhere."),
      .list(
        "--debug-dir", value: "DIR", append: \.debugDirectories, files: true,
        "Look for separate debug files here first. May be given several times."),
      .text("--sysroot", value: "DIR", set: \.sysroot, files: true, "Where the files of the recorded machine are."),
      .text("--binary", value: "FILE", set: \.binary, files: true, "The program's file, when it has moved."),
      .list(
        "--fold", value: "PATTERN", append: \.foldPatterns,
        "Charge frames of functions like PATTERN (with *) to their callers. May be given several times."),
      .flag("--no-fold", set: \.withoutFolding, "Fold no frames, not even those of the allocator and of runtimes."),
      .flag("--debuginfod", set: \.usesDebuginfod, "Ask the servers in DEBUGINFOD_URLS for missing symbols."),
      .flag("--no-cache", set: \.withoutCache, "Neither use nor keep what was looked up in earlier calls."),
    ]
  }

  var symbolOptions: SymbolOptions {
    SymbolOptions(
      debugDirectories: debugDirectories, sysroot: sysroot, binary: binary, foldPatterns: foldPatterns,
      folds: !withoutFolding, usesDebuginfod: usesDebuginfod,
      cacheFolder: withoutCache ? nil : SymbolOptions.defaultCacheFolder(Environment.process.nonEmpty))
  }

  /// True when the user said where symbols are, which is of no use for a trace that brings its own.
  var namesFiles: Bool { !debugDirectories.isEmpty || sysroot != nil || binary != nil || usesDebuginfod }
}

/// Frames without names: module and offset.
final class AddressFrames: FrameSource {
  private let recording: Recording

  init(_ recording: Recording) { self.recording = recording }

  func frames(of callSite: CallTree.NodeID) -> [Frame] {
    recording.callTree.path(of: callSite).flatMap { frames(ofNode: $0) }
  }

  func frames(ofNode node: CallTree.NodeID) -> [Frame] {
    let module = Int(recording.callTree.modules[Int(node)])
    guard module > 0, module <= recording.modules.count else { return [Frame()] }
    let found = recording.modules[module - 1]
    return [Frame(module: found.path, offset: recording.callTree.addresses[Int(node)] &- 1 &- found.bias)]
  }
}
