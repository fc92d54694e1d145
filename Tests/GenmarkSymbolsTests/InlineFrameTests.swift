// SPDX-License-Identifier: MIT

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
