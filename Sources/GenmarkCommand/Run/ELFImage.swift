// SPDX-License-Identifier: MIT
//
// ELFImage: the few facts of an ELF file that decide whether one can be preloaded into the other: machine, word size,
// program loader. Symbols are GenmarkSymbols's. Any file may be given; what is not sound is nil.

import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

struct ELFImage: Equatable {
  static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  /// 32 or 64.
  let bits: Int
  /// e_machine.
  let machine: UInt16
  /// Contents of PT_INTERP; nil in static programs and in libraries.
  let loader: String?

  var machineName: String {
    let name =
      switch machine {
      case 3: "i386"
      case 8: "mips"
      case 20, 21: "powerpc"
      case 22: "s390"
      case 40: "arm"
      case 62: "x86-64"
      case 183: "aarch64"
      case 243: "riscv"
      default: "machine \(machine)"
      }
    return bits == 32 && machine == 62 ? "x32" : name
  }

  init?(_ path: String) {
    // Program headers stand right behind the file header in all that linkers make; 64 KiB is far more than they take.
    guard let bytes = ELFImage.read(path, count: 65_536), bytes.count >= 52, bytes.starts(with: ELFImage.magic) else {
      return nil
    }
    guard bytes[4] == 1 || bytes[4] == 2, bytes[5] == 1 || bytes[5] == 2 else { return nil }
    let fields = Fields(bytes: bytes, isBigEndian: bytes[5] == 2)
    let is64 = bytes[4] == 2
    bits = is64 ? 64 : 32
    guard let machine = fields.integer(at: 18, size: 2),
      let table = fields.integer(at: is64 ? 32 : 28, size: is64 ? 8 : 4),
      let entrySize = fields.integer(at: is64 ? 54 : 42, size: 2),
      let count = fields.integer(at: is64 ? 56 : 44, size: 2), entrySize >= (is64 ? 56 : 32)
    else { return nil }
    self.machine = UInt16(machine)
    loader = ELFImage.loader(
      fields, path, is64: is64, entries: (0..<count).map { table &+ $0 &* entrySize })
  }

  private static func loader(_ fields: Fields, _ path: String, is64: Bool, entries: [UInt64]) -> String? {
    let interpreter: UInt64 = 3
    for entry in entries where fields.integer(at: entry, size: 4) == interpreter {
      guard let offset = fields.integer(at: entry &+ (is64 ? 8 : 4), size: is64 ? 8 : 4),
        let size = fields.integer(at: entry &+ (is64 ? 32 : 16), size: is64 ? 8 : 4), size < 4096,
        let name = read(path, count: Int(size), at: offset)
      else { return nil }
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    }
    return nil
  }

  /// Up to `count` bytes of a regular file; nil when it can not be read.
  static func read(_ path: String, count: Int, at offset: UInt64 = 0) -> [UInt8]? {
    guard let offset = off_t(exactly: offset) else { return nil }
    let descriptor = path.withPathBytes { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = max(0, pread(descriptor, buffer.baseAddress, count, offset))
    }
  }

  /// Integers at checked offsets.
  private struct Fields {
    let bytes: [UInt8]
    let isBigEndian: Bool

    func integer(at offset: UInt64, size: Int) -> UInt64? {
      guard let start = Int(exactly: offset), start <= bytes.count - size else { return nil }
      var value: UInt64 = 0
      for index in 0..<size {
        value = value << 8 | UInt64(bytes[start + (isBigEndian ? index : size - 1 - index)])
      }
      return value
    }
  }
}
