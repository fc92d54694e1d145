// SPDX-License-Identifier: MIT
//
// Repository: the files of this project as the tests of its architecture read them. The tests themselves say
// what must hold of them.

import Foundation
import Testing

/// The project's own files, as text.
enum Repository {
  /// The folder with Package.swift.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Folders that hold what was built, and caches.
  private static let notOurs: Set<String> = [".git", ".build", "build", "bin", "__pycache__", ".swiftpm"]

  /// One file: its path from the root on, and its text.
  struct File: CustomTestStringConvertible {
    let path: String
    let text: String

    var testDescription: String { path }
    var name: String { (path as NSString).lastPathComponent }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  /// All files under a folder whose names end in one of the extensions (all files when there is none),
  /// in the order of their paths. A missing folder has no files.
  static func files(under folder: String, extensions: Set<String> = []) -> [File] {
    let start = root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: [.isRegularFileKey]) else {
      return []
    }
    var found: [File] = []
    for case let url as URL in walk {
      if notOurs.contains(url.lastPathComponent) {
        walk.skipDescendants()
        continue
      }
      guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
        extensions.isEmpty || extensions.contains(url.pathExtension),
        let text = try? String(contentsOf: url, encoding: .utf8)
      else { continue }
      found.append(File(path: String(url.path.dropFirst(root.path.count + 1)), text: text))
    }
    return found.sorted { $0.path < $1.path }
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Where `make` put the command and the library.
  static var products: URL {
    let chosen = ProcessInfo.processInfo.environment["GENMARK_BIN"]
    return chosen.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent(".build/release")
  }

  /// What a tool writes to its standard output; fails the test when the tool does not end with 0.
  static func output(of tool: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(tool) \(arguments.joined(separator: " ")) failed")
    return text
  }
}
