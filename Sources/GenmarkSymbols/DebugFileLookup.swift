// SPDX-License-Identifier: MIT
//
// DebugFileLookup: where separate debug files are: `.build-id` folders, `.gnu_debuglink` names, and debuginfod servers
// when the user asked for them. The search and its checks (build-id, CRC) are libdwfl's; this tells it where, and keeps
// it off the network.

internal import CElfutils
internal import Glibc
internal import Synchronization

/// The search path of one symbolizer.
final class DebugFileLookup {
  private let callbacks: UnsafeMutablePointer<Dwfl_Callbacks>
  private let searchPath: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let directories: [String]
  private let unpacks: Bool
  /// Becomes false when the servers take too long.
  private var usesServers: Bool
  /// True when servers were to be asked and it is no use any more.
  private(set) var hasGivenUp = false
  /// Time in which they had nothing to say, in seconds.
  private var waited = 0.0

  /// - Parameter unpacks: false when no debug information will be read, only symbols and what the program has in memory.
  init(options: SymbolOptions, unpacks: Bool = true) {
    self.unpacks = unpacks
    var directories = options.debugDirectories
    if let sysroot = options.sysroot { directories.append(sysroot + "/usr/lib/debug") }
    directories.append("/usr/lib/debug")
    self.directories = directories
    usesServers = options.usesDebuginfod
    searchPath = .allocate(capacity: 1)
    // "Also beside the file itself, and in .debug there"; "+": files found by name alone must have the right CRC.
    searchPath.initialize(to: strdup("+:.debug:" + directories.joined(separator: ":")))
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Dwfl_Callbacks())
    callbacks.pointee.find_elf = dwfl_build_id_find_elf
    callbacks.pointee.section_address = dwfl_offline_section_address
    callbacks.pointee.debuginfo_path = searchPath
    callbacks.pointee.find_debuginfo = { module, userData, name, base, file, link, crc, found in
      guard let module, let userData, let data = userData.pointee else { return -1 }
      let lookup = Unmanaged<DebugFileLookup>.fromOpaque(data).takeUnretainedValue()
      // A link without CRC is that to a file that dwz shares among several.
      let isShared = link != nil && crc == 0
      if !isShared, let known = lookup.fileWithBuildID(of: module, file, link) {
        found?.pointee = strdup(known.path)
        return known.descriptor
      }
      return lookup.search { dwfl_standard_find_debuginfo(module, userData, name, base, file, link, crc, found) }
    }
    if usesServers {
      setenv("DEBUGINFOD_TIMEOUT", String(DebugFileLookup.serverTimeout), 0)
      setenv("DEBUGINFOD_MAXTIME", String(DebugFileLookup.downloadTimeout), 0)
    }
  }

  deinit {
    free(searchPath.pointee)
    searchPath.deallocate()
    callbacks.deallocate()
  }

  /// A new, empty session; nil when there is no memory for one. Must not outlive this.
  func begin() -> OpaquePointer? { dwfl_begin(callbacks) }

  /// Makes a file the only module of a session. Base 0: addresses in and out are the file's own, as the trace's offsets
  /// are.
  /// - Parameter descriptor: taken, also when the answer is nil.
  func report(_ path: String, _ descriptor: Int32, in dwfl: OpaquePointer) -> OpaquePointer? {
    let descriptor = unpacked(descriptor)
    guard let module = path.withPathBytes({ dwfl_report_elf(dwfl, $0, $0, descriptor, 0, true) }) else {
      close(descriptor)
      return nil
    }
    dwfl_report_end(dwfl, nil, nil)
    var userData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    dwfl_module_info(module, &userData, nil, nil, nil, nil, nil, nil)
    userData?.pointee = Unmanaged.passUnretained(self).toOpaque()
    return module
  }

  /// Where a debug file lies when the file itself is gone.
  func paths(forBuildID bytes: [UInt8]) -> [String] {
    guard bytes.count > 1 else { return [] }
    let text = BuildID.text(bytes)
    return directories.map { "\($0)/.build-id/\(text.prefix(2))/\(text.dropFirst(2)).debug" }
  }

  /// The debug file of a module that has a build-id, where such files usually are.
  ///
  /// libdwfl would find it, too, but opens what has a build-id at once, and could not be given the unpacked copy any more.
  /// - Parameters:
  ///   - file: path of the module.
  ///   - link: name of its debug file, as it says.
  private func fileWithBuildID(
    of module: OpaquePointer, _ file: UnsafePointer<CChar>?, _ link: UnsafePointer<CChar>?
  ) -> (descriptor: Int32, path: String)? {
    let wanted = BuildID.of(module)
    guard !wanted.isEmpty else { return nil }
    var candidates = paths(forBuildID: wanted)
    if let link = link.map({ String(cString: $0) }), let file = file.map({ String(cString: $0) }),
      !link.contains("/"), let slash = file.lastIndex(of: "/")
    {
      let folder = file[..<slash]
      candidates += (["", "/.debug"].map { folder + $0 } + directories.map { $0 + folder }).map { $0 + "/" + link }
    }
    for path in candidates {
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if BuildID.read(from: descriptor) == wanted { return (unpacked(descriptor), path) }
      close(descriptor)
    }
    return nil
  }

  /// The same file, or its unpacked copy in place of it.
  /// - Parameter descriptor: taken; less than 0 when there is no file.
  private func unpacked(_ descriptor: Int32) -> Int32 {
    guard unpacks, descriptor >= 0, let copy = UnpackedFile.descriptor(unpacking: descriptor) else { return descriptor }
    close(descriptor)
    return copy
  }

  /// Seconds that a server may be silent for, unless the user set another number.
  private static let serverTimeout = 20
  /// Seconds for a whole file, likewise.
  private static let downloadTimeout = 120

  /// Held while libdwfl looks into the environment: another symbolizer may want the servers.
  private static let environment = Mutex(())

  /// Runs a search of libdwfl's, with servers or without.
  /// - Parameter find: answers a descriptor, or less than 0.
  private func search(_ find: () -> Int32) -> Int32 {
    DebugFileLookup.environment.withLock { _ in
      guard !usesServers else { return watched(find) }
      // The only way to tell libdwfl not to ask servers that the environment names.
      let servers = getenv("DEBUGINFOD_URLS").map { String(cString: $0) }
      unsetenv("DEBUGINFOD_URLS")
      defer { if let servers { setenv("DEBUGINFOD_URLS", servers, 1) } }
      return find()
    }
  }

  /// A program has dozens of libraries: a server that keeps us waiting for one of them is not asked for the others.
  private func watched(_ find: () -> Int32) -> Int32 {
    let start = DebugFileLookup.now()
    let descriptor = find()
    if descriptor < 0 { waited += DebugFileLookup.now() - start }
    let patience = getenv("DEBUGINFOD_TIMEOUT").flatMap { Double(String(cString: $0)) } ?? 0
    if waited >= max(patience, 1) * 0.9 {
      usesServers = false
      hasGivenUp = true
    }
    return descriptor
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
