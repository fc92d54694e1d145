// SPDX-License-Identifier: MIT
//
// Names of findings: caller chains, fingerprints, and what belongs into one finding.

import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkAnalysis

@Suite struct CallerChainTests {
  func chain(_ names: [String], headline: Int = 0) -> CallerChain {
    CallerChain(
      names.enumerated().map { index, name in
        Frame(
          function: name, module: "/usr/bin/app", offset: UInt64(index), file: "a.c", line: index,
          folded: name.hasPrefix("["))
      }, headline: headline)
  }

  @Test func foldedFramesAndRecursionAreLeftOut() {
    let collapsed = chain(["[malloc]", "leaf", "walk", "walk", "[thunk]", "visit", "walk", "main"], headline: 1)
    #expect(collapsed.functions.map(\.function) == ["leaf", "walk", "visit", "main"])
  }

  @Test func near() {
    let inner = chain(["init", "make", "run", "main"])
    #expect(inner.isNear(chain(["make", "run", "main"]), within: 2))
    #expect(chain(["make", "run", "main"]).isNear(inner, within: 2))
    #expect(inner.isNear(chain(["grow", "make", "run", "main"]), within: 2))
    #expect(!inner.isNear(chain(["main"]), within: 2))
    #expect(chain(["f", "main"]).isNear(chain(["main"]), within: 2))
    #expect(!chain(["f", "main"]).isNear(chain(["g", "main"]), within: 2))
    #expect(!inner.isNear(chain(["make", "other", "main"]), within: 2))
  }

  @Test(arguments: [
    ("parse.part.0", "parse"), ("parse.constprop.1.isra.0", "parse"), ("f [clone .cold]", "f"), ("a.b()", "a.b()"),
    (".cold", ".cold"), ("x.partial", "x.partial"),
  ])
  func clonesAreTheirFunction(_ name: String, _ plain: String) { #expect(FrameKey.withoutClone(name) == plain) }
}

@Suite struct FingerprintTests {
  func fingerprint(_ frames: [Frame]) -> String { Fingerprint.text(of: CallerChain(frames, headline: 0)) }

  @Test func staysInTheNextBuild() {
    let before = [
      Frame(function: "load", module: "/build/1/app", offset: 0x10, file: "load.c", line: 7),
      Frame(function: "main", module: "/build/1/app", offset: 0x40, file: "main.c", line: 3),
    ]
    let after = [
      Frame(function: "load.constprop.0", module: "/opt/app", offset: 0x90, file: "src/loader.c", line: 19),
      Frame(function: "main", module: "/opt/app", offset: 0xa0, file: "main.c", line: 4),
    ]
    #expect(fingerprint(before) == fingerprint(after))
    #expect(fingerprint(before).count == 16)
  }

  @Test func isAnotherForAnotherFunctionModuleOrOrder() {
    func frames(_ module: String, _ names: String...) -> [Frame] { names.map { Frame(function: $0, module: module) } }
    let all = [
      frames("app", "a", "b"), frames("app", "b", "a"), frames("lib", "a", "b"), frames("app", "ab"),
      frames("app", "a"),
    ]
    #expect(Set(all.map(fingerprint)).count == all.count)
  }

  @Test func withoutNamesTheOffsetStands() {
    #expect(fingerprint([Frame(module: "app", offset: 16)]) != fingerprint([Frame(module: "app", offset: 32)]))
    #expect(fingerprint([]).count == 16)
  }
}

@Suite struct StableChainTests {
  func stable(_ frames: [Frame], program: String? = "/usr/bin/app") -> [String] {
    CallerChain(frames, headline: 0).stable(program: program).functions.map { "\($0.module)!\($0.function)" }
  }

