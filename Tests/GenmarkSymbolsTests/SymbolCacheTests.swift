// SPDX-License-Identifier: MIT
//
// The cache of symbols makes no answer different: not when it is used, damaged, shared, foreign or full.

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

@Suite("The cache of symbols")
struct SymbolCacheTests {
  private static let source = """
    #include <stdlib.h>
    static inline void *make(int n) { return malloc(n); }
    void *first(void) { return make(3); }
    void *second(void) { void *p = malloc(4); return p ? p : malloc(5); }
    int main(void) { return first() == second(); }
    """

  private let binary: Binary
  private let module: Module
  private let addresses: [UInt64]
  private let folder: String
  private let expected: [[Frame]]

  init() throws {
    binary = try Binary(Self.source, ["cc", "-O1", "-g", "-Wl,--build-id"])
    module = try binary.module()
    addresses = try binary.returnAddresses(ofCallsTo: ["malloc"])
    folder = binary.directory.path + "/caches/genmark"
    expected = frames(of: module, returnAddresses: addresses).frames
    try #require(addresses.count >= 3 && expected.allSatisfy { $0[0].line != nil })
  }

  private func looked(_ addresses: [UInt64]? = nil, in folder: String? = nil) -> [[Frame]] {
    frames(
      of: module, returnAddresses: addresses ?? self.addresses,
      options: SymbolOptions(cacheFolder: folder ?? self.folder)
    ).frames
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test("is private, and answers the same as the file")
  func answers() throws {
    #expect(looked() == expected)
    try #require(files.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + files[0])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    #expect(looked() == expected)
    // It was used: what is in it is what is said.
    let cache = try #require(CacheFolder(path: folder))
    let kept = try #require(SymbolCache(module, options: SymbolOptions(cacheFolder: folder), folder: cache))
    #expect(addresses.allSatisfy { kept[$0 - 1] != nil })
  }

  @Test("grows by what is new, whoever wrote it")
  func merges() throws {
    _ = looked([addresses[0]])
    _ = looked([addresses[1]])
    let cache = try #require(CacheFolder(path: folder))
    let kept = try #require(SymbolCache(module, options: SymbolOptions(cacheFolder: folder), folder: cache))
    #expect(kept[addresses[0] - 1] != nil && kept[addresses[1] - 1] != nil && kept[addresses[2] - 1] == nil)
  }

  @Test("that is damaged is as none, and written anew")
  func damaged() throws {
    _ = looked()
    let path = folder + "/" + files[0]
    let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in stride(from: 0, to: good.count, by: 7) {
      var bad = good
      bad[index] ^= 0x41
      try Data(bad).write(to: URL(fileURLWithPath: path))
      #expect(looked() == expected, "byte \(index)")
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == good, "byte \(index)")
    }
    for length in [0, 1, 8, 15, 16, 17, good.count / 2, good.count - 1] {
      try Data(good[..<length]).write(to: URL(fileURLWithPath: path))
      #expect(looked() == expected, "length \(length)")
    }
  }

  @Test("is never written through a link, nor read through one")
  func links() throws {
    _ = looked()
    let path = folder + "/" + files[0]
    let victim = binary.directory.path + "/victim"
    try Data("keep".utf8).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
    #expect(looked() == expected)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keep")
    let link = binary.directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    #expect(CacheFolder(path: link) == nil)
  }

  @Test("where there can be none is done without")
  func nowhere() throws {
    let file = binary.directory.path + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    for folder in ["relative", "", file, file + "/genmark", "/proc/none/genmark"] {
      #expect(CacheFolder(path: folder) == nil)
      #expect(looked(in: folder) == expected)
    }
    // Others could write into it.
    let open = binary.directory.path + "/open"
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
    chmod(open, 0o777)
    #expect(CacheFolder(path: open) == nil)
  }

  @Test("is shared by processes without harm")
  func shared() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for round in 0..<24 {
        group.addTask { [module, addresses, expected, folder] in
          let first = round % 3
          let options = SymbolOptions(cacheFolder: folder)
          let answer = frames(of: module, returnAddresses: Array(addresses[first...]), options: options)
          return answer.frames == Array(expected[first...])
        }
      }
      for await same in group { #expect(same) }
    }
    #expect(files.count == 1 && looked() == expected)
  }

  @Test("stays within its size: what was not used for longest goes first")
  func room() throws {
    try FileManager.default.createDirectory(
      atPath: binary.directory.path + "/caches", withIntermediateDirectories: true)
    let cache = try #require(CacheFolder(path: folder, limit: 20_000))
    for (age, name) in [("b", 300.0), ("a", 200.0), ("c", 100.0)].map({ ($0.1, $0.0 + CacheFolder.suffix) }) {
      cache.write([UInt8](repeating: 1, count: 8000), to: name)
      let date = Date(timeIntervalSinceNow: -age)
      try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder + "/" + name)
    }
    #expect(files == ["a.symbols", "c.symbols"])
    cache.write([UInt8](repeating: 1, count: 30_000), to: "large" + CacheFolder.suffix)
    #expect(files == ["a.symbols", "c.symbols"])
  }

  @Test("lies where the system's rules say")
  func place() {
    func folder(_ variables: [String: String]) -> String? { SymbolOptions.defaultCacheFolder { variables[$0] } }
    #expect(folder(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/genmark")
    #expect(folder(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/genmark")
    #expect(folder(["HOME": ""]) == nil)
    #expect(folder([:]) == nil)
  }
}
