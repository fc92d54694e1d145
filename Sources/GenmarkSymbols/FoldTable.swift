// SPDX-License-Identifier: MIT
//
// FoldTable: which frames are folded, that is charged to their caller: allocators, and the parts of language runtimes
// that allocate for somebody else. The patterns are in FoldTable+Patterns; what a pattern means in FoldPattern. Folded
// frames are marked, never dropped.

import GenmarkModel

/// Decides for one frame at a time.
struct FoldTable {
  private let isEmpty: Bool
  private let exact: Set<String>
  private let prefixes: [String]
  private let others: [FoldPattern]

  /// Folds nothing.
  static let none = FoldTable(isEmpty: true, patterns: [])

  /// The built-in patterns and those of the user.
  init(user: [String] = []) {
    self.init(isEmpty: false, patterns: FoldTable.builtIn + user)
  }

  /// Only the patterns of the user, for frames that the built-in ones have seen already.
  init(onlyUser patterns: [String]) {
    self.init(isEmpty: false, patterns: patterns)
  }

  private init(isEmpty: Bool, patterns: [String]) {
    var exact: Set<String> = []
    var prefixes: [String] = []
    var others: [FoldPattern] = []
    for text in patterns where !text.isEmpty {
      let pattern = FoldPattern(text)
      if pattern.module != nil || text.dropLast().contains("*") {
        others.append(pattern)
      } else if text.hasSuffix("*") {
        prefixes.append(String(text.dropLast()))
      } else {
        exact.insert(text)
      }
    }
    self.isEmpty = isEmpty
    self.exact = exact
    self.prefixes = prefixes
    self.others = others
  }

  func folds(_ frame: Frame, isRecorder: Bool) -> Bool {
    guard !isEmpty else { return false }
    if isRecorder { return true }
    var names: [String] = []
    if let function = frame.function {
      names.append(function)
      // Swift and C++ names hold their types and parameters.
      if function.contains("(") || function.contains("<") { names.append(CxxName.plain(function)) }
    }
    if let linkageName = frame.linkageName, linkageName != frame.function { names.append(linkageName) }
    if names.contains(where: { exact.contains($0) }) { return true }
    if names.contains(where: { name in prefixes.contains { name.hasPrefix($0) } }) { return true }
    if let linkageName = frame.linkageName, Demangler.isRust(linkageName),
      names.contains(where: { name in FoldTable.rust.contains { FoldPattern.glob($0, matches: name) } })
    {
      return true
    }
    if let linkageName = frame.linkageName, SwiftName.isStandardLibrary(linkageName) { return true }
    if let function = frame.function, SwiftName.isCompilerMade(function) { return true }
    let path = frame.module ?? ""
    let moduleName = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    return others.contains { $0.matches(names: names, moduleName: moduleName) }
  }
}
