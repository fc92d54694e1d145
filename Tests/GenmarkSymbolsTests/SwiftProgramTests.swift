// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkSymbols

/// Programs in Swift, as swiftc compiles them.
@Suite struct SwiftProgramTests {
  private static let source = """
    final class Parent {
      var children: [Child] = []
      @inline(never) func addChild(age: Int) {
        let child = Child(age: age)
        child.parent = self
        children.append(child)
      }
    }
    final class Child {
      let age: Int
      var parent: Parent?
      init(age: Int) { self.age = age }
    }
    struct Box<T> {
      @inline(never) func twice(_ value: T) -> [T] { [value, value] }
    }
    @inline(never) func openFamily(_ n: Int) -> Parent {
      let parent = Parent()
      for age in 0..<n { parent.addChild(age: age) }
      return parent
    }
    @main struct Main {
      static func main() {
        print(openFamily(3).children.count, Box<String>().twice("a").count)
      }
    }
    """

  private static let allocations = ["swift_allocObject", "swift_bufferAllocate", "swift_slowAlloc"]

  @Test func debug() throws {
    let binary = try Binary(
      Self.source, as: "family.swift", ["swiftc", "-parse-as-library", "-module-name", "family", "-g", "-Onone"])
    let module = try binary.module()
    let addresses = try binary.returnAddresses(ofCallsTo: ["fC", "swift_allocObject"])
    let stacks = frames(of: module, returnAddresses: addresses).frames
    #expect(Set(stacks.map { $0[0].function }).isSuperset(of: ["Parent.addChild(age:)", "openFamily(_:)"]))
    #expect(stacks.allSatisfy { $0.count == 1 })
    #expect(stacks.filter { $0[0].function?.contains("__allocating_init") == true }.allSatisfy { $0[0].folded })
    let call = try #require(stacks.first { $0[0].function == "Parent.addChild(age:)" }?.first)
    #expect(call.line == 4)
    #expect(call.file == binary.directory.path + "/family.swift")
  }

  @Test func releaseShowsTheFunctionThatWasWrittenThroughInlinedInitialisers() throws {
    let binary = try Binary(
      Self.source, as: "family.swift", ["swiftc", "-parse-as-library", "-module-name", "family", "-g", "-O"])
    let module = try binary.module()
    let addresses = try binary.returnAddresses(ofCallsTo: ["swift_allocObject"], from: "addChild")
    let stack = try #require(frames(of: module, returnAddresses: addresses).frames.first)
    #expect(stack[0].function == "Child.__allocating_init(age:)")
    #expect(stack[0].inlined && stack[0].folded)
    let headline = stack[stack.headline(program: module.path)]
    #expect(headline.function == "Parent.addChild(age:)")
    #expect(headline.line == 4)
    #expect(headline.file == binary.directory.path + "/family.swift")
  }

  @Test func theStandardLibraryCompiledIntoTheProgramIsFolded() throws {
    let binary = try Binary(
      Self.source, as: "family.swift", ["swiftc", "-parse-as-library", "-module-name", "family", "-g", "-O"])
    let module = try binary.module()
    let addresses = try binary.returnAddresses(ofCallsTo: Self.allocations, from: "Box")
    let stack = try #require(frames(of: module, returnAddresses: addresses).frames.first)
    #expect(stack.functions == ["specialized _allocateUninitializedArray<A>(_:)", "Box.twice(_:)"])
    #expect(stack.map(\.folded) == [true, false])
  }

  @Test func asyncFunctionsAreNamedByThePartThatRuns() throws {
    let binary = try Binary(
      """
      @inline(never) func hold() async -> [Int] { await Task.yield(); return [1, 2, 3] }
      @main struct Main {
        static func main() async {
          let first = await hold()
          let second = await hold()
          print(first.count + second.count)
        }
      }
      """, as: "later.swift", ["swiftc", "-parse-as-library", "-module-name", "later", "-g", "-O"])
    let symbols = try binary.run(["nm", binary.path]).split(separator: "\n").map { $0.split(separator: " ") }
    let starts = symbols.filter { $0.count == 3 && $0[2].hasPrefix("$s5later4hold") && $0[2].contains("TQ") }
      .compactMap { UInt64($0[0], radix: 16) }
    #expect(!starts.isEmpty)
    let found = frames(of: try binary.module(), returnAddresses: starts.map { $0 + 1 })
    for stack in found.frames {
      #expect(stack.last?.function?.hasSuffix("resume partial function for hold()") == true)
    }
  }
}
