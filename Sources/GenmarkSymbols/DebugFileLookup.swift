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

  init(options: SymbolOptions) {
    var directories = options.debugDirectories
    if let sysroot = options.sysroot { directories.append(sysroot + "/usr/lib/debug") }
    directories.append("/usr/lib/debug")
    self.directories = directories
    searchPath = .allocate(capacity: 1)
    // "Also beside the file itself, and in .debug there"; "+": files found by name alone must have the right CRC.
    searchPath.initialize(to: strdup("+:.debug:" + directories.joined(separator: ":")))
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: Dwfl_Callbacks())
    callbacks.pointee.find_elf = dwfl_build_id_find_elf
    callbacks.pointee.section_address = dwfl_offline_section_address
    callbacks.pointee.debuginfo_path = searchPath
    if options.usesDebuginfod {
      setenv("DEBUGINFOD_TIMEOUT", DebugFileLookup.serverTimeout, 0)
      callbacks.pointee.find_debuginfo = { module, data, name, base, file, link, crc, found in
        DebugFileLookup.environment.withLock { _ in
          dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found)
        }
      }
    } else {
      callbacks.pointee.find_debuginfo = { module, data, name, base, file, link, crc, found in
        DebugFileLookup.environment.withLock { _ in
          // The only way to tell libdwfl not to ask servers that the environment names.
          let servers = getenv("DEBUGINFOD_URLS").map { String(cString: $0) }
          unsetenv("DEBUGINFOD_URLS")
          defer { if let servers { setenv("DEBUGINFOD_URLS", servers, 1) } }
          return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found)
        }
      }
    }
  }

  /// Held while libdwfl looks into the environment: another symbolizer may want the servers.
  private static let environment = Mutex(())

  /// Seconds that a server may be silent for, unless the user set another number.
  private static let serverTimeout = "20"

  deinit {
    free(searchPath.pointee)
    searchPath.deallocate()
    callbacks.deallocate()
  }

  /// A new, empty session; nil when there is no memory for one. Must not outlive this.
  func begin() -> OpaquePointer? { dwfl_begin(callbacks) }

  /// Where a debug file lies when the file itself is gone.
  func paths(forBuildID bytes: [UInt8]) -> [String] {
    guard bytes.count > 1 else { return [] }
    let text = BuildID.text(bytes)
    return directories.map { "\($0)/.build-id/\(text.prefix(2))/\(text.dropFirst(2)).debug" }
  }
}
