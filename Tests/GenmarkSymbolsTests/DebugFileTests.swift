// SPDX-License-Identifier: MIT

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// Debug information that is not in the program's own file.
@Suite struct DebugFileTests {
  private let binary: Binary
  private let addresses: [UInt64]
  private let debugFile: String
  private let module: Module

  init() throws {
    binary = try Binary(InlineFrameTests.source, ["gcc", "-O2", "-g", "-fno-builtin", "-Wl,--build-id"])
    addresses = try binary.returnAddresses(ofCallsTo: ["malloc"], from: "real")
    debugFile = binary.directory.path + "/program.debug"
    try binary.run(["objcopy", "--only-keep-debug", binary.path, debugFile])
    try binary.run(["objcopy", "--strip-all", "--add-gnu-debuglink=program.debug", binary.path])
    module = try binary.module()
  }

  private var whole: [String?] { ["inner", "middle", "outer", "real"] }

  private func functions(_ options: SymbolOptions = SymbolOptions()) -> [String?] {
    frames(of: module, returnAddresses: addresses, options: options).frames[0].functions
  }

  private func move(to folder: String, as name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: debugFile, toPath: folder + "/" + name)
  }

  @Test func besideTheProgram() { #expect(functions() == whole) }

  @Test func inTheFolderForThem() throws {
    try move(to: binary.directory.path + "/.debug", as: "program.debug")
    #expect(functions() == whole)
  }

  @Test func byBuildID() throws {
    let id = BuildID.text(module.buildID)
    let folder = binary.directory.path + "/symbols"
    try move(to: folder + "/.build-id/" + id.prefix(2), as: id.dropFirst(2) + ".debug")
    #expect(functions() == [nil])
    #expect(functions(SymbolOptions(debugDirectories: [folder])) == whole)
    // And without the program itself.
    try FileManager.default.removeItem(atPath: binary.path)
    #expect(functions(SymbolOptions(debugDirectories: [folder])) == whole)
  }

  @Test func byNameInADebugDirectory() throws {
    let folder = binary.directory.path + "/symbols"
    try move(to: folder + binary.directory.path, as: "program.debug")
    #expect(functions(SymbolOptions(debugDirectories: [folder])) == whole)
  }

  @Test(arguments: ["zlib-gabi", "zstd"])
  func compressed(_ format: String) throws {
    try binary.run(["objcopy", "--compress-debug-sections=" + format, debugFile])
    // The program knows the file by the checksum of its bytes.
    try binary.run(["objcopy", "--remove-section=.gnu_debuglink", binary.path])
    try binary.run(["objcopy", "--add-gnu-debuglink=program.debug", binary.path])
    #expect(functions() == whole)
    let id = BuildID.text(module.buildID)
    let folder = binary.directory.path + "/symbols"
    try move(to: folder + "/.build-id/" + id.prefix(2), as: id.dropFirst(2) + ".debug")
    #expect(functions() == [nil])
    #expect(functions(SymbolOptions(debugDirectories: [folder])) == whole)
  }

  @Test func ofTheRightNameAndWrongBytesIsNotUsed() throws {
    // By name: the checksum. By build-id: the id in the file, whatever the file is called.
    let other = try binary.directory.write(
      Array(InlineFrameTests.source.replacingOccurrences(of: "real", with: "wrong").utf8), to: "other.c")
    try binary.run(["gcc", "-O2", "-g", "-fno-builtin", "-Wl,--build-id=none", other, "-o", debugFile])
    #expect(functions() == [nil])
    let id = BuildID.text(module.buildID)
    let folder = binary.directory.path + "/symbols"
    try move(to: folder + "/.build-id/" + id.prefix(2), as: id.dropFirst(2) + ".debug")
    #expect(functions(SymbolOptions(debugDirectories: [folder])) == [nil])
  }

  @Test func ofAnotherBuildIsNotUsed() throws {
    let other = InlineFrameTests.source.replacingOccurrences(of: "real", with: "wrong")
    let file = try binary.directory.write(Array(other.utf8), to: "other.c")
    try binary.run(["gcc", "-O2", "-g", "-fno-builtin", "-Wl,--build-id", file, "-o", debugFile])
    #expect(functions() == [nil])
  }

  @Test func sharedBetweenFiles() throws {
    let program = try Binary(InlineFrameTests.source, ["gcc", "-O2", "-g", "-fno-builtin", "-Wl,--build-id"])
    try program.run(["cp", program.path, program.path + "2"])
    try program.run([
      "dwz", "-m", "shared.debug", "-M", program.directory.path + "/shared.debug", program.path, program.path + "2",
    ])
    let found = frames(
      of: try program.module(), returnAddresses: try program.returnAddresses(ofCallsTo: ["malloc"], from: "real"))
    #expect(found.frames[0].functions == whole)
  }
}
