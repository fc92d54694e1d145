// SPDX-License-Identifier: MIT
//
// Suppression: growth that is not reported, in the syntax of LeakSanitizer's files. How a file is read is in
// SuppressionFile.

/// One line of a suppression file.
public struct Suppression: Sendable, Hashable {
  public var pattern: Pattern
  /// The comment right above the line, else the name of the file.
  public var reason: String
  /// Where it stands.
  public var file: String
  public var line: Int
  /// As it is written.
  public var text: String { "leak:" + pattern.text }

  public init(pattern: Pattern, reason: String, file: String = "", line: Int = 0) {
    self.pattern = pattern
    self.reason = reason
    self.file = file
    self.line = line
  }
}
