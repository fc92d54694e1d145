// SPDX-License-Identifier: MIT
//
// Values: words of the command line that stand for a quantity.

import GenmarkModel

/// Parsers for sizes and durations; nil for what is none.
enum Values {
  /// `500ms`, `2s`, `1.5s`, `1m`, `1h`, `250us`. A unit is needed; more than zero.
  static func duration(_ word: String) -> Nanoseconds? {
    guard let (number, unit) = split(word) else { return nil }
    let scale: Double? =
      switch unit {
      case "us", "µs": 1e3
      case "ms": 1e6
      case "s": 1e9
      case "m", "min": 60e9
      case "h": 3600e9
      default: nil
      }
    guard let scale, number > 0, number * scale >= 1, number * scale < 1e18 else { return nil }
    return Nanoseconds(UInt64(number * scale))
  }

  /// `0`, `96`, `0B`, `4KiB`, `4k`, `1.5MiB`, `2GB` (powers of 1000 with B alone, of 1024 with iB or no B).
  static func bytes(_ word: String) -> Bytes? {
    guard let (number, unit) = split(word) else { return nil }
    let scale: Double? =
      switch unit.lowercased() {
      case "", "b": 1
      case "k", "kib": 1024
      case "m", "mib": 1024 * 1024
      case "g", "gib": 1024 * 1024 * 1024
      case "kb": 1e3
      case "mb": 1e6
      case "gb": 1e9
      default: nil
      }
    guard let scale, number * scale < 9e18 else { return nil }
    return Bytes(Int64((number * scale).rounded(.down)))
  }

  static func blocks(_ word: String) -> Double? {
    guard let (number, unit) = split(word), unit.isEmpty else { return nil }
    return number
  }

  /// A plain decimal number without sign or exponent, and what follows it.
  private static func split(_ word: String) -> (Double, String)? {
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard digits.first != ".", digits.last != ".", let number = Double(String(digits)), number.isFinite else {
      return nil
    }
    return (number, String(word.dropFirst(digits.count)))
  }
}
