// SPDX-License-Identifier: MIT
//
// FrameTable: the frames of many addresses as bytes, for packs and for the cache of symbols. Each text stands there
// once. Which addresses are in it, and what is done with their frames, is the callers' business.
//
//   number   how many texts (at least 1 byte each)
//   texts    each: number of bytes, bytes
//   number   how many places
//   places   each: number module, number address, number of frames, frames
//   frame    1 byte of flags (1 inlined, 2 folded, 4 a line, 8 a column), then number function, linkage name, file
//            (0 none, else 1 + index of the text), then the line and the column that the flags announce
//
// A number has seven bits a byte, the lowest first (ByteCoding).

import GenmarkModel

/// Frames by place. Module and offset of a frame follow from its place and are not kept.
package struct FrameTable {
  package struct Place: Hashable, Comparable {
    /// 1 + index in `Recording.modules`, or 0.
    package var module: UInt32
    package var address: UInt64

    package init(module: UInt32, address: UInt64) {
      self.module = module
      self.address = address
    }

    package static func < (a: Place, b: Place) -> Bool { (a.module, a.address) < (b.module, b.address) }
  }

  private var texts: [String] = []
  private var bytes: [UInt8] = []
  /// Where the frames of a place begin in `bytes`: their number first.
  private var positions: [Place: Int] = [:]

  package init() {}

  package var places: some Sequence<Place> { positions.keys }
  package var count: Int { positions.count }

  /// Nil when the place is not in the table.
  package subscript(place: Place) -> [Frame]? {
    guard let position = positions[place] else { return nil }
    var reader = ByteReader(bytes)
    // All of it was read once already.
    return (try? reader.move(to: position)).flatMap { try? frames(&reader) }
  }

  // MARK: Writing

  package static func bytes(of entries: [Place: [Frame]]) -> [UInt8] {
    var texts: [String] = []
    var indexes: [String: UInt64] = [:]
    func index(_ text: String?) -> UInt64 {
      guard let text, !text.isEmpty else { return 0 }
      if let known = indexes[text] { return known }
      texts.append(text)
      indexes[text] = UInt64(texts.count)
      return UInt64(texts.count)
    }
    var body = ByteWriter()
    body.number(UInt64(entries.count))
    for (place, frames) in entries.sorted(by: { $0.key < $1.key }) {
      body.number(UInt64(place.module))
      body.number(place.address)
      body.number(UInt64(frames.count))
      for frame in frames {
        let line = frame.line.flatMap { UInt64(exactly: $0) }
        let column = frame.column.flatMap { UInt64(exactly: $0) }
        let flags = [(frame.inlined, 1), (frame.folded, 2), (line != nil, 4), (column != nil, 8)]
        body.fixed(flags.reduce(UInt8(0)) { $1.0 ? $0 | UInt8($1.1) : $0 })
        for text in [frame.function, frame.linkageName, frame.file] { body.number(index(text)) }
        for number in [line, column] { if let number { body.number(number) } }
      }
    }
    var writer = ByteWriter()
    writer.number(UInt64(texts.count))
    texts.forEach { writer.text($0) }
    writer.raw(body.bytes)
    return writer.bytes
  }

  // MARK: Reading

  /// Least bytes of a place and of a frame.
  private static let leastPlace = 3
  private static let leastFrame = 4

  /// Reads all of it once, so that nothing can be wrong later.
  /// - Complexity: O(bytes), in time and memory.
  package init(_ encoded: ArraySlice<UInt8>) throws(MalformedBytes) {
    var reader = ByteReader(encoded)
    let textCount = try reader.count(each: 2)
    texts.reserveCapacity(textCount)
    for _ in 0..<textCount {
      let text = try reader.text()
      guard !text.isEmpty else { throw MalformedBytes() }
      texts.append(text)
    }
    bytes = Array(try reader.raw(reader.remaining))
    reader = ByteReader(bytes)
    let placeCount = try reader.count(each: FrameTable.leastPlace)
    positions.reserveCapacity(placeCount)
    for _ in 0..<placeCount {
      guard let module = UInt32(exactly: try reader.number()) else { throw MalformedBytes() }
      let place = Place(module: module, address: try reader.number())
      guard positions.updateValue(reader.position, forKey: place) == nil else { throw MalformedBytes() }
      _ = try frames(&reader)
    }
    guard reader.remaining == 0 else { throw MalformedBytes() }
  }

  private func frames(_ reader: inout ByteReader) throws(MalformedBytes) -> [Frame] {
    var frames: [Frame] = []
    for _ in 0..<(try reader.count(each: FrameTable.leastFrame)) {
      let flags = try reader.byte()
      guard flags < 16 else { throw MalformedBytes() }
      var frame = Frame(inlined: flags & 1 != 0, folded: flags & 2 != 0)
      frame.function = try text(&reader)
      frame.linkageName = try text(&reader)
      frame.file = try text(&reader)
      if flags & 4 != 0 { frame.line = try number(&reader) }
      if flags & 8 != 0 { frame.column = try number(&reader) }
      frames.append(frame)
    }
    return frames
  }

  private func text(_ reader: inout ByteReader) throws(MalformedBytes) -> String? {
    let index = try reader.number()
    if index == 0 { return nil }
    guard index <= UInt64(texts.count) else { throw MalformedBytes() }
    return texts[Int(index) - 1]
  }

  private func number(_ reader: inout ByteReader) throws(MalformedBytes) -> Int {
    guard let number = Int(exactly: try reader.number()) else { throw MalformedBytes() }
    return number
  }
}
