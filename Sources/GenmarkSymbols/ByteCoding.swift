// SPDX-License-Identifier: MIT
//
// ByteCoding: numbers and texts as bytes and back, for files that only genmark reads: packs and the cache of symbols.
// The reader believes nothing: every length is held against what is left.

/// Puts bytes together.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Seven bits a byte, the lowest first; the high bit says that more follow.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Little endian, all bytes of it.
  package mutating func fixed(_ value: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Its length, then its bytes.
  package mutating func text(_ text: String) {
    number(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func raw(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }
}

/// What is read does not hold what it says it does.
package struct MalformedBytes: Error {
  package init() {}
}

/// Takes bytes apart.
package struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  package private(set) var position: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  package var remaining: Int { bytes.endIndex - position }

  package mutating func move(to position: Int) throws(MalformedBytes) {
    guard position >= bytes.startIndex, position <= bytes.endIndex else { throw MalformedBytes() }
    self.position = position
  }

  package mutating func byte() throws(MalformedBytes) -> UInt8 {
    guard position < bytes.endIndex else { throw MalformedBytes() }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func number() throws(MalformedBytes) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw MalformedBytes() }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw MalformedBytes()
  }

  /// A number of things that take at least `size` bytes each and are still to come.
  package mutating func count(each size: Int) throws(MalformedBytes) -> Int {
    let value = try number()
    guard value <= UInt64(remaining / max(1, size)) else { throw MalformedBytes() }
    return Int(value)
  }

  package mutating func fixed<Value: FixedWidthInteger & UnsignedInteger>(
    _ type: Value.Type
  ) throws(MalformedBytes) -> Value {
    let part = try raw(MemoryLayout<Value>.size)
    return part.reversed().reduce(0) { $0 << 8 | Value($1) }
  }

  package mutating func text() throws(MalformedBytes) -> String {
    String(decoding: try raw(try count(each: 1)), as: UTF8.self)
  }

  package mutating func raw(_ count: Int) throws(MalformedBytes) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw MalformedBytes() }
    defer { position += count }
    return bytes[position..<position + count]
  }
}

/// FNV-1a, 64 bit: finds damage, not malice.
package func checksum(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
  bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}
