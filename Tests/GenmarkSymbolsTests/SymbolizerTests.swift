// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// What a symbolizer does with whole stacks, and with what has no file.
@Suite struct SymbolizerTests {
  private func recording(_ addresses: [UInt64], modules: [Module]) -> Recording {
    var recording = Recording(file: "test.genmark", process: RecordedProcess(program: "/app"), modules: modules)
    var parent: CallTree.NodeID = 0
    for address in addresses.reversed() {
      let module = modules.firstIndex { $0.start <= address && address < $0.end }.map { Module.ID($0 + 1) } ?? 0
      parent = recording.callTree.append(address: address, parent: parent, module: module)
    }
    return recording
  }

  @Test func aStackIsWholeAndInnermostFirst() throws {
    let binary = try Binary(InlineFrameTests.source, ["gcc", "-O2", "-g", "-fno-builtin"])
    let module = try binary.module()
    let inner = try #require(try binary.returnAddresses(ofCallsTo: ["malloc"], from: "real").first)
    let outer = try #require(try binary.returnAddresses(ofCallsTo: ["<real>"]).first)
    let recording = recording([inner + module.bias, outer + module.bias], modules: [module])
    let frames = Symbolizer(recording).frames(of: 2)
    #expect(frames.functions == ["inner", "middle", "outer", "real", "main"])
  }

  @Test func anAddressInNoModuleIsAFrameWithNothingKnown() {
    #expect(Symbolizer(recording([0x4242], modules: [])).frames(of: 1) == [Frame()])
  }

  @Test func theKernelsPageNeedsNoFile() {
    let vdso = Module(path: "[vdso]", bias: 0x7000, start: 0x7000, end: 0x9000, isVDSO: true)
    let symbolizer = Symbolizer(recording([0x7101], modules: [vdso]))
    #expect(symbolizer.frames(of: 1) == [Frame(module: "[vdso]", offset: 0x100)])
    #expect(symbolizer.warnings == [])
  }

  @Test func nodesThatStandForNoFrameSaySo() {
    for (address, word) in [(UInt64(1), "outer"), (2, "early"), (3, "different")] {
      let frames = Symbolizer(recording([0x4242, address], modules: [])).frames(of: 2)
      #expect(frames.count == 2)
      #expect(frames[1].function?.contains(word) == true)
      #expect(frames[1].folded)
    }
  }

  @Test func nothingIsOpenedBeforeItIsAskedFor() {
    let missing = Module(path: "/nowhere/at/all", start: 0x1000, end: 0x2000, buildID: [1, 2, 3], isMain: true)
    let symbolizer = Symbolizer(recording([0x1100], modules: [missing]))
    #expect(symbolizer.warnings == [])
    _ = symbolizer.frames(of: 1)
    _ = symbolizer.frames(of: 1)
    #expect(symbolizer.warnings.count == 1)
  }

  @Test func cxxFunctionsHaveTheirScopesAndParametersHoweverTheyAreWritten() throws {
    let binary = try Binary(
      """
      #include <cstdlib>
      #define INL static inline __attribute__((always_inline))
      #define KEEP(p) __asm__ volatile("" : : "g"(p) : "memory")
      namespace ui {
      namespace { INL void *hidden(int n) { void *p = malloc(n); KEEP(p); return p; } }
      struct View {
        __attribute__((noinline)) View(int n) { void *p = hidden(n); KEEP(p); }
        INL void *make(int n) { void *p = malloc(n); KEEP(p); return p; }
      };
      __attribute__((noinline)) static void *plain(int n) { void *p = View::make(n); KEEP(p); return p; }
      }
      int main(int c, char **) { ui::View view(c); return ui::plain(c) == nullptr; }
      """, as: "program.cc", ["g++", "-O1", "-g", "-fno-builtin"])
    let found = frames(of: try binary.module(), returnAddresses: try binary.returnAddresses(ofCallsTo: ["malloc"]))
    let stacks = Set(found.frames.map { $0.functions })
    #expect(
      stacks == [
        ["ui::(anonymous namespace)::hidden", "ui::View::View(int)"], ["ui::View::make(int)", "ui::plain(int)"],
      ])
  }

  @Test(.enabled(if: (try? Program.run(["rustc", "--version"]))?.status == 0))
  func rust() throws {
    let binary = try Binary(
      """
      use std::collections::HashMap;
      struct Store { map: HashMap<u32, Vec<u8>> }
      impl Store {
        #[inline(never)] fn put(&mut self, key: u32) { self.map.insert(key, vec![0u8; key as usize]); }
      }
      fn main() {
        let mut store = Store { map: HashMap::new() };
        for key in 0..10 { store.put(key); }
        println!("{}", store.map.len());
      }
      """, as: "store.rs", ["rustc", "-g", "-O"])
    let module = try binary.module()
    let addresses = try binary.returnAddresses(ofCallsTo: ["call"], from: "Store3put")
    let stacks = frames(of: module, returnAddresses: addresses).frames
    #expect(!stacks.isEmpty)
    for stack in stacks {
      let headline = stack[stack.headline(program: module.path)]
      #expect(headline.function?.contains("Store") == true && headline.function?.hasSuffix("::put") == true)
      #expect(headline.file == binary.directory.path + "/store.rs")
      let library = stack.filter { $0.file?.hasPrefix("/rustc/") == true }
      #expect(library.allSatisfy { $0.folded })
    }
  }
}
