// SPDX-License-Identifier: MIT
//
// PreloadLibrary: where libgenmark.so is: beside the command in a build, in lib/ beside bin/ in an installation.

import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

struct PreloadLibrary {
  static let fileName = "libgenmark.so"
  /// Overrides where the library is looked for.
  static let variable = "GENMARK_PRELOAD"

  /// Absolute.
  let path: String
  let image: ELFImage

  /// - Throws: `libraryNotFound`; `badLibrary` when what is there can not be loaded into any program.
  init(environment: Environment) throws(CommandError) {
    let candidates: [String]
    if let given = environment.nonEmpty(PreloadLibrary.variable) {
      candidates = [given]
    } else {
      let directory = Paths.directory(of: Paths.ownExecutable)
      candidates = ["", "/../lib", "/../lib/genmark"].map { directory + $0 + "/" + PreloadLibrary.fileName }
    }
    guard let found = candidates.first(where: { $0.withPathBytes { access($0, R_OK) } == 0 }),
      let path = Paths.resolved(found)
    else {
      throw .libraryNotFound(tried: candidates)
    }
    guard let image = ELFImage(path) else { throw .badLibrary(path: path, reason: "it is not an ELF library") }
    self.path = path
    self.image = image
  }

  /// LD_PRELOAD takes blanks and colons for the end of a name.
  var isLoadable: Bool { !path.contains { $0 == " " || $0 == ":" || $0 == "\t" } }

  /// The value of LD_PRELOAD: ours first, so that no other library takes the place of its hooks, then what was there.
  func preload(before others: String?) -> String {
    let rest = (others ?? "").split { $0 == ":" || $0 == " " }.map(String.init).filter { $0 != path }
    return ([path] + rest).joined(separator: ":")
  }
}

/// Questions about paths.
enum Paths {
  /// Of the running command; `genmark` when /proc is not there.
  static var ownExecutable: String {
    resolved("/proc/self/exe") ?? "genmark"
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Absolute and without links; nil when nothing is there.
  static func resolved(_ path: String) -> String? {
    guard let real = path.withPathBytes({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return String(pathBytes: RawText(copying: real).map { UInt8(bitPattern: $0) })
  }

  /// `path` from the working directory's root, links kept.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    let text = String(pathBytes: RawText(copying: directory).map { UInt8(bitPattern: $0) })
    return (text == "/" ? "" : text) + "/" + path
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return path.withPathBytes { lstat($0, &status) } == 0
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return path.withPathBytes { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Names in a directory; empty when it can not be read.
  static func entries(of directory: String) -> [String] {
    guard let stream = directory.withPathBytes({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(pathBytes: $0.prefix { $0 != 0 }) })
    }
    return names
  }
}

extension Paths {
  /// Nil when files can be made in the directory.
  static func whyNotWritable(_ directory: String) -> String? {
    directory.withPathBytes { access($0, W_OK | X_OK) } == 0 ? nil : SystemText.reason(errno)
  }

  /// Removes a regular file or a link; never anything else.
  static func removeFile(_ path: String) throws(CommandError) {
    var status = stat()
    guard path.withPathBytes({ lstat($0, &status) }) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFLNK else { throw .cannotWrite(path: path, reason: "it is not a file") }
    guard path.withPathBytes({ unlink($0) }) == 0 else {
      throw .cannotWrite(path: path, reason: SystemText.reason(errno))
    }
  }
}

extension CommandLine {
  /// The words that this process was called with, byte for byte.
  static var rawArguments: [RawText] {
    (0..<Int(argc)).compactMap { index in unsafeArgv[index].map { RawText(copying: $0) } }
  }
}
