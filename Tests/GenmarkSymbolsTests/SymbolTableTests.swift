// SPDX-License-Identifier: MIT

import Foundation
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// What stands in symbol tables alone, without debug information.
@Suite struct SymbolTableTests {
  @Test func aStrippedProgramNamesWhatItExportsAndNothingNearIt() throws {
    let binary = try Binary(
      """
      #include <stdlib.h>
      #define SITE __attribute__((noinline))
      SITE static void *hidden_a(void) { void *p = malloc(11); __asm__ volatile("" : : "g"(p)); return p; }
      SITE static void *hidden_b(void) { void *p = malloc(12); __asm__ volatile("" : : "g"(p)); return p; }
      SITE void *exported(void) { void *p = malloc(13); __asm__ volatile("" : : "g"(p)); return p; }
      int main(void) { return hidden_a() == hidden_b() && exported() == 0; }
      """, ["gcc", "-O1", "-fno-builtin", "-s", "-rdynamic", "-Wl,--build-id"])
    let addresses = try binary.returnAddresses(ofCallsTo: ["malloc"])
    let found = frames(of: try binary.module(), returnAddresses: addresses)
    #expect(addresses.count == 3)
    #expect(found.frames.map { $0.functions } == [[nil], [nil], ["exported"]])
    // They stay apart.
    #expect(Set(found.frames.map { $0[0].offset }).count == 3)
    #expect(found.frames.allSatisfy { $0[0].module == binary.path })
    #expect(found.warnings == [])
  }

  @Test func aSymbolCoversItsOwnSizeAndALabelGoesToTheNextOne() throws {
    let binary = try Binary(
      """
      .text
      .globl sized, label, second
      .type sized, @function
      sized: nop
      nop
      .size sized, 2
      nop
      nop
      label: nop
      nop
      second: nop
      .type second, @function
      .size second, 1
      nop
      .section .text.other, "ax", @progbits
      .globl main
      .type main, @function
      main: ret
      .size main, 1
      """, as: "program.s", ["gcc", "-nostartfiles", "-Wl,-e,main", "-Wl,--build-id"])
    let start = try #require(
      try binary.run(["nm", binary.path]).split(separator: "\n").first { $0.hasSuffix(" sized") }
        .flatMap { UInt64($0.prefix(16), radix: 16) })
    let names = frames(of: try binary.module(), returnAddresses: (0..<8).map { start + $0 + 1 }).frames
      .map { $0[0].function }
    #expect(names == ["sized", "sized", nil, nil, "label", "label", "second", nil])
  }

  @Test func theNameThatPeopleKnowIsChosenAmongAliases() throws {
    let binary = try Binary(
      """
      #include <stdlib.h>
      void *__internal_take(size_t n) { void *p = malloc(n); __asm__ volatile("" : : "g"(p)); return p; }
      void *take(size_t n) __attribute__((alias("__internal_take")));
      static void *local(size_t n) __attribute__((alias("__internal_take"), used));
      int main(void) { return take(1) == 0; }
      """, ["gcc", "-O1", "-Wl,--build-id"])
    let found = frames(of: try binary.module(), returnAddresses: try binary.returnAddresses(ofCallsTo: ["malloc"]))
    #expect(found.frames[0].functions == ["take"])
  }

  @Test func namesAreTakenAsTheyAre() throws {
    let names = [
      "evil</script><script>alert(1)</script>", "evil\u{1b}]0;title\u{7}\u{1b}[2J", "evil\"quote\\,;semi",
      "evil\nnewline : 99 bytes",
    ]
    let labels = [
      #"evil</script><script>alert(1)</script>"#, #"evil\033]0;title\007\033[2J"#, #"evil\"quote\\,;semi"#,
      #"evil\nnewline : 99 bytes"#, #"evil\xff\xc3"#,
    ]
    let functions = labels.enumerated().map { index, label in
      """
      void *f\(index)(size_t n) __asm__("\(label)");
      __attribute__((noinline)) void *f\(index)(size_t n) { void *p = malloc(n); __asm__ volatile("" : : "g"(p)); return p; }

      """
    }
    let binary = try Binary(
      "#include <stdlib.h>\n" + functions.joined()
        + "int main(void) { return f0(1) == f1(2) && f2(3) == f3(f4(5) != 0); }",
      ["clang", "-O1", "-fno-builtin", "-Wl,--build-id"])
    let found = frames(of: try binary.module(), returnAddresses: try binary.returnAddresses(ofCallsTo: ["malloc"]))
    #expect(found.frames.map { $0[0].function } == names + ["evil\u{fffd}\u{fffd}"])
  }
}
