// SPDX-License-Identifier: MIT
//
// Pattern: text with `*`, and `^` and `$` as LeakSanitizer knows them, and what it is held against. Used by
// budgets and suppressions alike.

import GenmarkModel

/// A pattern and what it is held against.
///
/// `*` stands for any text, `^` at the beginning and `$` at the end hold the pattern to the ends of the name; without
/// them it may stand anywhere in it. Letters count as they are.
public struct Pattern: Sendable, Hashable {
  /// What a pattern is held against.
  public enum Subject: String, Sendable, CaseIterable {
    /// Function, file or module of any frame of the stack, as in LeakSanitizer.
    case any
    case function, file, module
    /// The whole fingerprint, or its beginning of at least 6 digits.
    case fingerprint
  }
  public var subject: Subject
  public var text: String
  public init(_ subject: Subject, _ text: String) {
    self.subject = subject
    self.text = text
  }

  /// As people write it: the text, with what it is held against where that is not any.
  public var shown: String { subject == .any ? text : "\(subject.rawValue):\(text)" }

  /// True when a frame of the stack has a name that matches. Never for fingerprints.
  public func matches(_ frames: [Frame]) -> Bool {
    frames.contains { frame in
      switch subject {
      case .any: matches(frame.function) || matches(frame.linkageName) || matches(frame.file) || matches(frame.module)
      case .function: matches(frame.function) || matches(frame.linkageName)
      case .file: matches(frame.file)
      case .module: matches(frame.module)
      case .fingerprint: false
      }
    }
  }

  /// Only for fingerprints.
  public func matches(fingerprint: String) -> Bool {
    subject == .fingerprint && text.utf8.count >= 6 && fingerprint.hasPrefix(text.lowercased())
  }

  private func matches(_ name: String?) -> Bool { name.map { Pattern.match(text, $0) } ?? false }

  /// Whether a text matches a pattern.
  /// - Complexity: O(pattern · text); no backtracking beyond the last `*`.
  static func match(_ pattern: String, _ text: String) -> Bool {
    var wanted = Array(pattern.utf8)
    if wanted.isEmpty { return false }
    if wanted.first == UInt8(ascii: "^") { wanted.removeFirst() } else { wanted.insert(UInt8(ascii: "*"), at: 0) }
    if wanted.last == UInt8(ascii: "$") { wanted.removeLast() } else { wanted.append(UInt8(ascii: "*")) }
    let star = UInt8(ascii: "*")
    let bytes = Array(text.utf8)
    var (p, t) = (0, 0)
    var resume: (pattern: Int, text: Int)?
    while t < bytes.count {
      if p < wanted.count, wanted[p] == star {
        resume = (p + 1, t)
        p += 1
      } else if p < wanted.count, wanted[p] == bytes[t] {
        p += 1
        t += 1
      } else if let last = resume {
        resume = (last.pattern, last.text + 1)
        (p, t) = (last.pattern, last.text + 1)
      } else {
        return false
      }
    }
    return wanted[p...].allSatisfy { $0 == star }
  }
}
