// SPDX-License-Identifier: MIT
//
// PackFormat: how a pack looks as a file: a trace with the names of its addresses, compressed. Putting one together is
// PackWriter's, reading one Pack's.
//
//   offset  bytes
//   0       8      "GENMPACK"
//   8       4      version, 1: a reader refuses any other
//   12      4      flags: 1 names were replaced by hashes
//   16      8      length of the body when it is unpacked
//   24      8      checksum of the 24 bytes before and of all that follows this field (FNV-1a, 64 bit)
//   32      rest   the body, one frame of zstd (RFC 8878)
//
// All integers are little endian. The body is a row of parts, each 4 bytes kind, 8 bytes length, the bytes; unknown
// kinds are skipped, and no kind stands twice:
//
//   1 INFO    number  when it was packed, seconds since 1970
//             text    version of the genmark that packed it
//             number  how the program had ended by then: 0 unknown, 1 exit, 2 signal, 3 exec, 4 running
//             number  exit status or signal
//             number  how long it had run by then, ns
//             number  how many sentences of what could not be looked up; each a text
//   2 TRACE   the trace, cut to what is used (genmark_trace.h)
//   3 NAMES   a FrameTable: the frames of every address of the call tree, by module and address. Nodes that stand for
//             no address are in it with module 0; an address in no module is not in it.
//   4 TEXTS   only where the trace has none left, in a pack without names: program; directory; number of arguments,
//             arguments; number of modules, paths; number of labels, labels
//
// Numbers and texts are as in ByteCoding.

import GenmarkSymbols

package enum PackFormat {
  package static let magic = Array("GENMPACK".utf8)
  static let version: UInt32 = 1
  package static let headerSize = 32
  static let isAnonymous: UInt32 = 1

  enum Part: UInt32, CaseIterable { case info = 1, trace, names, texts }

  /// A body may be this long however short its file is, and this many times as long as its file: traces are full of
  /// zeros, but not that full.
  static let bodyBase: UInt64 = 64 << 20
  static let bodyRatio: UInt64 = 256
  /// 100,000 addresses take some 10 MiB.
  static let namesLimit = 64 << 20
  static let infoLimit = 1 << 20
  static let noteLimit = 1000

  static func bodyLimit(fileSize: Int) -> UInt64 { bodyBase + bodyRatio * UInt64(fileSize) }

  /// The file of a body that was compressed.
  package static func file(compressed: [UInt8], bodySize: Int, flags: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.raw(magic)
    writer.fixed(version)
    writer.fixed(flags)
    writer.fixed(UInt64(bodySize))
    writer.fixed(checksum(compressed, from: checksum(writer.bytes)))
    writer.raw(compressed)
    return writer.bytes
  }

  /// - Throws: `.truncated`, `.damaged`, `.newerVersion`, `.tooLarge`.
  package static func open(_ bytes: [UInt8], file: String) throws(PackError) -> (body: [UInt8], flags: UInt32) {
    do {
      var reader = ByteReader(bytes)
      guard try reader.raw(magic.count).elementsEqual(magic) else {
        throw PackError.damaged(file: file, "it is no pack")
      }
      let version = try reader.fixed(UInt32.self)
      guard version == PackFormat.version else { throw PackError.newerVersion(file: file, Int(version)) }
      let flags = try reader.fixed(UInt32.self)
      let size = try reader.fixed(UInt64.self)
      let sum = try reader.fixed(UInt64.self)
      let compressed = bytes[reader.position...]
      guard sum == checksum(compressed, from: checksum(bytes[..<24])) else {
        throw PackError.damaged(file: file, "its checksum is another one")
      }
      guard size <= bodyLimit(fileSize: bytes.count) else { throw PackError.tooLarge(file: file) }
      return (try Compression.unpacked(compressed, size: Int(size), file: file), flags)
    } catch let error as PackError {
      throw error
    } catch {
      throw .truncated(file: file)
    }
  }

  static func body(of parts: [(Part, [UInt8])]) -> [UInt8] {
    var writer = ByteWriter()
    for (part, bytes) in parts {
      writer.fixed(part.rawValue)
      writer.fixed(UInt64(bytes.count))
      writer.raw(bytes)
    }
    return writer.bytes
  }

  static func parts(of body: [UInt8]) throws(MalformedBytes) -> [Part: ArraySlice<UInt8>] {
    var reader = ByteReader(body)
    var parts: [Part: ArraySlice<UInt8>] = [:]
    while reader.remaining > 0 {
      let kind = try reader.fixed(UInt32.self)
      guard let size = Int(exactly: try reader.fixed(UInt64.self)) else { throw MalformedBytes() }
      let bytes = try reader.raw(size)
      guard let part = Part(rawValue: kind) else { continue }
      guard parts.updateValue(bytes, forKey: part) == nil else { throw MalformedBytes() }
    }
    return parts
  }
}
