// SPDX-License-Identifier: MIT

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// Functions that the compiler put into their callers.
@Suite struct InlineFrameTests {
  static let source = """
    #include <stdlib.h>
    #define INL static inline __attribute__((always_inline))
    #define KEEP(p) __asm__ volatile("" : : "g"(p) : "memory")
    static volatile int sink;
    INL void *inner(size_t n) {
      void *p = malloc(n);
      KEEP(p);
      return p;
    }
    INL void *middle(size_t n) { void *p = inner(n + 1); KEEP(p); return p; }
    INL void *outer(size_t n) { void *p = middle(n + 1); KEEP(p); return p; }
    __attribute__((noinline)) void *real(size_t n) { void *p = outer(n); KEEP(p); return p; }
    __attribute__((noinline)) void *other(void) {
      void *p =
        malloc(9);
      sink = 1;
      KEEP(p);
      return p;
    }
    int main(void) { return real(3) == other(); }
    """

  /// Every kind of debug information that compilers on this system write.
  static let variants: [[String]] = [
    ["gcc", "-O2", "-gdwarf-5", "-fno-builtin"], ["gcc", "-O2", "-gdwarf-4", "-fno-builtin"],
    ["gcc", "-O2", "-g", "-gz", "-fno-builtin"], ["gcc", "-O2", "-gdwarf-5", "-gsplit-dwarf", "-fno-builtin"],
    ["gcc", "-O2", "-gdwarf-4", "-gsplit-dwarf", "-fno-builtin"], ["gcc", "-O2", "-g", "-flto", "-fno-builtin"],
    ["gcc", "-O2", "-g", "-no-pie", "-fno-builtin"],
    ["gcc", "-O2", "-g", "-ffunction-sections", "-Wl,--gc-sections", "-fno-builtin"],
    ["clang", "-O2", "-g", "-fno-builtin"], ["clang", "-O2", "-gdwarf-4", "-fno-builtin"],
  ]

  @Test(arguments: variants)
  func innermostComesFirstWithItsOwnLine(_ command: [String]) throws {
    let binary = try Binary(Self.source, command)
    let addresses = try binary.returnAddresses(ofCallsTo: ["malloc"], from: "real")
    let found = frames(of: try binary.module(), returnAddresses: addresses)
    let stack = try #require(found.frames.first)
    #expect(stack.functions == ["inner", "middle", "outer", "real"])
    #expect(stack.map(\.line) == [6, 10, 11, 12])
    #expect(stack.map(\.inlined) == [true, true, true, false])
    #expect(stack.allSatisfy { $0.file == binary.directory.path + "/program.c" })
    #expect(found.warnings == [])
  }

  /// In the program's own file: Debian's compiler and ours do that by zlib, others by zstd.
  @Test(arguments: ["zlib-gabi", "zstd", "zlib-gnu"], ["-gdwarf-4", "-gdwarf-5"])
  func compressedDebugInformationIsReadAsTheOther(_ format: String, _ version: String) throws {
    let binary = try Binary(Self.source, ["gcc", "-O2", version, "-fno-builtin", "-Wl,--build-id"])
    let addresses = try binary.returnAddresses(ofCallsTo: ["malloc", "<real>", "<other>"])
    let module = try binary.module()
    let expected = frames(of: module, returnAddresses: addresses)
    try binary.run(["objcopy", "--compress-debug-sections=" + format, binary.path])
    let headers = try binary.run(["readelf", "-SW", binary.path])
    try #require(headers.contains(" C ") || headers.contains(".zdebug_info"))
    let found = frames(of: module, returnAddresses: addresses)
    #expect(found.frames == expected.frames && found.warnings == [])
    #expect(found.frames.contains { $0.functions == ["inner", "middle", "outer", "real"] })
  }

  @Test(arguments: ["zlib-gabi", "zstd"])
  func damagedCompressedSectionsLeaveTheSymbolTable(_ format: String) throws {
    let binary = try Binary(Self.source, ["gcc", "-O2", "-g", "-fno-builtin", "-Wl,--build-id"])
    let addresses = try binary.returnAddresses(ofCallsTo: ["malloc"])
    let module = try binary.module()
    let expected = frames(of: module, returnAddresses: addresses).frames
    try binary.run(["objcopy", "--compress-debug-sections=" + format, binary.path])
    let good = try [UInt8](Data(contentsOf: URL(fileURLWithPath: binary.path)))
    let sections = try binary.run(["readelf", "-SW", binary.path]).split(separator: "\n").map {
      $0.replacingOccurrences(of: "[ ", with: "[").split(separator: " ")
    }
    let info = try #require(sections.first { $0.count > 5 && $0[1] == ".debug_info" })
    let start = try #require(Int(info[4], radix: 16))
    let length = try #require(Int(info[5], radix: 16))
    // The head of the section says the format, what comes out, and its alignment; then the stream.
    let places = Array(start..<start + 24) + stride(from: start + 24, to: start + length, by: 3)
    for place in places {
      for value in [0x00, 0xff, good[place] ^ 0x10] as [UInt8] {
        var bad = good
        bad[place] = value
        try Data(bad).write(to: URL(fileURLWithPath: binary.path))
        let found = frames(of: module, returnAddresses: addresses).frames
        for (stack, whole) in zip(found, expected) {
          // zstd's stream has no checksum: what comes out of a damaged one may be anything.
          guard format != "zstd" || place < start + 24 else { continue }
          #expect(stack == whole || stack.functions.last == whole.functions.last, "byte \(place - start)")
        }
      }
    }
  }

  @Test func theLineIsThatOfTheCallAndNotOfTheReturn() throws {
    let binary = try Binary(Self.source, ["gcc", "-O2", "-g", "-fno-builtin"])
    let address = try #require(try binary.returnAddresses(ofCallsTo: ["malloc"], from: "other").first)
    let module = try binary.module()
    let frame = try #require(frames(of: module, returnAddresses: [address]).frames[0].first)
    #expect(frame.function == "other")
    #expect(frame.line == 15)
    #expect(frame.column == 5)
    #expect(frame.offset == address - 1)
    #expect(frame.module == module.path)
  }

  @Test func missingSplitDebugInformationIsSaidOnceAndTheFunctionIsStillNamed() throws {
    let binary = try Binary(Self.source, ["gcc", "-O2", "-g", "-gsplit-dwarf", "-fno-builtin"])
    try binary.run(["sh", "-c", "rm *.dwo"])
    let addresses = try binary.returnAddresses(ofCallsTo: ["malloc"])
    let found = frames(of: try binary.module(), returnAddresses: addresses)
    #expect(Set(found.frames.map { $0.functions }) == [["real"], ["other"]])
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].contains(".dwo"))
  }
}
