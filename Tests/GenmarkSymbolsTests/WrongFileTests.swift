// SPDX-License-Identifier: MIT

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// Files that are not the ones that were recorded: never a wrong name.
@Suite struct WrongFileTests {
  private static func source(_ name: String) -> String {
    """
    #include <stdlib.h>
    __attribute__((noinline)) void *\(name)(size_t n) { void *p = malloc(n); __asm__ volatile("" : : "g"(p)); return p; }
    int main(void) { return \(name)(1) == 0; }
    """
  }

  private let binary: Binary
  private let addresses: [UInt64]

  init() throws {
    binary = try Binary(Self.source("recorded"), ["gcc", "-O1", "-g", "-Wl,--build-id"])
    addresses = try binary.returnAddresses(ofCallsTo: ["malloc"])
  }

  private func rebuild(_ flags: [String] = ["-Wl,--build-id"]) throws {
    let file = try binary.directory.write(Array(Self.source("rebuilt").utf8), to: "rebuilt.c")
    try binary.run(["gcc", "-O1", "-g"] + flags + [file, "-o", binary.path])
  }

  @Test func aRebuiltProgramGivesNoNamesAndOneWarning() throws {
    let module = try binary.module()
    try rebuild()
    let found = frames(of: module, returnAddresses: addresses + addresses)
    for stack in found.frames {
      #expect(stack == [Frame(module: module.path, offset: addresses[0] - 1)])
    }
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].contains("not the file that was recorded"))
    #expect(found.warnings[0].contains(BuildID.text(module.buildID)))
  }

  @Test func aProgramWithoutBuildIDIsKnownBySizeAndTime() throws {
    try rebuild(["-Wl,--build-id=none"])
    var module = try binary.module()
    #expect(module.buildID == [])
    #expect(frames(of: module, returnAddresses: addresses).frames[0].functions == ["rebuilt"])

    module.modified = Nanoseconds(module.modified.count + 1)
    let touched = frames(of: module, returnAddresses: addresses)
    #expect(touched.frames[0].functions == [nil])
    #expect(touched.warnings.count == 1)

    module.fileSize = 0
    let unknown = frames(of: module, returnAddresses: addresses)
    #expect(unknown.frames[0].functions == [nil])
    #expect(unknown.warnings[0].contains("without build-id"))
  }

  @Test func aFileThatGainedABuildIDIsAnother() throws {
    var module = try binary.module()
    module.buildID = []
    #expect(frames(of: module, returnAddresses: addresses).frames[0].functions == [nil])
  }

  @Test func aMissingFileIsSaid() throws {
    let module = try binary.module()
    try FileManager.default.removeItem(atPath: binary.path)
    let found = frames(of: module, returnAddresses: addresses)
    #expect(found.frames[0].functions == [nil])
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].hasPrefix(module.path + ": No such file"))
    #expect(found.warnings[0].contains("--binary"))
  }

  @Test func aDeletedFileThatIsBackIsUsed() throws {
    var module = try binary.module()
    module.path += " (deleted)"
    #expect(frames(of: module, returnAddresses: addresses).frames[0].functions == ["recorded"])
  }

  @Test func theUserMayNameThePlaceOfTheFile() throws {
    var module = try binary.module()
    let moved = binary.directory.path + "/machine/opt/moved"
    try FileManager.default.createDirectory(
      atPath: binary.directory.path + "/machine/opt", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: binary.path, toPath: moved)
    module.path = "/opt/moved"
    let root = SymbolOptions(sysroot: binary.directory.path + "/machine")
    #expect(frames(of: module, returnAddresses: addresses, options: root).frames[0].functions == ["recorded"])
    let named = SymbolOptions(binary: moved)
    #expect(frames(of: module, returnAddresses: addresses, options: named).frames[0].functions == ["recorded"])
    // Named is not believed: it must be the recorded one.
    try rebuild()
    let wrong = SymbolOptions(binary: binary.path)
    #expect(frames(of: module, returnAddresses: addresses, options: wrong).frames[0].functions == [nil])
  }

  @Test func aFolderAFifoAndTextAreNoPrograms() throws {
    var module = try binary.module()
    let fifo = binary.directory.path + "/fifo"
    try binary.run(["mkfifo", fifo])
    let text = try binary.directory.write(Array("\u{7f}ELF and then nothing of the kind".utf8), to: "text")
    for path in [fifo, text, binary.directory.path] {
      module.path = path
      let found = frames(of: module, returnAddresses: addresses)
      #expect(found.frames[0].functions == [nil])
      #expect(found.warnings.count == 1)
    }
  }

  @Test func aCutFileIsNoCrash() throws {
    let module = try binary.module()
    let bytes = try #require(FileManager.default.contents(atPath: binary.path))
    for length in stride(from: 0, to: bytes.count, by: 997) {
      let cut = try binary.directory.write(Array(bytes.prefix(length)), to: "cut")
      var part = module
      part.path = cut
      let found = frames(of: part, returnAddresses: addresses)
      #expect(found.frames[0].functions.allSatisfy { $0 == nil || $0 == "recorded" })
    }
  }

  @Test func theSameFileLoadedTwiceIsOpenedOnce() throws {
    var first = try binary.module(bias: 0x1000_0000)
    first.unloadedIn = 3
    var second = first
    second.bias = 0x7000_0000
    second.unloadedIn = nil
    var recording = recording(of: first, returnAddresses: addresses)
    recording.modules.append(second)
    let node = recording.callTree.append(address: addresses[0] + second.bias, parent: 0, module: 2)
    let symbolizer = Symbolizer(recording)
    #expect(symbolizer.frames(of: 1).functions == ["recorded"])
    #expect(symbolizer.frames(of: node) == symbolizer.frames(of: 1))
  }
}