  @Test func whatChangesFromBuildToBuildIsLeftOut() {
    let before = [
      Frame(function: "keep(int) const", module: "/usr/bin/app"), Frame(function: "run", module: "/lib/libx.so.1.2"),
      Frame(module: "/lib/libx.so.1.2", offset: 16), Frame(function: "main", module: "/usr/bin/app"),
      Frame(function: "__libc_start_call_main", module: "/lib/x86_64-linux-gnu/libc.so.6"),
      Frame(function: "_start", module: "/usr/bin/app"),
    ]
    let after = [
      Frame(function: "keep", module: "/tmp/app-2"), Frame(function: "run", module: "/opt/libx.so.2"),
      Frame(module: "/opt/libx.so.2", offset: 64), Frame(function: "main", module: "/tmp/app-2"),
      Frame(module: "/lib/x86_64-linux-gnu/libc.so.6", offset: 4),
    ]
    #expect(stable(before) == ["!keep", "libx.so!run", "libx.so!?", "!main"])
    #expect(stable(before) == stable(after, program: "/tmp/app-2"))
  }

  @Test(arguments: [
    ("f(int)", "f"), ("operator()(int) const", "operator()"), ("f", "f"), ("App.every(_:call:)", "App.every(_:call:)"),
    ("(anonymous namespace)::f", "(anonymous namespace)::f"), ("f(void (*)(int))", "f"), ("f() &&", "f"), ("()", "()"),
    ("f)", "f)"),
  ])
  func parametersOfFunctions(_ name: String, _ stable: String) { #expect(FrameKey.withoutParameters(name) == stable) }

  @Test func overloadsAreToldApart() throws {
    let report = try growth(
      RecordingBuilder(marks: 20)
        .site("main > f(int) > [malloc]", survivors: every(1, cycles: 20))
        .site("main > f(long) > [malloc]", survivors: every(1, cycles: 20)))
    #expect(Set(report.findings.map(\.fingerprint)).count == 2)
  }
}

@Suite struct KnownGrowthTests {
  @Test func aLibrarysOwnStoreIsShownAndExcused() throws {
    let builder = RecordingBuilder(marks: 20)
      .site(
        "main > work > libdispatch.so!_dispatch_continuation_alloc_from_heap > [calloc]",
        survivors: every(1, cycles: 20), bytes: 64
      )
      .site("main > work > [malloc]", survivors: every(1, cycles: 20), bytes: 10)
    let report = try growth(builder)
    let known = try #require(report.findings.first { $0.known != nil })
    #expect(known.verdict == .saturating)
    #expect(known.isReported)
    #expect(known.blocksPerCycle == 1)
    #expect(report.findings.filter(\.verdict.isGrowth).map(\.headline?.function) == ["work"])
    let check = Check.report(of: report)
    #expect(check.exceeded.map(\.value) == [10])
    #expect(check.excused.map(\.fingerprint) == [known.fingerprint])
  }

  @Test(arguments: [
    ("libperl.so.5.36.0", true), ("perl", true), ("perl5.36.0", true), ("libperl.so.5.60", false),
    ("libperl.so.5.6", false),
    ("myperl", false),
  ])
  func versionsCount(_ module: String, _ isKnown: Bool) {
    let frames = [
      Frame(function: "realloc", folded: true), Frame(function: "Perl_stack_grow", module: "/usr/lib/" + module),
    ]
    #expect((KnownGrowth.find(frames) != nil) == isKnown)
  }

  @Test func everyStoreSaysWhatBoundsItAndWhere() {
    for known in KnownGrowth.all {
      #expect(!known.functions.isEmpty && !known.modules.isEmpty && !known.library.isEmpty)
      #expect(known.reason.count > 30 && known.versions.contains { $0.isNumber })
    }
  }

  @Test func aFunctionOfThatNameElsewhereIsNot() {
    let own = Frame(function: "_dispatch_continuation_alloc_from_heap", module: "/usr/bin/app")
    #expect(KnownGrowth.find([own]) == nil)
    let caller = Frame(function: "f", module: "/usr/bin/app")
    let known = Frame(function: "_dispatch_continuation_alloc_from_heap", module: "/usr/lib/libdispatch.so")
    #expect(KnownGrowth.find([caller, known]) == nil)
    #expect(KnownGrowth.find([Frame(function: "calloc", folded: true), known])?.index == 1)
  }
}
