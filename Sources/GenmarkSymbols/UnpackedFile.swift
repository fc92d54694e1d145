// SPDX-License-Identifier: MIT
//
// UnpackedFile: a copy, in memory, of an ELF file whose debug sections are compressed, with these unpacked. libdw
// would unpack them itself, but one after the other, all of them, beside the compressed ones, and up to version 0.188
// not those of zstd. Debian's debug packages have a third of a gigabyte in one section.
//
// The copy is a file without a name: libdwfl opens it as it would the original, and what is never looked at takes no
// memory. It has the original's layout, with the unpacked sections behind its end; left out are code and the sections
// that genmark has no use for. Bytes are moved here, and headers changed by the rules of ELF; what is in the sections
// is libdw's business.

internal import CElfutils
internal import Dispatch
internal import Glibc

enum UnpackedFile {
  /// All that is unpacked of one file. Beyond it the debug information is as good as not there.
  private static let sizeLimit: UInt64 = 3 << 30

  /// Where variables live, macros, and indexes that libdw does without: as much as a quarter of all.
  private static let unused: Set<String> = [
    ".debug_loc", ".debug_loclists", ".debug_macro", ".debug_macinfo", ".debug_pubnames", ".debug_pubtypes",
    ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_names", ".debug_frame",
  ]

  /// A section header and where it stands.
  private struct Section {
    var position: UInt64
    var header: Elf64_Shdr
    /// Nil: stays as it is.
    var compressed: CompressedSection?
    var isUnused: Bool
  }

  /// A descriptor of the copy; nil when the file needs none or none can be made. The original's is left as it was.
  static func descriptor(unpacking original: Int32) -> Int32? {
    var status = stat()
    guard fstat(original, &status) == 0, status.st_size > 0, var sections = sections(of: original, status),
      sections.contains(where: { $0.compressed != nil })
    else { return nil }
    let end = place(&sections, behind: UInt64(status.st_size))
    guard mayWrite(end) else { return nil }
    let copy = memfd_create("genmark-unpacked", UInt32(GM_MFD_CLOEXEC))
    guard copy >= 0 else { return nil }
    guard ftruncate(copy, off_t(end)) == 0, copyRest(of: original, to: copy, status, sections),
      unpack(&sections, of: original, to: copy), write(sections, to: copy)
    else {
      close(copy)
      return nil
    }
    return copy
  }

  /// Nil for what is no ELF file of this machine's kind.
  private static func sections(of descriptor: Int32, _ status: stat) -> [Section]? {
    elf_version(UInt32(EV_CURRENT))
    guard let elf = elf_begin(descriptor, ELF_C_READ, nil) else { return nil }
    defer { elf_end(elf) }
    var file = GElf_Ehdr()
    guard elf_kind(elf) == ELF_K_ELF, gelf_getclass(elf) == ELFCLASS64, gelf_getehdr(elf, &file) != nil,
      file.e_ident.5 == UInt8(ELFDATA2LSB), Int(file.e_shentsize) == MemoryLayout<Elf64_Shdr>.size
    else { return nil }
    var names = 0
    guard elf_getshdrstrndx(elf, &names) == 0 else { return nil }
    var sections: [Section] = []
    var next: OpaquePointer? = nil
    while let section = elf_nextscn(elf, next) {
      next = section
      var header = Elf64_Shdr()
      let position = file.e_shoff &+ UInt64(elf_ndxscn(section) * MemoryLayout<Elf64_Shdr>.size)
      guard gelf_getshdr(section, &header) != nil, position &+ 64 <= UInt64(status.st_size) else { return nil }
      let name = elf_strptr(elf, names, Int(header.sh_name)).map { String(cString: $0) } ?? ""
      var found = Section(position: position, header: header, isUnused: unused.contains(name))
      if header.sh_flags & UInt64(SHF_COMPRESSED) != 0, header.sh_flags & UInt64(SHF_ALLOC) == 0 {
        found.compressed = compressed(header, of: descriptor, status)
        // What can not be unpacked is not there.
        found.isUnused = found.isUnused || found.compressed == nil
      }
      sections.append(found)
    }
    return sections
  }

  private static func compressed(_ header: Elf64_Shdr, of descriptor: Int32, _ status: stat) -> CompressedSection? {
    // Read here: gelf_getchdr does not know zstd before 0.189.
    let length = MemoryLayout<Elf64_Chdr>.size
    var compression = Elf64_Chdr()
    guard header.sh_size > UInt64(length), header.sh_offset <= UInt64(status.st_size),
      header.sh_size <= UInt64(status.st_size) - header.sh_offset,
      pread(descriptor, &compression, length, off_t(header.sh_offset)) == length,
      compression.ch_size > 0, compression.ch_size <= sizeLimit
    else { return nil }
    return CompressedSection(
      format: compression.ch_type, offset: header.sh_offset + UInt64(length), size: header.sh_size - UInt64(length),
      unpackedSize: compression.ch_size)
  }

