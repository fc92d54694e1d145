// SPDX-License-Identifier: MIT
//
// CacheFolder: the folder of the cache of symbols: safe to share among processes, of bounded size, and never in the
// way: what can not be read or written is not there. What the files hold is in SymbolCache.
//
// Everything goes through the folder's descriptor and follows no links. Files are written under another name and then
// renamed, so that a reader finds all of one or nothing.

internal import Glibc

/// An open folder that only we can write to.
final class CacheFolder {
  static let suffix = ".symbols"
  private static let temporarySuffix = ".tmp"
  /// All files together; the ones not used for longest are removed beyond it.
  static let sizeLimit: UInt64 = 256 << 20
  /// One file.
  private static let fileLimit = 64 << 20
  /// Seconds after which a file that nobody finished is removed.
  private static let temporaryAge = 3600

  private let descriptor: Int32
  private let limit: UInt64

  /// Makes the folder and the one that it is in when they are missing.
  /// - Returns: nil when there can be none, or others could write into it.
  init?(path: String, limit: UInt64 = CacheFolder.sizeLimit) {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { mkdir(String(path[..<slash]), 0o700) }
    mkdir(path, 0o700)
    let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      close(opened)
      return nil
    }
    descriptor = opened
    self.limit = limit
  }

  deinit { close(descriptor) }

  /// Nil when there is no such file of ours. Counts as a use of it.
  func read(_ name: String) -> [UInt8]? {
    // Not blocking: it may be anything.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_size > 0, status.st_size <= CacheFolder.fileLimit
    else { return nil }
    futimens(file, nil)
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let count = Glibc.read(file, buffer.baseAddress?.advanced(by: filled), size - filled)
        if count > 0 { filled += count } else if count == 0 || errno != EINTR { break }
      }
    }
    return bytes.count == size ? bytes : nil
  }

  /// Replaces the file in one step, then makes room. Does nothing when it can not.
  func write(_ bytes: [UInt8], to name: String) {
    guard bytes.count <= CacheFolder.fileLimit, UInt64(bytes.count) <= limit else { return }
    let temporary = ".\(name).\(getpid()).\(UInt32.random(in: 0...UInt32.max))\(CacheFolder.temporarySuffix)"
    let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let isWritten = CacheFolder.writeAll(bytes, to: file)
    if close(file) != 0 || !isWritten || renameat(descriptor, temporary, descriptor, name) != 0 {
      unlinkat(descriptor, temporary, 0)
    }
    makeRoom()
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
      }
      return true
    }
  }

  // MARK: Room

  private struct Item {
    var name: String
    var size: UInt64
    var used: Int
  }

  private func makeRoom() {
    var items = self.items().sorted { ($0.used, $0.name) < ($1.used, $1.name) }[...]
    var total = items.reduce(UInt64(0)) { $0 + $1.size }
    while total > limit, let oldest = items.popFirst() {
      unlinkat(descriptor, oldest.name, 0)
      total -= oldest.size
    }
  }

  /// The cache's files. Removes what was left unfinished long ago.
  private func items() -> [Item] {
    // A descriptor of its own: reading a folder moves its place.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let folder = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(folder) }
    var items: [Item] = []
    let now = time(nil)
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let isTemporary = name.hasPrefix(".") && name.hasSuffix(CacheFolder.temporarySuffix)
      guard isTemporary || name.hasSuffix(CacheFolder.suffix) else { continue }
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      if isTemporary {
        if now - status.st_mtim.tv_sec > CacheFolder.temporaryAge { unlinkat(descriptor, name, 0) }
      } else if status.st_mode & S_IFMT == S_IFREG {
        // Blocks, not bytes: many small files take more than they hold.
        items.append(Item(name: name, size: UInt64(status.st_blocks) * 512, used: status.st_mtim.tv_sec))
      }
    }
    return items
  }
}

extension SymbolOptions {
  /// Where the user's programs keep what they can make again: `$XDG_CACHE_HOME/genmark`, else `~/.cache/genmark`. Nil
  /// when neither is an absolute path.
  public static func defaultCacheFolder(_ environment: (String) -> String?) -> String? {
    if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") { return caches + "/genmark" }
    if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.cache/genmark" }
    return nil
  }
}
