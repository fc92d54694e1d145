// SPDX-License-Identifier: MIT
//
// SymbolCache: what was looked up in the debug information of one file, kept on disk for the next time, by build-id.
// Where the files lie and how they are written is in CacheFolder; which answers are worth keeping in ModuleSymbols.
//
//   8 bytes   "GENMSYMS"
//   8 bytes   checksum of all that follows, little endian (FNV-1a, 64 bit)
//   text      the key: see `key(for:options:)`
//   text      path of the separate debug file, empty when the debug information was in the file itself
//   numbers   its size, time of change in ns, inode
//   FrameTable  by the file's own addresses, module 0; names are as in the file, not demangled
//
// A kept answer is used only for a file that was just proved to have that build-id, so a cache can make things quicker
// and never different. Whatever is wrong with a cache, it is as if there were none.

import GenmarkModel

internal import CElfutils
internal import Glibc

/// The answers that are kept for one file. For one thread; other processes may keep answers for the same file.
package final class SymbolCache {
  /// The debug file that answers came from.
  package struct DebugFile: Equatable {
    /// Empty: the file itself.
    var path = ""
    var size: UInt64 = 0
    var modified: UInt64 = 0
    var inode: UInt64 = 0

    /// Nil when there is no such file now.
    package init?(path: String) {
      self.path = path
      if path.isEmpty { return }
      var status = stat()
      guard path.withPathBytes({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      size = UInt64(status.st_size)
      modified = UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
      inode = UInt64(status.st_ino)
    }

    fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
      path = try reader.text()
      size = try reader.number()
      modified = try reader.number()
      inode = try reader.number()
    }
  }

  private static let magic = Array("GENMSYMS".utf8)

  private let folder: CacheFolder
  private let name: String
  private let key: String
  private lazy var kept: (file: DebugFile, table: FrameTable)? = load()
  private var added: [UInt64: [Frame]] = [:]
  private var source: DebugFile?

  /// Nil for a file without build-id: nothing else names it for good.
  init?(_ module: Module, options: SymbolOptions, folder: CacheFolder) {
    guard !module.buildID.isEmpty, module.buildID.count <= 32 else { return nil }
    self.folder = folder
    key = SymbolCache.key(for: module, options: options)
    let digits = String(checksum(key.utf8), radix: 16)
    name = BuildID.text(module.buildID) + "-" + digits + CacheFolder.suffix
  }

  /// The frames of an address; nil when they are not kept.
  subscript(address: UInt64) -> [Frame]? {
    added[address] ?? kept?.table[FrameTable.Place(module: 0, address: address)]
  }

  func add(_ frames: [Frame], at address: UInt64, from source: DebugFile) {
    self.source = source
    added[address] = frames
  }

  /// Writes what was added to what is kept by now.
  func save() {
    guard let source, !added.isEmpty else { return }
    var entries = added
    // Someone else may have added to it since.
    if let now = load(), now.file == source {
      for place in now.table.places where entries[place.address] == nil {
        entries[place.address] = now.table[place]
      }
    }
    added = [:]
    folder.write(SymbolCache.encoded(entries, key: key, from: source), to: name)
  }

  // MARK: Bytes

  package static func encoded(_ entries: [UInt64: [Frame]], key: String, from source: DebugFile) -> [UInt8] {
    var content = ByteWriter()
    content.text(key)
    content.text(source.path)
    for number in [source.size, source.modified, source.inode] { content.number(number) }
    let places = entries.map { (FrameTable.Place(module: 0, address: $0.key), $0.value) }
    content.raw(FrameTable.bytes(of: Dictionary(places) { first, _ in first }))
    var file = ByteWriter()
    file.raw(SymbolCache.magic)
    file.fixed(checksum(content.bytes))
    file.raw(content.bytes)
    return file.bytes
  }

  /// Nil when there is nothing, or nothing that may be believed.
  private func load() -> (file: DebugFile, table: FrameTable)? {
    guard let bytes = folder.read(name) else { return nil }
    return try? SymbolCache.decoded(bytes, key: key)
  }

  /// What a file of the cache holds, if it was made for this key.
  package static func decoded(_ bytes: [UInt8], key: String) throws(MalformedBytes) -> (
    file: DebugFile, table: FrameTable
  ) {
    var reader = ByteReader(bytes)
    guard try reader.raw(SymbolCache.magic.count).elementsEqual(SymbolCache.magic),
      try reader.fixed(UInt64.self) == checksum(bytes[reader.position...]), try reader.text() == key
    else { throw MalformedBytes() }
    let file = try DebugFile(&reader)
    // Another debug file may lie there by now, or none.
    guard file == DebugFile(path: file.path) else { throw MalformedBytes() }
    return (file, try FrameTable(bytes[reader.position...]))
  }

  /// All that answers depend on: the file, who looks them up (this very genmark), and where it is told to look.
  private static func key(for module: Module, options: SymbolOptions) -> String {
    var status = stat()
    let own =
      stat("/proc/self/exe", &status) == 0
      ? "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)" : "unknown"
    let library = dwfl_version(nil).map { String(cString: $0) } ?? ""
    return [
      "genmark symbols 1", BuildID.text(module.buildID), own, library, options.sysroot ?? "",
      options.debugDirectories.joined(separator: ":"),
    ].joined(separator: "\n")
  }
}
