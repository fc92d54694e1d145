// SPDX-License-Identifier: MIT
//
// Frame+Headline: which frame of a stack stands for it: in the heading of a finding, in a one-line report, in a
// folded stack. Which frames are folded is decided in GenmarkSymbols.

extension Recording {
  /// The program itself among the modules; nil when it was not recorded.
  public var mainModule: Module? { modules.first { $0.isMain } }
}

extension Collection where Element == Frame {
  /// Index of the frame that people look for: the innermost in their own code.
  ///
  /// That is the innermost unfolded frame that lies in the program, or in a library that is not the system's and whose
  /// source is known; code of system headers and fetched packages that was compiled into the program does not count.
  /// Without one it is the innermost unfolded frame, and without that the innermost frame.
  ///
  /// - Parameter program: path of the program's own module (`Recording.mainModule`), nil when not known.
  /// - Precondition: not empty.
  public func headline(program: String?) -> Index {
    var unfolded: Index?
    for index in indices where !self[index].folded {
      if self[index].isOwnCode(program: program) { return index }
      if unfolded == nil { unfolded = index }
    }
    return unfolded ?? startIndex
  }
}

extension Frame {
  /// True when the user can be expected to have written it: see `headline(program:)`.
  public func isOwnCode(program: String?) -> Bool {
    guard let module else { return false }
    if let file, Frame.isForeignSource(file) { return false }
    if let program, module == program { return true }
    return file != nil && !Frame.isSystemModule(module)
  }

  /// Libraries that came with the system and not with the program.
  private static func isSystemModule(_ path: String) -> Bool {
    if usersOwn.contains(where: { path.hasPrefix($0) }) { return false }
    return ["/usr/", "/lib/", "/lib32/", "/lib64/", "/nix/store/", "/snap/"].contains { path.hasPrefix($0) }
      || holds(path, ["/usr/lib/swift/"])
  }

  /// Headers and sources of the language's own library and of packages that were fetched, as the compilers write their
  /// paths into debug information.
  private static func isForeignSource(_ path: String) -> Bool {
    if usersOwn.contains(where: { path.hasPrefix($0) }) { return false }
    return path.hasPrefix("/usr/") || path.hasPrefix("/rustc/") || holds(path, foreignFolders)
  }

  private static let foreignFolders = [
    "/swift/stdlib/", "/usr/lib/swift/", "/include/c++/", "/.cargo/registry/", "/.cargo/git/", "/.build/checkouts/",
  ]

  /// Whether one of the folders, which begin with a slash, is in a path. Asked for every frame of every call site.
  private static func holds(_ path: String, _ folders: [String]) -> Bool {
    let bytes = path.utf8
    var index = bytes.startIndex
    while let slash = bytes[index...].firstIndex(of: 0x2f) {
      if folders.contains(where: { bytes[slash...].starts(with: $0.utf8) }) { return true }
      index = bytes.index(after: slash)
    }
    return false
  }

  /// Of the system's folders, those in which people build their own.
  private static let usersOwn = ["/usr/local/", "/usr/src/"]
}
