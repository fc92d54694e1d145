// SPDX-License-Identifier: MIT
//
// ProcessStatus: what /proc tells of a process. Used to see whether a recorded program still runs and, by LiveTrace,
// to find its trace and to sample it at a mark.

internal import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A process as /proc shows it. Every look is a new one; nil when the process is not there or may not be looked at.
struct ProcessStatus {
  let pid: Int32

  /// The running process that calls itself `ownPid` and started then: the one with this pid here, or one in a pid
  /// namespace below ours, a container's. Nil when there is none, or when the start is not known (0).
  static func find(ownPid: UInt32, startTicks: UInt64) -> ProcessStatus? {
    guard startTicks != 0, ownPid > 0, ownPid <= Int32.max else { return nil }
    let named = ProcessStatus(pid: Int32(ownPid))
    if named.startTicks == startTicks { return named }
    guard let directory = opendir("/proc") else { return nil }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let pid = Int32(name) else { continue }
      let process = ProcessStatus(pid: pid)
      if process.startTicks == startTicks, process.ownPid == ownPid { return process }
    }
    return nil
  }

  /// What tells two processes with one pid apart: ticks from boot to its start. Nil for a process that is gone or has
  /// ended and is not yet waited for.
  var startTicks: UInt64? {
    guard let text = contents("stat") else { return nil }
    // The name in parentheses may hold anything, parentheses too: fields are counted from the last one.
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, let state = fields[0].first, state != UInt8(ascii: "Z"), state != UInt8(ascii: "X")
    else { return nil }
    return UInt64(String(decoding: fields[19], as: UTF8.self))
  }

  /// Pid of the parent; nil when the process is gone.
  var parent: Int32? { field("PPid")?.first.flatMap { Int32($0) } }

  /// The processes that it has started, and those that they have: parents before children.
  func descendants() -> [ProcessStatus] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var children: [Int32: [Int32]] = [:]
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let pid = Int32(name), let parent = ProcessStatus(pid: pid).parent else { continue }
      children[parent, default: []].append(pid)
    }
    var found: [Int32] = children.removeValue(forKey: pid) ?? []
    var next = 0
    while next < found.count {
      found += (children.removeValue(forKey: found[next]) ?? []).sorted()
      next += 1
    }
    return found.map { ProcessStatus(pid: $0) }
  }

  /// Effective user.
  var user: UInt32? { field("Uid").flatMap { $0.count > 1 ? UInt32($0[1]) : nil } }

  /// Its pid as it sees it itself, in the innermost pid namespace.
  var ownPid: UInt32 { field("NSpid")?.last.flatMap { UInt32($0) } ?? UInt32(bitPattern: pid) }

  var threads: UInt32? { field("Threads")?.first.flatMap { UInt32($0) } }

  /// Of its memory that is in RAM.
  var residentBytes: UInt64? {
    guard let text = contents("statm") else { return nil }
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = UInt64(String(decoding: fields[1], as: UTF8.self)) else { return nil }
    return pages &* UInt64(max(1, sysconf(Int32(_SC_PAGESIZE))))
  }

  /// The files that it maps shared and writable, each once: their paths, and a second name that the kernel has for them.
  /// - Throws: `.noProcess`, `.processUnreadable`.
  func sharedMappings() throws(TraceError) -> [(path: String, kernelName: String)] {
    var code: Int32 = 0
    guard let text = contents("maps", error: &code) else {
      throw code == ENOENT || code == ESRCH
        ? .noProcess(pid: pid) : .processUnreadable(pid: pid, reason: systemMessage(code))
    }
    var mappings: [(path: String, kernelName: String)] = []
    var seen: Set<String> = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      // start-end perms offset device inode path, the path with blanks in it as they are
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].elementsEqual("rw-s".utf8) else { continue }
      let path = ProcessStatus.unescaped(fields[5].drop { $0 == UInt8(ascii: " ") })
      guard path.hasPrefix("/"), seen.insert(path).inserted else { continue }
      mappings.append((path, "/proc/\(pid)/map_files/\(String(decoding: fields[0], as: UTF8.self))"))
    }
    return mappings
  }

  /// The kernel writes a newline in a path as \012.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    String(pathBytes: bytes).split(separator: "\\012", omittingEmptySubsequences: false)
      .joined(separator: "\n")
  }

  /// The words of one line of /proc/PID/status.
  private func field(_ name: String) -> [String]? {
    guard let text = contents("status") else { return nil }
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: name.utf8) {
      let rest = line.dropFirst(name.utf8.count)
      guard rest.first == UInt8(ascii: ":") else { continue }
      return rest.dropFirst().split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        .map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }

  private func contents(_ name: String) -> [UInt8]? {
    var code: Int32 = 0
    return contents(name, error: &code)
  }

  private func contents(_ name: String, error code: inout Int32) -> [UInt8]? {
    let descriptor = open("/proc/\(pid)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      code = errno
      return nil
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        code = errno
        return nil
      }
    }
  }
}
