// SPDX-License-Identifier: MIT
//
// SHA256: the hash that replaces names (FIPS 180-4). Whole messages in memory only.

enum SHA256 {
  /// 32 bytes.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state = initial
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    withUnsafeBytes(of: (UInt64(message.count) &* 8).bigEndian) { padded += $0 }
    for start in stride(from: 0, to: padded.count, by: 64) { mix(&state, padded[start..<start + 64]) }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static func mix(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var words = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
      let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first 32 bits of the fractions of the square roots of the first 8 primes.
  private static let initial: [UInt32] = primes.prefix(8).map { fraction($0.squareRoot()) }
  /// And of the cube roots of the first 64.
  private static let constants: [UInt32] = primes.map { prime in cubeRootFraction(UInt64(prime)) }

  private static let primes: [Double] = (2...311).filter { n in !(2..<n).contains { n % $0 == 0 } }.map(Double.init)

  /// Exact for square roots of small primes: a Double has 52 bits, of which at most 3 are before the point.
  private static func fraction(_ value: Double) -> UInt32 { UInt32((value - value.rounded(.down)) * 4_294_967_296) }

  /// The largest x with x³ ≤ prime · 2⁹⁶, of which the low 32 bits are the fraction.
  private static func cubeRootFraction(_ prime: UInt64) -> UInt32 {
    var low: UInt64 = 0
    var high: UInt64 = 8 << 32
    while high - low > 1 {
      let middle = (low + high) / 2
      if isCubeAtMost(middle, prime) { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  /// x³ ≤ prime · 2⁹⁶, where x is below 2³⁵.
  private static func isCubeAtMost(_ x: UInt64, _ prime: UInt64) -> Bool {
    // x² as high · 2⁶⁴ + low; times x in three words.
    let square = x.multipliedFullWidth(by: x)
    let lowPart = square.low.multipliedFullWidth(by: x)
    let (middle, carry) = lowPart.high.addingReportingOverflow(square.high &* x)
    // prime · 2⁹⁶ has prime · 2³² as its upper two words' value.
    if carry { return false }
    let limit = prime << 32
    return middle < limit || (middle == limit && lowPart.low == 0)
  }
}
