// SPDX-License-Identifier: MIT
//
// Units: what is counted. Bytes and blocks are types of their own, so that one can not be added to the
// other by accident.

/// A number of bytes as asked of malloc, unless the place that holds it says otherwise. May be negative
/// where it is a difference.
public struct Bytes: Hashable, Comparable, Sendable, Codable, AdditiveArithmetic {
  public var count: Int64
  public init(_ count: Int64) { self.count = count }
  public init(_ count: Int) { self.count = Int64(count) }
  public static let zero = Bytes(Int64(0))
  public static func < (a: Bytes, b: Bytes) -> Bool { a.count < b.count }
  public static func + (a: Bytes, b: Bytes) -> Bytes { Bytes(a.count &+ b.count) }
  public static func - (a: Bytes, b: Bytes) -> Bytes { Bytes(a.count &- b.count) }
}

/// A number of live or once live allocations. May be negative where it is a difference.
public struct Blocks: Hashable, Comparable, Sendable, Codable, AdditiveArithmetic {
  public var count: Int64
  public init(_ count: Int64) { self.count = count }
  public init(_ count: Int) { self.count = Int64(count) }
  public static let zero = Blocks(Int64(0))
  public static func < (a: Blocks, b: Blocks) -> Bool { a.count < b.count }
  public static func + (a: Blocks, b: Blocks) -> Blocks { Blocks(a.count &+ b.count) }
  public static func - (a: Blocks, b: Blocks) -> Blocks { Blocks(a.count &- b.count) }
}

/// Blocks together with the bytes they were asked with.
public struct Amount: Hashable, Sendable, Codable, AdditiveArithmetic {
  public var blocks: Blocks
  public var bytes: Bytes
  public init(blocks: Blocks, bytes: Bytes) {
    self.blocks = blocks
    self.bytes = bytes
  }
  public init(blocks: Int64, bytes: Int64) { self.init(blocks: Blocks(blocks), bytes: Bytes(bytes)) }
  public static let zero = Amount(blocks: .zero, bytes: .zero)
  public static func + (a: Amount, b: Amount) -> Amount {
    Amount(blocks: a.blocks + b.blocks, bytes: a.bytes + b.bytes)
  }
  public static func - (a: Amount, b: Amount) -> Amount {
    Amount(blocks: a.blocks - b.blocks, bytes: a.bytes - b.bytes)
  }
}

/// Nanoseconds.
public struct Nanoseconds: Hashable, Comparable, Sendable, Codable {
  public var count: UInt64
  public init(_ count: UInt64) { self.count = count }
  public static func < (a: Nanoseconds, b: Nanoseconds) -> Bool { a.count < b.count }
}
