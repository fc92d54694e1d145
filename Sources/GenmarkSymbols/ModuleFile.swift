// SPDX-License-Identifier: MIT
//
// ModuleFile: the file of a recorded module, found again and proved to be the same. What is then read from it is in
// ModuleSymbols.
//
// A path proves nothing: programs are rebuilt and libraries upgraded after they were recorded, and symbols of the
// wrong file are wrong names. The build-id decides; a file without one must have the recorded size and time.

import GenmarkModel

internal import CElfutils
internal import Glibc

/// An open file that is the recorded one, as libdwfl sees it.
final class ModuleFile {
  /// Where it was found.
  let path: String
  let module: OpaquePointer
  private let dwfl: OpaquePointer

  /// Why a module has no file.
  enum Failure: Error {
    case missing(path: String, reason: String)
    /// Another file lies there now.
    case changed(path: String, recorded: String, found: String)
    /// Recorded without anything to know it by.
    case unknowable(path: String)
    case unreadable(path: String, reason: String)
  }

  /// - Parameter descriptor: taken, also when this throws.
  private init(path: String, descriptor: Int32, lookup: DebugFileLookup) throws(Failure) {
    guard let dwfl = lookup.begin() else {
      close(descriptor)
      throw .unreadable(path: path, reason: ModuleFile.dwflError())
    }
    guard let module = lookup.report(path, descriptor, in: dwfl) else {
      let reason = ModuleFile.dwflError()
      dwfl_end(dwfl)
      throw .unreadable(path: path, reason: reason)
    }
    self.path = path
    self.module = module
    self.dwfl = dwfl
  }

  deinit { dwfl_end(dwfl) }

  /// Tries the places where the file may be, in their order.
  static func open(_ module: Module, options: SymbolOptions, lookup: DebugFileLookup) throws(Failure) -> ModuleFile {
    var first: Failure?
    for path in candidates(for: module, options: options, lookup: lookup) {
      do {
        return try open(path: path, for: module, lookup: lookup)
      } catch {
        // A file that is there but different says more than one that is not there.
        if case .missing = error { first = first ?? error } else if case .missing? = first { first = error }
        first = first ?? error
      }
    }
    throw first ?? .missing(path: module.path, reason: "it has no path")
  }

  private static func candidates(for module: Module, options: SymbolOptions, lookup: DebugFileLookup) -> [String] {
    var paths: [String] = []
    if module.isMain, let binary = options.binary { paths.append(binary) }
    if module.path.hasPrefix("/") {
      let path = module.path.hasSuffix(" (deleted)") ? String(module.path.dropLast(10)) : module.path
      if let sysroot = options.sysroot { paths.append(sysroot + path) }
      paths.append(path)
    }
    return paths + lookup.paths(forBuildID: module.buildID)
  }

  private static func open(path: String, for recorded: Module, lookup: DebugFileLookup) throws(Failure) -> ModuleFile {
    // Not blocking: a FIFO may lie there now.
    let descriptor = path.withPathBytes { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .missing(path: path, reason: String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, reason: "not a regular file")
    }
    let file = try ModuleFile(path: path, descriptor: descriptor, lookup: lookup)
    try file.check(against: recorded, status: status)
    return file
  }

  private func check(against recorded: Module, status: stat) throws(Failure) {
    let found = BuildID.of(module)
    guard recorded.buildID.isEmpty else {
      guard found == recorded.buildID else {
        throw .changed(
          path: path, recorded: "build-id " + BuildID.text(recorded.buildID),
          found: found.isEmpty ? "no build-id" : "build-id " + BuildID.text(found))
      }
      return
    }
    guard found.isEmpty else {
      throw .changed(path: path, recorded: "no build-id", found: "build-id " + BuildID.text(found))
    }
    guard recorded.fileSize > 0 else { throw .unknowable(path: path) }
    let modified = UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
    guard UInt64(status.st_size) == recorded.fileSize else {
      throw .changed(path: path, recorded: "\(recorded.fileSize) bytes", found: "\(status.st_size) bytes")
    }
    guard modified == recorded.modified.count else {
      throw .changed(path: path, recorded: "modified at another time", found: "the same size")
    }
  }

  /// Addresses that the program may execute.
  func codeRanges() -> [Range<UInt64>] {
    var bias: GElf_Addr = 0
    guard let elf = dwfl_module_getelf(module, &bias) else { return [] }
    var count = 0
    guard elf_getphdrnum(elf, &count) == 0 else { return [] }
    return (0..<count).compactMap { index in
      var header = GElf_Phdr()
      guard let number = Int32(exactly: index), gelf_getphdr(elf, number, &header) != nil,
        header.p_type == UInt32(PT_LOAD), header.p_flags & UInt32(PF_X) != 0
      else { return nil }
      let end = header.p_vaddr.addingReportingOverflow(header.p_memsz)
      return end.overflow || header.p_memsz == 0 ? nil : header.p_vaddr..<end.partialValue
    }
  }

  static func dwflError() -> String {
    dwfl_errmsg(-1).map { String(cString: $0) } ?? "no reason given"
  }
}
