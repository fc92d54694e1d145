// SPDX-License-Identifier: MIT
//
// Table: columns that line up in a terminal. Cells are text that was escaped before; how a number becomes text
// is in Units+Text.swift.

/// An aligned table. The one flexible column takes what the others leave of the width and is cut with a mark.
public struct Table {
  public enum Alignment: Sendable {
    case leading
    case trailing
  }

  /// A column's title and how its cells stand below it.
  public struct Column: Sendable {
    public var title: String
    public var alignment: Alignment
    public var isFlexible: Bool
    public init(_ title: String, _ alignment: Alignment = .trailing, flexible: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = flexible
    }
  }

  private enum Row {
    case cells([String], Style.Kind)
    case line(String)
  }

  private static let gap = 2
  private static let narrowest = 12

  private let columns: [Column]
  private var rows: [Row] = []

  public init(_ columns: [Column]) { self.columns = columns }

  /// Missing cells are empty.
  public mutating func add(_ cells: [String], _ kind: Style.Kind = .plain) { rows.append(.cells(cells, kind)) }

  /// A line between rows that belongs to no column; not cut here.
  public mutating func add(line: String) { rows.append(.line(line)) }

  /// The whole table, each line ended.
  public func text(_ style: Style) -> String {
    var widths = columns.map { DisplayWidth.of($0.title) }
    for case .cells(let cells, _) in rows {
      for (index, cell) in cells.enumerated() where index < widths.count {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    if let width = style.width, let flexible = columns.firstIndex(where: \.isFlexible) {
      let others = widths.enumerated().reduce(0) { $1.offset == flexible ? $0 : $0 + $1.element + Table.gap }
      widths[flexible] = min(widths[flexible], max(Table.narrowest, width - others))
    }
    var out = style.text(line(columns.map(\.title), widths), .heading) + "\n"
    for row in rows {
      switch row {
      case .cells(let cells, let kind): out += style.text(line(cells, widths), kind) + "\n"
      case .line(let text): out += text + "\n"
      }
    }
    return out
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var out = ""
    for (index, column) in columns.enumerated() {
      var cell = index < cells.count ? cells[index] : ""
      if column.isFlexible { cell = DisplayWidth.cut(cell, to: widths[index]) }
      let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
      out += column.alignment == .trailing ? space + cell : cell + space
      if index + 1 < columns.count { out += String(repeating: " ", count: Table.gap) }
    }
    while out.last == " " { out.removeLast() }
    return out
  }
}

/// Columns that text takes in a terminal.
public enum DisplayWidth {
  public static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  /// Cut at the end, the last column then is `…`.
  public static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width, width > 0 else { return text }
    var out = ""
    var used = 0
    for character in text {
      let next = of(String(character))
      if used + next > width - 1 { break }
      out.append(character)
      used += next
    }
    return out + "…"
  }

  /// 0 for marks that sit on the letter before, 2 for the wide letters of East Asia and emoji (the ranges of
  /// Unicode's EastAsianWidth W and F, merged where nothing narrow lies between).
  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff,
      0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }
}
