// SPDX-License-Identifier: MIT
//
// OwnSuppressions: the text that a program's own __lsan_default_suppressions returns, which is how programs bring their
// suppressions for LeakSanitizer along. What the text means is GenmarkAnalysis's.
//
// The function is never called, neither in the recorded program nor here: it is the program's code, and a reader of traces
// must not run it. Compilers make of it a handful of instructions that load the address of a literal; ConstantFunction
// follows those, in the file that is proved to be the recorded one. A function that does more is not read, which is said.

import GenmarkModel

internal import CElfutils

/// What a program says of its own leaks.
public enum OwnSuppressions: Sendable, Equatable {
  /// No such function in the program and its own libraries, or it returns nothing.
  case none
  /// Untrusted text, in the syntax of suppression files.
  case text(String, module: String)
  /// There is one, and what it returns can not be told.
  case unreadable(module: String)

  private static let function = "__lsan_default_suppressions"
  /// More than any list of suppressions has.
  private static let longest = 1 << 20

  /// Looks in the program first, then in the libraries that are not the system's, as the loader would.
  public static func find(in recording: Recording, options: SymbolOptions) -> OwnSuppressions {
    let modules = recording.modules.filter { !$0.isVDSO && !$0.isRecorder && !isSystems($0.path) || $0.isMain }
    let lookup = DebugFileLookup(options: options, unpacks: false)
    for module in modules.filter(\.isMain) + modules.filter({ !$0.isMain }) {
      guard let file = try? ModuleFile.open(module, options: options, lookup: lookup),
        let address = file.address(ofFunction: function)
      else { continue }
      let text = withExtendedLifetime(file) { () -> String? in
        guard let image = file.image(), let place = ConstantFunction(image).result(at: address) else { return nil }
        return place == 0 ? "" : image.text(at: place, limit: longest)
      }
      guard let text else { return .unreadable(module: module.path) }
      return text.isEmpty ? .none : .text(text, module: module.path)
    }
    return .none
  }

  private static func isSystems(_ path: String) -> Bool {
    ["/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/"].contains { path.hasPrefix($0) }
  }
}

extension ModuleFile {
  /// Address in the file of a function that it defines; nil when it has none, or is not for x86-64.
  func address(ofFunction name: String) -> UInt64? {
    for index in 0..<max(0, dwfl_module_getsymtab(module)) {
      var symbol = GElf_Sym()
      var value: GElf_Addr = 0
      guard
        let found = dwfl_module_getsym_info(module, index, &symbol, &value, nil, nil, nil),
        String(cString: found) == name, symbol.st_shndx != UInt16(SHN_UNDEF), symbol.st_info & 0xf == UInt8(STT_FUNC)
      else { continue }
      return value
    }
    return nil
  }

  /// What the file has in memory when it is loaded; valid as long as this is.
  func image() -> FileImage? {
    var bias: GElf_Addr = 0
    var size = 0
    guard let elf = dwfl_module_getelf(module, &bias), let bytes = elf_rawfile(elf, &size), size > 0 else { return nil }
    var header = GElf_Ehdr()
    guard gelf_getehdr(elf, &header) != nil, header.e_machine == UInt16(EM_X86_64) else { return nil }
    var image = FileImage(bytes: UnsafeRawBufferPointer(start: bytes, count: size)) {
      ModuleFile.relocated($0, in: elf)
    }
    var count = 0
    guard elf_getphdrnum(elf, &count) == 0 else { return nil }
    for index in 0..<count {
      var segment = GElf_Phdr()
      guard let number = Int32(exactly: index), gelf_getphdr(elf, number, &segment) != nil,
        segment.p_type == UInt32(PT_LOAD)
      else { continue }
      image.add(segment: segment.p_vaddr, at: segment.p_offset, size: segment.p_filesz)
    }
    return image
  }

  /// The value that the loader puts at an address, where that does not depend on other files.
  private static func relocated(_ address: UInt64, in elf: OpaquePointer) -> UInt64? {
    var section = elf_nextscn(elf, nil)
    while let current = section {
      var header = GElf_Shdr()
      if gelf_getshdr(current, &header) != nil, header.sh_type == UInt32(SHT_RELA), header.sh_entsize > 0,
        let data = elf_getdata(current, nil)
      {
        for index in 0..<Int32(clamping: header.sh_size / header.sh_entsize) {
          var relocation = GElf_Rela()
          guard gelf_getrela(data, index, &relocation) != nil else { break }
          if relocation.r_offset == address, relocation.r_info & 0xffff_ffff == UInt64(R_X86_64_RELATIVE) {
            return UInt64(bitPattern: relocation.r_addend)
          }
        }
      }
      section = elf_nextscn(elf, current)
    }
    return nil
  }
}
