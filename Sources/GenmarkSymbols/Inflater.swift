// SPDX-License-Identifier: MIT
//
// Inflater: unpacks one compressed section of a file, by zlib or zstd, straight to where it shall be. Which sections
// there are, and where they go, is in UnpackedFile.

internal import CElfutils
internal import CZlib
internal import CZstd
internal import Glibc

/// A compressed section: what the file says of it.
struct CompressedSection: Sendable {
  /// ELFCOMPRESS_ZLIB or ELFCOMPRESS_ZSTD.
  var format: UInt32
  /// Where the compressed bytes are in the file.
  var offset: UInt64
  var size: UInt64
  /// Bytes that come out.
  var unpackedSize: UInt64
}

enum Inflater {
  /// Bytes read at a time: large enough for the disk, small beside what comes out.
  private static let portion = 1 << 20

  /// Unpacks a section of the file behind `descriptor` into `target`.
  /// - Returns: false when anything but exactly `target.count` bytes would come out.
  static func unpack(
    _ section: CompressedSection, of descriptor: Int32, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    switch section.format {
    case UInt32(ELFCOMPRESS_ZLIB): inflated(section, of: descriptor, into: target)
    case Inflater.zstd: decompressed(section, of: descriptor, into: target)
    default: false
    }
  }

  /// ELFCOMPRESS_ZSTD, which older headers do not have.
  static let zstd: UInt32 = 2

  private static func inflated(
    _ section: CompressedSection, of descriptor: Int32, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var stream = z_stream()
    guard target.count <= Int(UInt32.max),
      inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return false }
    defer { inflateEnd(&stream) }
    stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(target.count)
    var status = Z_OK
    readPortions(of: section, from: descriptor) { portion in
      stream.next_in = portion.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_in = UInt32(portion.count)
      status = inflate(&stream, Z_NO_FLUSH)
      return status == Z_OK && stream.avail_in == 0
    }
    return status == Z_STREAM_END && stream.avail_out == 0
  }

  private static func decompressed(
    _ section: CompressedSection, of descriptor: Int32, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let stream = ZSTD_createDStream() else { return false }
    defer { ZSTD_freeDStream(stream) }
    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    // 0: a frame has ended. There may be several.
    var code = 1
    readPortions(of: section, from: descriptor) { portion in
      var input = ZSTD_inBuffer(src: portion.baseAddress, size: portion.count, pos: 0)
      repeat {
        code = ZSTD_decompressStream(stream, &output, &input)
      } while ZSTD_isError(code) == 0 && input.pos < input.size && (output.pos < output.size || code == 0)
      return ZSTD_isError(code) == 0 && input.pos == input.size
    }
    return code == 0 && output.pos == output.size
  }

  /// Hands the section's bytes over, one piece after the other, until there are no more or `take` answers false.
  private static func readPortions(
    of section: CompressedSection, from descriptor: Int32, _ take: (UnsafeMutableRawBufferPointer) -> Bool
  ) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 16)
    defer { buffer.deallocate() }
    var done: UInt64 = 0
    while done < section.size {
      let wanted = Int(min(section.size - done, UInt64(portion)))
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(section.offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0, take(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) else { return }
      done += UInt64(count)
    }
  }
}
