// SPDX-License-Identifier: MIT
//
// FrameText: what a frame is called in one line. Whole names are in the JSON; here long ones are cut.

import GenmarkModel

/// Frames as people read them; escaped for a terminal.
public enum FrameText {
  /// Longest function name shown, in characters.
  static let longestName = 160

  /// `Cache.insert(_:)`, or `libx.so+0x12f0` where no name is known, or `?`.
  public static func name(_ frame: Frame?) -> String {
    Escaping.terminal(Escaping.cut(plainName(frame), to: longestName))
  }

  /// `Cache.swift:12`, or the module's name where the line is not known, or empty.
  public static func place(_ frame: Frame?) -> String {
    Escaping.terminal(Escaping.cut(plainPlace(frame), to: longestName))
  }

  /// Name and place, two blanks between.
  public static func line(_ frame: Frame?) -> String {
    let place = place(frame)
    return name(frame) + (place.isEmpty ? "" : "  " + place) + (frame?.inlined == true ? "  (inlined)" : "")
  }

  /// Not escaped, not cut.
  static func plainName(_ frame: Frame?) -> String {
    guard let frame else { return "?" }
    if let function = frame.function, !function.isEmpty { return function }
    guard let module = frame.module else { return "?" }
    return baseName(module) + (frame.offset.map { "+0x" + String($0, radix: 16) } ?? "")
  }

  /// Not escaped, not cut.
  static func plainPlace(_ frame: Frame?) -> String {
    guard let frame else { return "" }
    if let file = frame.file { return baseName(file) + (frame.line.map { ":\($0)" } ?? "") }
    return frame.function == nil ? "" : frame.module.map(baseName) ?? ""
  }

  /// The last part of a path.
  public static func baseName(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    let name = path[path.index(after: slash)...]
    return name.isEmpty ? path : String(name)
  }
}
