// SPDX-License-Identifier: MIT
//
// Units as people read them. Sizes are binary (KiB = 1024 bytes) and exact below 10 KiB, where a byte more or
// less tells one type from another. Nothing here depends on a locale.

import GenmarkModel

/// Numbers with their units, for text and Markdown.
public enum UnitText {
  /// `96 B`, `9,312 B`, `12.5 KiB`, `-3.0 MiB`.
  public static func bytes(_ bytes: Bytes, signed: Bool = false) -> String {
    let magnitude = bytes.count.magnitude
    if magnitude < 10 * 1024 { return sign(bytes.count, signed) + grouped(magnitude) + " B" }
    return sign(bytes.count, signed) + scaled(Double(magnitude))
  }

  /// `12,345`.
  public static func blocks(_ blocks: Blocks, signed: Bool = false) -> String {
    sign(blocks.count, signed) + grouped(blocks.count.magnitude)
  }

  /// `1 block`, `12 blocks`.
  public static func blocksWithUnit(_ count: Blocks) -> String {
    blocks(count) + (count.count == 1 ? " block" : " blocks")
  }

  /// `5 blocks, 240 B`.
  public static func amount(_ amount: Amount) -> String { blocksWithUnit(amount.blocks) + ", " + bytes(amount.bytes) }

  /// A number a cycle that may be a fraction: `+1`, `+0.33`, `-12.5`.
  public static func rate(_ value: Double) -> String { signText(value) + decimal(abs(value), places: 2) }

  /// Bytes a cycle: `+96 B`, `+33.3 B`, `+12.5 KiB`.
  public static func byteRate(_ value: Double) -> String {
    let magnitude = abs(value)
    return signText(value) + (magnitude < 10 * 1024 ? decimal(magnitude, places: 1) + " B" : scaled(magnitude))
  }

  /// `450 µs`, `12.3 ms`, `1.23 s`, `2m 03s`, `3h 07m`.
  public static func duration(_ duration: Nanoseconds) -> String {
    let ns = duration.count
    switch ns {
    case 0: return "0 s"
    case ..<1_000_000: return fixed(Double(ns) / 1e3, places: 0) + " µs"
    case ..<1_000_000_000: return fixed(Double(ns) / 1e6, places: 1) + " ms"
    case ..<60_000_000_000: return fixed(Double(ns) / 1e9, places: 2) + " s"
    case ..<3_600_000_000_000:
      return "\(ns / 60_000_000_000)m " + twoDigits(ns / 1_000_000_000 % 60) + "s"
    default: return "\(ns / 3_600_000_000_000)h " + twoDigits(ns / 60_000_000_000 % 60) + "m"
    }
  }

  /// Thousands set apart by commas.
  public static func grouped(_ value: UInt64) -> String {
    let digits = Array(String(value))
    var out = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { out.append(",") }
      out.append(digit)
    }
    return out
  }

  /// `1 mark`, `2 marks`.
  public static func count(_ count: Int, _ noun: String) -> String {
    grouped(UInt64(count.magnitude)) + " " + noun + (count == 1 ? "" : "s")
  }

  // MARK: - Parts

  /// `places` digits after the point, rounded.
  static func fixed(_ value: Double, places: Int) -> String {
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    let scaled = (value.magnitude * power).rounded()
    guard scaled < 9e18 else { return String(value) }
    let whole = UInt64(scaled)
    let unit = UInt64(power)
    var out = (value < 0 && whole > 0 ? "-" : "") + grouped(whole / unit)
    if places > 0 {
      let fraction = String(whole % unit)
      out += "." + String(repeating: "0", count: places - fraction.count) + fraction
    }
    return out
  }

  /// Up to `places` digits after the point, no zeros at the end; small values keep their first digit.
  static func decimal(_ value: Double, places: Int) -> String {
    var places = places
    if value > 0, value < 0.01 { places = 4 }
    var text = fixed(value, places: places)
    while text.contains("."), let last = text.last, last == "0" || last == "." {
      text.removeLast()
      if last == "." { break }
    }
    return text
  }

  private static func scaled(_ magnitude: Double) -> String {
    var value = magnitude / 1024
    for unit in ["KiB", "MiB", "GiB"] {
      if value < 1023.95 { return fixed(value, places: 1) + " " + unit }
      value /= 1024
    }
    return fixed(value, places: 1) + " TiB"
  }

  private static func sign(_ value: Int64, _ signed: Bool) -> String {
    value < 0 ? "-" : signed && value > 0 ? "+" : ""
  }
  private static func signText(_ value: Double) -> String { value < 0 ? "-" : value > 0 ? "+" : "" }
  private static func twoDigits(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
