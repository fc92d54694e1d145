// SPDX-License-Identifier: MIT
//
// Pattern: text with `*`, and `^` and `$` as LeakSanitizer knows them, and what it is held against. Used by
// budgets and suppressions alike.

import GenmarkModel

/// A pattern and what it is held against.
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
}
