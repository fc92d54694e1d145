// SPDX-License-Identifier: MIT
//
// StackText: the lines of a call stack below a heading.

import GenmarkModel

enum StackText {
  /// Called by the C library to start a program; what is outside of it is the same in every stack.
  private static let entry = "main"

  /// The unfolded frames that call `headline` up to `main`, at most `depth`. Says how many are left out.
  static func lines(_ frames: [Frame], after headline: Frame?, depth: Int) -> [String] {
    guard depth > 0 else { return [] }
    let start = headline.flatMap { frames.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    if headline?.function == entry { return [] }
    var callers = frames.dropFirst(start).filter { !$0.folded }
    if let main = callers.firstIndex(where: { $0.function == entry }) { callers = Array(callers[...main]) }
    var lines = callers.prefix(depth).map { FrameText.line($0) }
    if callers.count > depth { lines.append("… \(UnitText.count(callers.count - depth, "more frame"))") }
    return lines
  }

  /// All frames, folded ones marked.
  static func all(_ frames: [Frame]) -> [String] {
    frames.map { FrameText.line($0) + ($0.folded ? "  (folded)" : "") }
  }
}

extension Style {
  /// A line cut to the width, where there is one.
  func cut(_ line: String) -> String { width.map { DisplayWidth.cut(line, to: $0) } ?? line }
}
