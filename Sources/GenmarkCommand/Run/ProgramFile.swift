// SPDX-License-Identifier: MIT
//
// ProgramFile: what will run when a name is executed, and whether a preloaded library gets into it. It only looks;
// starting is ChildProcess's.

import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

/// An executable as the system will treat it.
struct ProgramFile: Equatable {
  /// Path to execute: `name` itself, or where PATH has it.
  let path: String
  /// Words before the program's own arguments: empty, or `/bin/sh PATH` for a text file without `#!`.
  let interpreter: [String]
  /// The ELF file that is loaded in the end: the program, or the interpreter of its script.
  let image: String
  /// Why a library can not be preloaded into `image`; nil when it can.
  let obstacle: Obstacle?

  /// Why a program can not be recorded.
  enum Obstacle: Equatable {
    case staticallyLinked
    case machine(program: String, library: String)
    case otherLibc(loader: String)
    case privileged(String)
    case notELF

    /// Completes "… is not recorded: …".
    var reason: String {
      switch self {
      case .staticallyLinked: "it is statically linked, so nothing can be preloaded into it; link it dynamically"
      case .machine(let program, let library): "it is a program for \(program), and libgenmark.so is for \(library)"
      case .otherLibc(let loader): "its loader is \(loader), and libgenmark.so needs the GNU C library"
      case .privileged(let how): "it is \(how), and the system lets nothing be preloaded into such programs"
      case .notELF: "it is not an ELF program"
      }
    }
  }

  private static let scriptDepth = 5

  /// Finds `name` as execvp(3) does and looks into it.
  /// - Throws: `programNotFound`, `cannotExecute`.
  init(_ name: String, library: ELFImage?, environment: Environment) throws(CommandError) {
    path = try ProgramFile.locate(name, path: environment["PATH"] ?? "/bin:/usr/bin")
    var image = path
    var interpreter: [String] = []
    for depth in 0...ProgramFile.scriptDepth {
      guard let next = try ProgramFile.scriptInterpreter(of: image, orShell: depth == 0) else { break }
      if depth == 0, next.isShellFallback { interpreter = [next.path] }
      image = next.path
    }
    self.image = image
    self.interpreter = interpreter
    obstacle = ProgramFile.obstacle(in: image, library: library)
  }

  // MARK: - Finding

  private static func locate(_ name: String, path: String) throws(CommandError) -> String {
    if name.contains("/") {
      try checkExecutable(name, name: name)
      return name
    }
    guard !name.isEmpty else { throw .programNotFound(name) }
    var refused: CommandError?
    for directory in path.split(separator: ":", omittingEmptySubsequences: false) {
      let candidate = (directory.isEmpty ? "." : String(directory)) + "/" + name
      do {
        try checkExecutable(candidate, name: name)
        return candidate
      } catch .cannotExecute(let path, let reason) {
        refused = refused ?? .cannotExecute(path, reason: reason)
      } catch {}
    }
    throw refused ?? .programNotFound(name)
  }

  private static func checkExecutable(_ path: String, name: String) throws(CommandError) {
    var status = stat()
    guard path.withPathBytes({ stat($0, &status) }) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .programNotFound(name) }
      throw .cannotExecute(path, reason: SystemText.reason(errno))
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw .cannotExecute(path, reason: "it is a directory") }
    guard path.withPathBytes({ access($0, X_OK) }) == 0 else {
      throw .cannotExecute(path, reason: SystemText.reason(errno))
    }
  }

  // MARK: - Scripts

  private struct Interpreter {
    var path: String
    var isShellFallback = false
  }

  /// What executes a script; nil when the file is no script. A text file without `#!` is the shell's, as execvp has it.
  private static func scriptInterpreter(of path: String, orShell: Bool) throws(CommandError) -> Interpreter? {
    // The kernel reads this much (BINPRM_BUF_SIZE).
    let head = ELFImage.read(path, count: 256) ?? []
    if head.starts(with: ELFImage.magic) || head.isEmpty { return nil }
    guard head.starts(with: Array("#!".utf8)) else {
      return orShell && !head.contains(0) ? Interpreter(path: "/bin/sh", isShellFallback: true) : nil
    }
    let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = String(pathBytes: line).split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard let interpreter = words.first.map(String.init) else {
      throw .cannotExecute(path, reason: "its first line names no interpreter")
    }
    guard interpreter.withPathBytes({ access($0, X_OK) }) == 0 else {
      throw .cannotExecute(path, reason: "its interpreter '\(interpreter)' is not there")
    }
    return Interpreter(path: interpreter)
  }

  // MARK: - Obstacles

  private static func obstacle(in path: String, library: ELFImage?) -> Obstacle? {
    guard let image = ELFImage(path) else { return .notELF }
    if let library, image.machine != library.machine || image.bits != library.bits {
      return .machine(program: image.machineName, library: library.machineName)
    }
    guard let loader = image.loader else { return .staticallyLinked }
    if loader.contains("/ld-musl") { return .otherLibc(loader: loader) }
    return privilege(of: path).map { .privileged($0) }
  }

  /// How executing the file changes privileges, which is when the loader ignores LD_PRELOAD.
  private static func privilege(of path: String) -> String? {
    var status = stat()
    guard path.withPathBytes({ stat($0, &status) }) == 0 else { return nil }
    if status.st_mode & S_ISUID != 0, status.st_uid != getuid() { return "setuid" }
    if status.st_mode & S_ISGID != 0, status.st_mode & S_IXGRP != 0, status.st_gid != getgid() { return "setgid" }
    return getuid() != 0 && hasCapabilities(path) ? "given file capabilities" : nil
  }

  private static func hasCapabilities(_ path: String) -> Bool {
    // <sys/xattr.h> is not in the Glibc module, so that the function has to be asked for by its name.
    typealias GetExtendedAttribute =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
      ) -> Int
    guard let symbol = dlsym(nil, "getxattr") else { return false }
    let get = unsafeBitCast(symbol, to: GetExtendedAttribute.self)
    return path.withPathBytes { get($0, "security.capability", nil, 0) } > 0
  }
}
