// SPDX-License-Identifier: MIT
//
// SymbolOptions: what the user may say about where symbols are and how they are shown. The defaults are in
// Symbolizer's neighbours.

/// Where to look for symbols, and what of them to fold.
public struct SymbolOptions: Sendable {
  /// Asked before the system's /usr/lib/debug, for `.build-id` folders and `.gnu_debuglink` names alike.
  public var debugDirectories: [String]
  /// Put before the paths of all modules: where the files of the recorded machine are on this one.
  public var sysroot: String?
  /// The program's file, when it is not where it was recorded. Its build-id must still fit.
  public var binary: String?
  /// Folded besides the built-in ones: see `FoldPattern`.
  public var foldPatterns: [String]
  /// False: no frame is marked as folded.
  public var folds: Bool
  /// Ask the servers in DEBUGINFOD_URLS for what is not on this machine.
  public var usesDebuginfod: Bool
  /// Where what was looked up is kept for the next time; nil: nowhere.
  public var cacheFolder: String?

  public init(
    debugDirectories: [String] = [], sysroot: String? = nil, binary: String? = nil, foldPatterns: [String] = [],
    folds: Bool = true, usesDebuginfod: Bool = false, cacheFolder: String? = nil
  ) {
    self.debugDirectories = debugDirectories
    self.sysroot = sysroot
    self.binary = binary
    self.foldPatterns = foldPatterns
    self.folds = folds
    self.usesDebuginfod = usesDebuginfod
    self.cacheFolder = cacheFolder
  }
}
