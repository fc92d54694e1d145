// SPDX-License-Identifier: MIT
//
// Compression: zstd, one frame at a time, in memory. Unpacking takes no more room than was promised for it.

internal import CZstd

enum Compression {
  /// Traces shrink to a tenth by it at some 100 MiB a second; higher levels gain little.
  private static let level: Int32 = 9

  /// - Throws: `.notCompressed`.
  static func packed(_ bytes: [UInt8]) throws(PackError) -> [UInt8] {
    var code = 0
    let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
      code = ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, level)
      count = ZSTD_isError(code) == 0 ? code : 0
    }
    guard ZSTD_isError(code) == 0 else { throw .notCompressed(reason: name(of: code)) }
    return packed
  }

  /// - Parameter size: exactly what comes out.
  /// - Throws: `.damaged`.
  static func unpacked(_ bytes: ArraySlice<UInt8>, size: Int, file: String) throws(PackError) -> [UInt8] {
    // The frame says how long it is, too: before any room is made for it, both must be the same.
    let said = bytes.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
    guard said == UInt64(size) else { throw .damaged(file: file, "its lengths contradict each other") }
    var code = 0
    let unpacked = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      code = bytes.withUnsafeBytes { ZSTD_decompress(buffer.baseAddress, size, $0.baseAddress, $0.count) }
      count = ZSTD_isError(code) == 0 ? min(code, size) : 0
    }
    guard ZSTD_isError(code) == 0 else { throw .damaged(file: file, "it can not be unpacked (\(name(of: code)))") }
    guard code == size else { throw .damaged(file: file, "it holds less than it says") }
    return unpacked
  }

  private static func name(of code: Int) -> String {
    ZSTD_getErrorName(code).map { String(cString: $0) } ?? "no reason given"
  }
}
