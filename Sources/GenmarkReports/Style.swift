// SPDX-License-Identifier: MIT
//
// Style: what the reader of a text report sees it on. Colour only says again what the words say.

/// Width and colour of the place where text goes.
public struct Style: Sendable {
  /// What a piece of text is, not how it looks.
  public enum Kind: Sendable {
    case plain, heading, bad, good, doubtful, faint
  }

  /// Columns; nil when lines need not be cut (a file, a pipe).
  public var width: Int?
  public var hasColour: Bool

  public init(width: Int? = nil, hasColour: Bool = false) {
    self.width = width
    self.hasColour = hasColour
  }

  /// For files and pipes.
  public static let plain = Style()

  public func text(_ text: String, _ kind: Kind) -> String {
    guard hasColour, kind != .plain, !text.isEmpty else { return text }
    let code =
      switch kind {
      case .plain: "0"
      case .heading: "1"
      case .bad: "31"
      case .good: "32"
      case .doubtful: "33"
      case .faint: "2"
      }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}
