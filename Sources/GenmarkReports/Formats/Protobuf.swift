// SPDX-License-Identifier: MIT
//
// Protobuf: the little of the wire format (protobuf.dev/programming-guides/encoding) that Pprof writes, and the gzip
// frame (RFC 1952) it comes in. What the fields mean is in Pprof.swift.

/// Bytes of one message.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  /// A varint; 0 is the default and not written.
  mutating func add(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    varint(field << 3)
    varint(value)
  }

  mutating func add(_ field: UInt64, _ value: Int64) { add(field, UInt64(bitPattern: value)) }

  mutating func add(_ field: UInt64, _ message: ProtobufMessage) { add(field, message.bytes) }

  /// Also when empty: an element of a repeated field counts.
  mutating func add(_ field: UInt64, _ text: String) { add(field, Array(text.utf8)) }

  /// Packed.
  mutating func add(_ field: UInt64, _ values: [UInt64]) {
    guard !values.isEmpty else { return }
    var packed = ProtobufMessage()
    for value in values { packed.varint(value) }
    add(field, packed.bytes)
  }

  private mutating func add(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// A gzip file whose content is stored, not compressed: readers of pprof want the frame and not the saving.
enum Gzip {
  static func stored(_ content: [UInt8]) -> [UInt8] {
    // No name, no time, unknown system.
    var out: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      out += little(UInt32(block.count), 2) + little(~UInt32(block.count), 2) + block
    } while !rest.isEmpty
    return out + little(crc(content), 4) + little(UInt32(truncatingIfNeeded: content.count), 4)
  }

  /// CRC-32 of IEEE 802.3, reflected.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<256 as Range<UInt32>).map { index in
      (0..<8).reduce(index) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320 }
    }
    return ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
