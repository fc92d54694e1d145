// SPDX-License-Identifier: MIT
//
// ModuleSymbols: all that one module's files say about an address, debug information first, then symbol tables. Where
// the files are is in ModuleFile, what people see of a name in Demangler.

import GenmarkModel

internal import CElfutils

/// Names of the addresses of one module. Its parts are read when they are first needed.
final class ModuleSymbols {
  /// A function that an address belongs to.
  struct Entry {
    /// As in the symbol table or the debug information.
    var linkageName: String?
    /// When there is no linkage name.
    var name: String?
    var location: SourceLocation
    var inlined: Bool
  }

  private let file: ModuleFile
  private let path: String
  private lazy var debugInfo = openDebugInfo()
  private lazy var symbols = SymbolTable(module: file.module)
  private let cache: SymbolCache?
  /// Where the debug information was found.
  private var debugFile: SymbolCache.DebugFile?

  init(file: ModuleFile, path: String, cache: SymbolCache? = nil) {
    self.file = file
    self.path = path
    self.cache = cache
  }

  /// Keeps for the next time what was looked up.
  func save() { cache?.save() }

  /// Innermost first; empty when nothing is known of the address.
  /// - Parameter address: the file's own.
  func entries(at address: UInt64) -> [Entry] {
    if let frames = cache?[address] { return frames.map(Entry.init) }
    let entries = lookedUp(at: address)
    // Without debug information, or when not all of it is there, nothing is kept: it may be installed later.
    if let cache, let debugFile, missingSplitUnits.isEmpty,
      entries.allSatisfy({ $0.linkageName != nil || $0.name != nil })
    {
      cache.add(entries.map(\.frame), at: address, from: debugFile)
    }
    return entries
  }

  private func lookedUp(at address: UInt64) -> [Entry] {
    let answer = debugInfo?.answer(for: address)
    guard let answer, !answer.frames.isEmpty else {
      guard let symbol = symbols.symbol(at: address) else { return [] }
      return [
        Entry(linkageName: symbol.name, location: answer?.location ?? SourceLocation(), inlined: false)
      ]
    }
    return answer.frames.map { frame in
      var entry = Entry(
        linkageName: frame.linkageName, name: frame.name,
        location: SourceLocation(file: frame.file, line: frame.line, column: frame.column),
        inlined: frame.inlined)
      // A static function of C++ has parameters only in its symbol, a copy of a function may have no name at all, and
      // libc's sources call __strdup what programs call strdup.
      if !frame.inlined, frame.linkageName == nil, let symbol = symbols.symbol(at: frame.entry),
        symbol.start == frame.entry,
        frame.name.map({ Demangler.isMangled(symbol.name) || ($0.hasPrefix("_") && !symbol.name.hasPrefix("_")) })
          ?? true
      {
        entry.linkageName = symbol.name
        entry.name = nil
      }
      // glibc's debug information says __strdup or __GI___strdup where programs call strdup.
      if !frame.inlined, let name = entry.name ?? entry.linkageName, name.hasPrefix("__"), !Demangler.isMangled(name),
        let symbol = symbols.symbol(at: frame.entry), symbol.start == frame.entry,
        !symbol.name.hasPrefix("_"), symbol.name == Demangler.withoutCopySuffix(name).drop(while: { $0 == "_" })
      {
        entry.linkageName = symbol.name
        entry.name = nil
      }
      return entry
    }
  }

  /// What was found missing so far: split debug information that is not there.
  var missingSplitUnits: [String] { debugInfo?.missingSplitUnits ?? [] }

  private func openDebugInfo() -> DebugInfo? {
    var bias: Dwarf_Addr = 0
    guard let dwarf = dwfl_module_getdwarf(file.module, &bias), bias == 0 else { return nil }
    var debugPath: UnsafePointer<CChar>?
    dwfl_module_info(file.module, nil, nil, nil, nil, nil, nil, &debugPath)
    let found = debugPath.map { String(cString: $0) } ?? file.path
    debugFile = SymbolCache.DebugFile(path: found == file.path ? "" : found)
    return DebugInfo(dwarf: dwarf, code: file.codeRanges())
  }
}

extension ModuleSymbols.Entry {
  /// As it is kept in a cache.
  fileprivate init(_ frame: Frame) {
    self.init(
      linkageName: frame.linkageName, name: frame.function,
      location: SourceLocation(file: frame.file, line: frame.line, column: frame.column), inlined: frame.inlined)
  }

  fileprivate var frame: Frame {
    Frame(
      function: name, linkageName: linkageName, file: location.file, line: location.line, column: location.column,
      inlined: inlined)
  }
}
