// SPDX-License-Identifier: MIT

import GenmarkModel
import Testing

/// Which frame stands for a stack.
@Suite struct HeadlineTests {
  private let program = "/home/me/app"

  @Test func theInnermostFrameOfTheProgramThatIsNotFolded() {
    let frames = [
      Frame(function: "malloc", module: "/lib/libc.so.6", folded: true),
      Frame(function: "g_list_append", module: "/usr/lib/libglib-2.0.so.0"),
      Frame(function: "add", module: program), Frame(function: "main", module: program),
    ]
    #expect(frames.headline(program: program) == 2)
  }

  @Test func aLibraryOfTheUsersOwnCountsWhenItsSourceIsKnown() {
    let frames = [
      Frame(function: "json_new", module: "/home/me/lib/libjson.so"),
      Frame(function: "open", module: "/home/me/lib/libmine.so", file: "/home/me/mine.c", line: 3),
      Frame(function: "main", module: program),
    ]
    #expect(frames.headline(program: program) == 1)
  }

  @Test func codeOfSystemHeadersIsNotTheUsers() {
    let frames = [
      Frame(function: "Eigen::resize", module: program, file: "/usr/include/eigen3/Eigen/Core", line: 1, inlined: true),
      Frame(function: "solve", module: program, file: "/home/me/solve.cc", line: 2),
    ]
    #expect(frames.headline(program: program) == 1)
  }

  @Test(arguments: [
    ("/usr/include/c++/12/bits/new_allocator.h", false), ("/rustc/59807616/library/core/src/mem/mod.rs", false),
    ("/home/me/.cargo/registry/src/index.crates.io/serde-1.0/src/lib.rs", false), ("/usr/src/app/main.c", true),
    ("/usr/local/src/tool.c", true), ("/home/me/app/main.rs", true), ("main.c", true), ("<compiler-generated>", true),
  ])
  func sourcesOfLibrariesAreNotTheUsers(_ file: String, _ isOwn: Bool) {
    #expect(Frame(function: "f", module: program, file: file).isOwnCode(program: program) == isOwn)
  }

  @Test func withoutAnyItIsTheInnermostThatIsNotFolded() {
    let frames = [
      Frame(function: "malloc", module: "/lib/libc.so.6", folded: true),
      Frame(function: "worker", module: "/usr/lib/libpool.so"), Frame(module: nil),
    ]
    #expect(frames.headline(program: program) == 1)
    #expect([frames[0], frames[0]].headline(program: program) == 0)
    #expect([Frame()].headline(program: nil) == 0)
  }
}
