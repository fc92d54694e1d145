// SPDX-License-Identifier: MIT
//
// AnalysisError: what can be wrong with a question about a recording. What is wrong with the file itself is
// GenmarkTrace's error; a question that can be asked but not yet answered is an inconclusive verdict.

/// A question that this recording can not answer. `description` says what happened, where, and what to do.
public enum AnalysisError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The recording has no marks at all.
  case noMarks(file: String)
  /// No mark carries this label. `labels` are those that exist, in order of first use.
  case unknownLabel(String, nearest: String?, labels: [String], file: String)
  /// There is no mark with this number or letter.
  case noSuchMark(String, count: Int, file: String)
  /// The mark was taken, and later thinned away to keep a long history bounded. `nearest` is the next that is kept.
  case markThinnedAway(String, nearest: String, file: String)
  /// `A..B` where A is not before B.
  case wrongOrder(String, from: String, to: String)
  /// Not a reference to marks at all.
  case badReference(String)
  /// A rule of a budget or suppression file that can not be read.
  case badRule(file: String, line: Int, text: String, reason: String)
  /// A report that was to be compared with and can not be read.
  case badReport(file: String, line: Int, reason: String)
  /// A mark whose changes were lost or thinned away can not be looked at by call site.
  case changesLost(String, file: String)
}

extension AnalysisError {
  /// Characters of a rule that are shown.
  private static let shownRule = 200

  public var description: String {
    switch self {
    case .noMarks(let file):
      return "\(file): no marks in this recording, so there is nothing to compare. "
        + "Mark cycles with genmark_mark(), `genmark mark PID`, or `genmark run --every`."
    case .unknownLabel(let label, let nearest, let labels, let file):
      var text = "\(file): no mark with the label '\(label)'."
      if let nearest { text += " Did you mean '\(nearest)'?" }
      let shown = labels.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
      text += labels.isEmpty ? "" : " Labels: \(shown)\(labels.count > 10 ? " and \(labels.count - 10) more" : "")."
      return text
    case .noSuchMark(let reference, let count, let file):
      return "\(file): no mark '\(reference)'. "
        + "There \(count == 1 ? "is 1 mark" : "are \(count) marks"); `genmark marks` lists them."
    case .markThinnedAway(let reference, let nearest, let file):
      return "\(file): mark '\(reference)' was thinned away to keep a long history bounded. "
        + "The next that is kept is '\(nearest)'."
    case .wrongOrder(let what, let from, let to):
      return "\(what): '\(from)' is not before '\(to)'. Write the earlier mark first."
    case .badReference(let text):
      return "'\(text)' is no reference to a mark. Use a number, a letter, a label, label#3, start or end."
    case .badRule(let file, let line, let text, let reason):
      // A file that is one long line is no help in its own complaint.
      let shown =
        text.unicodeScalars.count > AnalysisError.shownRule
        ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(AnalysisError.shownRule - 1))) + "…" : text
      return "\(file):\(line): '\(shown)': \(reason)"
    case .badReport(let file, let line, let reason):
      return "\(file):\(line): \(reason). Give a trace, a pack, or what `genmark check --report json=FILE` wrote."
    case .changesLost(let reference, let file):
      return "\(file): what was alive at mark '\(reference)' could not be kept. Choose another mark."
    }
  }
}
