// SPDX-License-Identifier: MIT
//
// Escaping: one function for each kind of output. Names of functions, labels, paths and arguments come out of
// the recorded program and may hold anything; nothing of them is written without passing through here.

import GenmarkModel

/// Makes untrusted text harmless for one kind of output.
public enum Escaping {
  /// Longest name that a report writes in full, in characters; longer ones are cut with a mark.
  public static let longestName = 2000

  /// For a terminal or a log: one line, no control, no invisible and no direction-changing character. What was
  /// replaced stays visible as `\n`, `\x1b` or `\u{202e}`.
  public static func terminal(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return String(text) }
    var out = ""
    for scalar in text.unicodeScalars { out += isVisible(scalar) ? String(scalar) : visible(scalar) }
    return out
  }

  /// The inside of a JSON string (RFC 8259 §7); the quotes are not added.
  public static func json(_ text: some StringProtocol) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return String(text) }
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      // Also what JSON allows and a terminal obeys, hides or turns round; U+2028 and U+2029 end a line in JavaScript.
      case _ where !isVisible(scalar):
        for unit in String(scalar).utf16 { out += "\\u" + hex(UInt32(unit), digits: 4) }
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Text or an attribute's value of XML 1.0. What XML can not hold at all is written as `terminal` does.
  public static func xml(_ text: some StringProtocol) -> String { markup(text, newline: "&#10;") }

  /// Text or a quoted attribute's value of HTML.
  public static func html(_ text: some StringProtocol) -> String { markup(text, newline: "&#10;") }

  /// Text inside `<code>` of a Markdown table cell, as code hosts render it. Entities, since a backslash does
  /// not hold in code spans and a backtick or a pipe would end them.
  public static func markdown(_ text: some StringProtocol) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "(", ")", "/", "-", "+", "=", "?", ";", "%":
        out.unicodeScalars.append(scalar)
      case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f: out += "&#\(scalar.value);"
      default: out += isVisible(scalar) ? String(scalar) : terminalEntity(scalar)
      }
    }
    return out
  }

  /// One field of CSV (RFC 4180). Text that a spreadsheet would take for a formula is led by an apostrophe.
  public static func csv(_ text: some StringProtocol) -> String {
    var field = terminal(text)
    if let first = field.first, "=+-@".contains(first) { field = "'" + field }
    guard field.contains(where: { $0 == "\"" || $0 == "," }) else { return field }
    return "\"" + doubled(field) + "\""
  }

  /// The message of a GitHub workflow command (`::error …::message`).
  public static func githubMessage(_ text: some StringProtocol) -> String { percent(text, escaped: "%\r\n") }

  /// A property of a GitHub workflow command (`file=…`).
  public static func githubProperty(_ text: some StringProtocol) -> String { percent(text, escaped: "%\r\n:,") }

  /// A path as the path of a URI (RFC 3986); also makes file names of reports that hold URIs.
  public static func uriPath(_ path: some StringProtocol) -> String {
    var out = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "@"):
        out.unicodeScalars.append(Unicode.Scalar(byte))
      default: out += "%" + hex(UInt32(byte), digits: 2).uppercased()
      }
    }
    return out
  }

  /// One frame of a folded stack: no separator, no line end.
  public static func folded(_ text: some StringProtocol) -> String {
    String(terminal(text).map { $0 == ";" ? ":" : $0 })
  }

  /// At most `limit` characters, the last one `…` where something was cut. Counted are scalars of Unicode: what looks like
  /// one character may be a letter with 100,000 accents.
  public static func cut(_ text: String, to limit: Int = longestName) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > limit,
      let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex), end < scalars.endIndex
    else { return text }
    return String(scalars[..<scalars.index(before: end)]) + "…"
  }

  // MARK: - Parts

  /// False for what a terminal obeys, hides, or lays out in the other direction.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.value < 0x80: "\\x" + hex(scalar.value, digits: 2)
    // A byte of a path that is no character.
    case _ where String.looseBytes.contains(scalar.value): "\\x" + hex(scalar.value & 0xff, digits: 2)
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }

  private static func terminalEntity(_ scalar: Unicode.Scalar) -> String {
    visible(scalar).unicodeScalars.map { $0 == "\\" || $0 == "{" || $0 == "}" ? "&#\($0.value);" : String($0) }.joined()
  }

  private static func markup(_ text: some StringProtocol, newline: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      case "\n": out += newline
      case "\t": out += "&#9;"
      case _ where scalar.value == 0xfffe || scalar.value == 0xffff: out += visible(scalar)
      default: out += isVisible(scalar) ? String(scalar) : visible(scalar)
      }
    }
    return out
  }

  private static func percent(_ text: some StringProtocol, escaped: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if escaped.unicodeScalars.contains(scalar) {
        out += "%" + hex(scalar.value, digits: 2).uppercased()
      } else {
        out += isVisible(scalar) ? String(scalar) : visible(scalar)
      }
    }
    return out
  }

  private static func doubled(_ text: String) -> String { text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
