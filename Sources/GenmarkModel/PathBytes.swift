// SPDX-License-Identifier: MIT
//
// PathBytes: names of files as Strings without a loss. A name is any bytes but zero, a String is Unicode: bytes that are
// no UTF-8 are kept as characters of a private plane, and given back to the kernel as they were. Escaping shows them.

extension String {
  /// A byte 0x80…0xff that is no part of a character is U+10FF00 plus the byte.
  package static let looseBytes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  /// The name of a file, from its bytes. What stands for a loose byte itself in a name, is taken for loose bytes too, so that
  /// `withPathBytes` gives back the same bytes for every name.
  public init(pathBytes bytes: some Collection<UInt8>) {
    // Nearly all names.
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { String.looseBytes.contains($0.value) })
    {
      self = text
      return
    }
    var scalars = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
      if let one = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars, one.count == 1,
        let scalar = one.first, !String.looseBytes.contains(scalar.value)
      {
        scalars.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        if let loose = Unicode.Scalar(0x10FF00 + UInt32(first)) { scalars.append(loose) }
        rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }

  /// The bytes of the name of a file.
  public var pathBytes: [UInt8] {
    guard unicodeScalars.contains(where: { String.looseBytes.contains($0.value) }) else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      String.looseBytes.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// The same, ended by a zero, for the kernel.
  public func withPathBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (pathBytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
      // Never empty: the zero is in it.
      bytes.baseAddress.map(body) ?? withUnsafePointer(to: 0, body)
    }
  }
}
