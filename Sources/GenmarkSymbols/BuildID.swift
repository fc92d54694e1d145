// SPDX-License-Identifier: MIT
//
// BuildID: the identity that linkers write into what they make. Which file a recorded one is found in is in ModuleFile.

internal import CElfutils
internal import Glibc

enum BuildID {
  /// Lower-case hexadecimal.
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// That of a module's file; empty when it has none.
  static func of(_ module: OpaquePointer) -> [UInt8] {
    var bits: UnsafePointer<UInt8>?
    var address: GElf_Addr = 0
    let length = dwfl_module_build_id(module, &bits, &address)
    guard length > 0, let bits else { return [] }
    return Array(UnsafeBufferPointer(start: bits, count: Int(length)))
  }

  /// That of an open file; empty when it has none or is no ELF file.
  static func read(from descriptor: Int32) -> [UInt8] {
    var status = stat()
    elf_version(UInt32(EV_CURRENT))
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let elf = elf_begin(descriptor, ELF_C_READ, nil)
    else { return [] }
    defer { elf_end(elf) }
    var bits: UnsafeRawPointer?
    let length = dwelf_elf_gnu_build_id(elf, &bits)
    return length > 0 ? bits.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(length))) } ?? [] : []
  }
}
