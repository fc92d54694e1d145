// SPDX-License-Identifier: MIT
//
// SymbolTable: the functions of one file by its symbol tables (.symtab of the file or of its debug file, .dynsym,
// .gnu_debugdata), for what debug information does not name. A symbol covers its own size and no byte more.

internal import CElfutils

/// Function symbols by address. The addresses are the file's own.
struct SymbolTable {
  struct Symbol {
    var name: String
    /// First address of the function.
    var start: UInt64
  }

  private struct Candidate {
    var index: Int32
    var isSized: Bool
    var binding: UInt8
  }

  private let module: OpaquePointer
  private let candidates: IntervalIndex<Candidate>

  /// - Parameter module: borrowed; must outlive this.
  init(module: OpaquePointer) {
    self.module = module
    let count = dwfl_module_getsymtab(module)
    var sized: [IntervalIndex<Candidate>.Entry] = []
    var unsized: [(start: UInt64, sectionEnd: UInt64, candidate: Candidate)] = []
    var starts: [UInt64] = []
    for index in 0..<max(count, 0) {
      var symbol = GElf_Sym()
      var address: GElf_Addr = 0
      var section: GElf_Word = 0
      var elf: OpaquePointer?
      guard let name = dwfl_module_getsym_info(module, index, &symbol, &address, &section, &elf, nil),
        !SymbolTable.marksCode(name)
      else { continue }
      let kind = symbol.st_info & 0xf
      guard kind == STT_FUNC || kind == STT_GNU_IFUNC || kind == STT_NOTYPE, section != 0, address > 0 else { continue }
      let candidate = Candidate(index: index, isSized: symbol.st_size > 0, binding: symbol.st_info >> 4)
      if symbol.st_size > 0 {
        guard kind != STT_NOTYPE else { continue }
        starts.append(address)
        sized.append(.init(low: address, high: address &+ symbol.st_size, value: candidate))
      } else if let end = SymbolTable.codeEnd(section: section, of: elf) {
        // An assembler's label: it goes on to the next symbol, but not out of its section.
        starts.append(address)
        unsized.append((address, end, candidate))
      }
    }
    starts.sort()
    for label in unsized {
      let end = min(SymbolTable.first(in: starts, after: label.start) ?? label.sectionEnd, label.sectionEnd)
      sized.append(.init(low: label.start, high: end, value: label.candidate))
    }
    candidates = IntervalIndex(sized)
  }

  func symbol(at address: UInt64) -> Symbol? {
    let all = candidates.entries(containing: address).compactMap { entry in
      name(of: entry.value).map { (entry: entry, name: $0) }
    }
    guard let best = all.min(by: { SymbolTable.rank($0).lexicographicallyPrecedes(SymbolTable.rank($1)) }) else {
      return nil
    }
    return Symbol(name: best.name, start: best.entry.low)
  }

  /// Of several names for one address: sized before unsized, the one that begins last, one that others can link to, few
  /// leading underscores (malloc, not __libc_malloc; strdup, though weak, not __strdup), global before weak, short.
  private static func rank(_ found: (entry: IntervalIndex<Candidate>.Entry, name: String)) -> [UInt64] {
    let binding = Int32(found.entry.value.binding)
    let isLinkable = binding == STB_GLOBAL || binding == STB_WEAK
    let underscores = found.name.utf8.prefix { $0 == UInt8(ascii: "_") }.count
    return [
      found.entry.value.isSized ? 0 : 1, UInt64.max - found.entry.low, isLinkable ? 0 : 1, UInt64(underscores),
      binding == STB_WEAK ? 1 : 0, UInt64(found.name.utf8.count),
    ]
  }

  private func name(of candidate: Candidate) -> String? {
    var symbol = GElf_Sym()
    var address: GElf_Addr = 0
    guard let text = dwfl_module_getsym_info(module, candidate.index, &symbol, &address, nil, nil, nil) else {
      return nil
    }
    let name = String(cString: text)
    // "memcpy@@GLIBC_2.14": the version is not part of the name.
    let bare = name.prefix { $0 != "@" }
    return bare.isEmpty ? (name.isEmpty ? nil : name) : String(bare)
  }

  /// "$x", "$d.1": where code and data begin, on machines that mix them. Not names.
  private static func marksCode(_ name: UnsafePointer<CChar>) -> Bool {
    guard name[0] == CChar(UInt8(ascii: "$")),
      [UInt8(ascii: "x"), UInt8(ascii: "d"), UInt8(ascii: "a"), UInt8(ascii: "t")].contains(UInt8(bitPattern: name[1]))
    else { return false }
    return name[2] == 0 || name[2] == CChar(UInt8(ascii: "."))
  }

  private static func codeEnd(section: GElf_Word, of elf: OpaquePointer?) -> UInt64? {
    guard let elf, let scn = elf_getscn(elf, Int(section)) else { return nil }
    var header = GElf_Shdr()
    guard gelf_getshdr(scn, &header) != nil, header.sh_flags & UInt64(SHF_EXECINSTR) != 0 else { return nil }
    return header.sh_addr &+ header.sh_size
  }

  private static func first(in starts: [UInt64], after start: UInt64) -> UInt64? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= start { low = middle + 1 } else { high = middle }
    }
    return low < starts.count ? starts[low] : nil
  }
}
