// SPDX-License-Identifier: MIT
//
// Mutation: damages bytes of any kind at random, and texts with what parsers of texts trip over. Damage that knows what
// a trace is made of is in TraceMutation; the driver is in Tests/Fuzz.

/// Words of a kind that breaks sums and bounds.
let tellingWords: [UInt64] = [
  0, 1, 2, 63, 64, 255, 256, 4095, 4096, 1 << 16, 1 << 31, (1 << 31) - 1, 1 << 32, (1 << 32) - 1, 1 << 47, 1 << 62,
  1 << 63,
  (1 << 63) - 1, .max, .max - 63,
]

/// Pieces that parsers of texts trip over: ends, nesting, numbers past every type, halves of characters, other tools' lines.
private let tellingTexts: [[UInt8]] =
  [
    "\0", "\n", "\r\n", "\n\n", "\"", "\\", "\\u", "\\ud800", "\\ud83d\\ude00", "{", "}", "[", "]", ",", ":", "1e999",
    "-", "-1",
    "0x10", "1.5", ".5", "9223372036854775807", "9223372036854775808", "99999999999999999999999", "1e308KiB", "NaN",
    "null",
    "true", "*", "**", "^", "$", "^$", "leak:", "race:", "#", " ", "\t", "KiB", "GiB", "\"reason\"", "\"until\"",
    "\u{202e}",
    "\u{1b}[31m", "\u{0}\u{7f}", "\u{feff}", "é", "👩‍👩‍👧", "A_", "$s", "_ZN", "_R", "!", "!=", "2026-13-41", "2024-02-29",
  ].map { Array($0.utf8) } + [
    [0xff, 0xfe], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [UInt8](repeating: 0x7b, count: 400),
    [UInt8](repeating: 0x5b, count: 400), [UInt8](repeating: 0x39, count: 400), [UInt8](repeating: 0x2a, count: 400),
  ]

/// A copy with some damage: bits, bytes, words, pieces moved, the end cut off.
public func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<1 + generator.below(4) { damage(&bytes, at: generator.below(bytes.count), using: &generator) }
  return bytes
}

/// A copy of a text with some damage; the bytes need not be UTF-8 any more.
public func mutatedText(_ text: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
  var bytes = text
  for _ in 0..<generator.pick([1, 1, 1, 2, 4]) {
    let offset = generator.below(bytes.count + 1)
    switch generator.below(8) {
    case 0, 1, 2: bytes.insert(contentsOf: generator.pick(tellingTexts), at: offset)
    case 3:
      let piece = generator.pick(tellingTexts)
      bytes.replaceSubrange(offset..<min(offset + piece.count, bytes.count), with: piece)
    case 4 where !bytes.isEmpty:
      // A piece of it again: fields, lines and names that stand twice.
      let start = generator.below(bytes.count)
      let end = start + 1 + generator.below(min(64, bytes.count - start))
      bytes.insert(contentsOf: Array(bytes[start..<min(end, bytes.count)]), at: offset)
    case 5 where offset < bytes.count:
      bytes.removeSubrange(offset..<min(offset + 1 + generator.below(16), bytes.count))
    default: damage(&bytes, at: generator.below(bytes.count), using: &generator)
    }
  }
  return bytes
}

/// One piece of damage. Nothing is done to no bytes.
func damage(_ bytes: inout [UInt8], at offset: Int, using generator: inout SeededGenerator) {
  guard offset < bytes.count else { return }
  switch generator.below(8) {
  case 0: bytes[offset] ^= 1 << UInt8(generator.below(8))
  case 1: bytes[offset] = UInt8(truncatingIfNeeded: generator.next())
  case 2, 3:
    let width = generator.pick([2, 4, 8])
    overwrite(&bytes, at: offset / width * width, with: generator.pick(tellingWords), width: width)
  case 4:
    let length = min(1 + generator.below(256), bytes.count - offset)
    let source = generator.below(bytes.count - length + 1)
    bytes.replaceSubrange(offset..<offset + length, with: Array(bytes[source..<source + length]))
  case 5:
    let start = offset / 8 * 8
    for index in start..<min(start + 8, bytes.count) { bytes[index] &+= UInt8(generator.below(3)) }
  case 6: bytes.removeLast(generator.below(bytes.count + 1))
  default: for index in offset..<min(offset + 1 + generator.below(64), bytes.count) { bytes[index] = 0 }
  }
}

/// The lowest bytes of a word, little endian, as far as there is room.
func overwrite(_ bytes: inout [UInt8], at start: Int, with word: UInt64, width: Int) {
  for index in 0..<max(0, min(width, bytes.count - start)) {
    bytes[start + index] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
  }
}
