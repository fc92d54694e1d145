// SPDX-License-Identifier: MIT
//
// TraceFuzz: damages traces at random, the same way for the same seed, and does with what could be read of them what
// the command does. The driver is in Tests/Fuzz/Trace.

import GenmarkModel

/// Numbers from a seed (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A copy with some damage: bits, bytes, words of a kind that breaks sums, pieces moved, the end cut off.
public func mutated(_ bytes: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
  var bytes = bytes
  let telling: [UInt64] = [0, 1, 63, 64, 255, 1 << 16, 1 << 31, 1 << 32, 1 << 48, 1 << 63, .max, .max - 63]
  for _ in 0..<Int.random(in: 1...4, using: &generator) {
    guard !bytes.isEmpty else { break }
    // Half of the damage goes where much depends on it.
    let range = Bool.random(using: &generator) ? bytes.indices : 0..<min(bytes.count, 640)
    let offset = Int.random(in: range, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
    case 2, 3:
      let word = telling.randomElement(using: &generator) ?? 0
      let width = [2, 4, 8].randomElement(using: &generator) ?? 8
      let start = offset / width * width
      for index in 0..<min(width, bytes.count - start) {
        bytes[start + index] = UInt8(truncatingIfNeeded: word >> (8 * index))
      }
    case 4:
      let length = min(Int.random(in: 1...256, using: &generator), bytes.count - offset)
      let source = Int.random(in: 0...(bytes.count - length), using: &generator)
      bytes.replaceSubrange(offset..<offset + length, with: Array(bytes[source..<source + length]))
    case 5:
      let start = offset / 8 * 8
      for index in start..<min(start + 8, bytes.count) {
        bytes[index] = bytes[index] &+ UInt8.random(in: 0...2, using: &generator)
      }
    case 6: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
    default:
      let length = min(Int.random(in: 1...64, using: &generator), bytes.count - offset)
      for index in offset..<offset + length { bytes[index] = 0 }
    }
  }
  return bytes
}

/// Asks a recording for all that reports are made of: damage that the reader lets pass has to survive the model too.
public func exercise(_ recording: Recording) {
  _ = recording.generations()
  _ = recording.labelsOfMarks()
  let survival = Survival(recording)
  for callSite in survival.callSites {
    _ = recording.callTree.path(of: callSite)
    _ = survival.series(of: callSite)
    _ = survival.survivors(of: callSite, at: .end)
  }
  _ = survival.freed(from: .mark(0), to: .end)
  _ = survival.survivors(bornIn: 0..<recording.generationCount, at: .end)
  let sites = CallSites(recording)
  for callSite in sites.ids { _ = sites.total(of: callSite) }
  for index in recording.marks.indices { _ = recording.label(ofMark: index) }
}
