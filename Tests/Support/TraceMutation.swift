// SPDX-License-Identifier: MIT
//
// TraceMutation: damage to a trace that knows what a trace is made of: fields of the header, of sections and of records
// get values that lead somewhere; whole sections are doubled, dropped, moved, stretched. Random bytes alone are nearly
// always refused at the first check. What any file may suffer is in Mutation.

import CTraceFormat

/// A sound trace and where its sections are.
public struct TraceSeed: Sendable {
  public let bytes: [UInt8]
  private let extents: [TraceImageBytes.Extent]
  /// Less than this of the header is in use.
  private let headerSize = MemoryLayout<gm_header>.size

  public init(_ image: TraceImageBytes) {
    bytes = image.bytes
    extents = image.extents
  }

  /// A trace from a file; its sections are looked up as a reader does.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var found: [TraceImageBytes.Extent] = []
    var offset = GM_HEADER_SIZE
    while offset + MemoryLayout<gm_extent>.size <= bytes.count {
      let extent = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: gm_extent.self) }
      guard extent.magic == GM_EXTENT_MAGIC, let size = Int(exactly: extent.size), size >= 64,
        size <= bytes.count - offset
      else { break }
      found.append(TraceImageBytes.Extent(kind: Int(extent.kind), offset: offset, size: size))
      offset += size
    }
    extents = found
  }

  /// A copy with 1 to 6 pieces of damage.
  public func mutated(using generator: inout SeededGenerator) -> [UInt8] {
    var copy = bytes
    for _ in 0..<generator.pick([1, 1, 1, 2, 2, 3, 6]) {
      switch generator.below(16) {
      case 0: damage(&copy, at: generator.below(copy.count), using: &generator)
      case 1: damage(&copy, at: generator.below(min(copy.count, headerSize)), using: &generator)
      case 2, 3, 4: setWord(&copy, in: 0..<headerSize, using: &generator)
      case 5 where !extents.isEmpty: rearrange(&copy, using: &generator)
      case 6 where !extents.isEmpty, 7 where !extents.isEmpty:
        let extent = generator.pick(extents)
        setWord(&copy, in: extent.offset..<extent.offset + GM_EXTENT_HEADER_SIZE, using: &generator)
      default:
        guard !extents.isEmpty else { break }
        let extent = generator.pick(extents)
        setWord(&copy, in: extent.offset + GM_EXTENT_HEADER_SIZE..<extent.end, using: &generator)
      }
    }
    return copy
  }

  /// Gives an aligned word a value that leads somewhere: an edge, a small number, an offset in the file, a neighbour's.
  private func setWord(_ copy: inout [UInt8], in range: Range<Int>, using generator: inout SeededGenerator) {
    let width = generator.pick([4, 8, 8])
    let place = range.lowerBound + generator.below(range.count / width) * width
    guard place + width <= copy.count else { return }
    let old = copy.withUnsafeBytes { bytes in
      width == 8
        ? bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        : UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    let value: UInt64
    switch generator.below(8) {
    case 0, 1: value = generator.pick(tellingWords)
    case 2, 3: value = UInt64(generator.below(40))
    case 4: value = old &+ generator.pick([1, 64, .max, .max - 63, 16, 4096, .max - 7])
    case 5: value = extents.isEmpty ? UInt64(copy.count) : UInt64(generator.pick(extents).offset)
    case 6: value = UInt64(generator.below(copy.count / 8) * 8)
    default:
      let source = range.lowerBound + generator.below(range.count / 8) * 8
      guard source + 8 <= copy.count else { return }
      value = copy.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: source, as: UInt64.self) }
    }
    overwrite(&copy, at: place, with: value, width: width)
  }

  /// Doubles, drops, moves or stretches a section, and says so in the header half of the time.
  private func rearrange(_ copy: inout [UInt8], using generator: inout SeededGenerator) {
    let extent = generator.pick(extents)
    guard extent.end <= copy.count else { return }
    let section = Array(copy[extent.offset..<extent.end])
    switch generator.below(4) {
    case 0: copy.append(contentsOf: section)
    case 1: copy.removeSubrange(extent.offset..<extent.end)
    case 2:
      copy.removeSubrange(extent.offset..<extent.end)
      copy.append(contentsOf: section)
    default:
      let room = 64 * (1 + generator.below(4))
      copy.insert(contentsOf: [UInt8](repeating: 0, count: room), at: extent.end)
      overwrite(&copy, at: extent.offset + 8, with: UInt64(extent.size + room), width: 8)
    }
    if generator.below(2) == 0, let used = MemoryLayout<gm_header>.offset(of: \gm_header.used) {
      overwrite(&copy, at: used, with: UInt64(copy.count), width: 8)
    }
  }
}