  /// Gives the unpacked sections their places.
  /// - Returns: the size of the copy.
  private static func place(_ sections: inout [Section], behind size: UInt64) -> UInt64 {
    let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
    var end = size
    var total: UInt64 = 0
    for index in sections.indices {
      guard let compressed = sections[index].compressed, !sections[index].isUnused else { continue }
      total += compressed.unpackedSize
      guard total <= sizeLimit else {
        sections[index].isUnused = true
        continue
      }
      end = (end + page - 1) / page * page
      sections[index].header.sh_offset = end
      sections[index].header.sh_size = compressed.unpackedSize
      sections[index].header.sh_flags &= ~UInt64(SHF_COMPRESSED)
      // What is unpacked begins a page.
      sections[index].header.sh_addralign = 8
      end += compressed.unpackedSize
    }
    return end
  }

  /// A file larger than the process may write would end it by SIGXFSZ.
  private static func mayWrite(_ size: UInt64) -> Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && UInt64(limit.rlim_cur) >= size
  }

  /// Everything that is not compressed and no code.
  private static func copyRest(of original: Int32, to copy: Int32, _ status: stat, _ sections: [Section]) -> Bool {
    let size = UInt64(status.st_size)
    var left: [Range<UInt64>] = sections.compactMap { section in
      if let compressed = section.compressed {
        return compressed.offset..<compressed.offset + compressed.size
      }
      let header = section.header
      let isCode = header.sh_flags & UInt64(SHF_EXECINSTR) != 0 && header.sh_type == UInt32(SHT_PROGBITS)
      guard isCode || section.isUnused, header.sh_type != UInt32(SHT_NOBITS), header.sh_offset <= size,
        header.sh_size <= size - header.sh_offset
      else { return nil }
      return header.sh_offset..<header.sh_offset + header.sh_size
    }
    left.sort { $0.lowerBound < $1.lowerBound }
    var position: UInt64 = 0
    for range in left + [size..<size] {
      if position < range.lowerBound, !copyBytes(position..<range.lowerBound, of: original, to: copy) { return false }
      position = max(position, range.upperBound)
    }
    return true
  }

  private static func copyBytes(_ range: Range<UInt64>, of original: Int32, to copy: Int32) -> Bool {
    var offset = off_t(range.lowerBound)
    guard lseek(copy, offset, SEEK_SET) == offset else { return false }
    while offset < off_t(range.upperBound) {
      let count = sendfile(copy, original, &offset, Int(off_t(range.upperBound) - offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
    }
    return true
  }

  /// All at a time: that is what takes long.
  private static func unpack(_ sections: inout [Section], of original: Int32, to copy: Int32) -> Bool {
    var work = sections.indices.filter { sections[$0].compressed != nil && !sections[$0].isUnused }
    // The largest first, so that the others share what time it takes.
    work.sort { sections[$0].header.sh_size > sections[$1].header.sh_size }
    let jobs = work.compactMap { index in sections[index].compressed.map { (sections[index].header.sh_offset, $0) } }
    let done = Outcomes(count: jobs.count)
    DispatchQueue.concurrentPerform(iterations: jobs.count) { job in
      let (offset, section) = jobs[job]
      let size = Int(section.unpackedSize)
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, copy, off_t(offset))
      guard let start, start != MAP_FAILED else { return }
      done[job] = Inflater.unpack(
        section, of: original, into: UnsafeMutableRawBufferPointer(start: start, count: size))
      munmap(start, size)
    }
    for (job, index) in work.enumerated() where !done[job] { sections[index].isUnused = true }
    return true
  }

  private static func write(_ sections: [Section], to copy: Int32) -> Bool {
    sections.allSatisfy { section in
      guard section.compressed != nil || section.isUnused else { return true }
      var header = section.header
      if section.isUnused {
        header.sh_type = UInt32(SHT_NOBITS)
        header.sh_flags &= ~UInt64(SHF_COMPRESSED)
      }
      return pwrite(copy, &header, MemoryLayout<Elf64_Shdr>.size, off_t(section.position))
        == MemoryLayout<Elf64_Shdr>.size
    }
  }
}

/// One answer for each of several jobs, each written by its own.
private final class Outcomes: @unchecked Sendable {
  private let answers: UnsafeMutableBufferPointer<Bool>

  init(count: Int) {
    answers = .allocate(capacity: count)
    answers.initialize(repeating: false)
  }

  deinit { answers.deallocate() }

  subscript(index: Int) -> Bool {
    get { answers[index] }
    set { answers[index] = newValue }
  }
}
