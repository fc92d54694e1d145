// SPDX-License-Identifier: MIT
//
// Anonymizer: names to hashes: the same name always to the same hash, so that findings and fingerprints of packs made
// this way can be compared. What kind of name it was stays, and what the choice of a headline goes by: that a path is
// the system's, that a file is of a language's library.
//
// Without a key, who guesses a name can tell whether it was there.

import GenmarkModel

package struct Anonymizer {
  private let key: [UInt8]
  private let keepsLabels: Bool

  /// - Parameter key: packs with different keys can not be compared; empty: the same everywhere.
  package init(key: [UInt8] = [], keepsLabels: Bool = false) {
    self.key = SHA256.digest(of: key)
    self.keepsLabels = keepsLabels
  }

  /// Words of paths that stay: folders of systems and toolchains that `headline(program:)` knows.
  private static let publicWords: Set<String> = [
    "", "usr", "lib", "lib32", "lib64", "local", "src", "nix", "store", "snap", "rustc", "swift", "stdlib", "include",
    "c++", ".cargo", "registry", "git", ".build", "checkouts", "<compiler-generated>",
  ]

  /// Endings that say what a file is and not whose.
  private static let publicEndings: Set<String> = [
    "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "swift", "rs", "go", "s", "S", "so", "inc", "tcc",
  ]

  func frame(_ frame: Frame) -> Frame {
    var frame = frame
    // Every program has a main, and stacks are shown down to it.
    frame.function = frame.function.map { $0 == "main" ? $0 : hash($0, "function") }
    frame.linkageName = frame.linkageName.map { $0 == "main" ? $0 : hash($0, "symbol") }
    frame.file = frame.file.map { path($0, "file") }
    frame.module = frame.module.map { path($0, "module") }
    return frame
  }

  func texts(_ texts: PackTexts) -> PackTexts {
    var texts = texts
    // The program is the first module: both must have the same name.
    texts.program = path(texts.program, "module")
    texts.directory = path(texts.directory, "folder")
    texts.arguments = texts.arguments.map { hash($0, "argument") }
    texts.modules = texts.modules.map { path($0, "module") }
    if !keepsLabels { texts.labels = texts.labels.map { $0.isEmpty ? "" : hash($0, "label") } }
    return texts
  }

  /// Folder by folder, so that the same file in another folder has the same last part.
  func path(_ path: String, _ kind: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.enumerated().map { index, part in
      if Anonymizer.publicWords.contains(part) { return part }
      if index + 1 < parts.count { return hash(part, "folder") }
      let dots = part.split(separator: ".").dropFirst()
      let ending = dots.first { Anonymizer.publicEndings.contains(String($0)) }
      return hash(part, kind) + (ending.map { "." + $0 } ?? "")
    }.joined(separator: "/")
  }

  /// `function-9f2c41d07be3a856`.
  func hash(_ text: String, _ kind: String) -> String {
    let digest = SHA256.digest(of: key + text.utf8).prefix(8)
    let digits = Array("0123456789abcdef")
    return kind + "-" + String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
