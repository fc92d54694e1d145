// SPDX-License-Identifier: MIT
//
// RunPartsTests: what `genmark run` is made of, with real files and processes. Recording itself is tested end to end.

import Foundation
import GenmarkModel
import Testing

@testable import GenmarkCommand

/// A directory for one test.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "genmark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o755) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }

  func write(_ name: String, _ text: String, mode: Int = 0o755) throws -> String {
    try write(name, Array(text.utf8), mode: mode)
  }
}

struct ELFImageTests {
  @Test func readsThisTest() throws {
    let image = try #require(ELFImage("/proc/self/exe"))
    #expect(image.bits == 64 && image.loader?.contains("ld-") == true)
  }

  @Test func nothingElseIsOne() throws {
    let folder = try Folder()
    for (index, bytes) in [[], [0x7f], ELFImage.magic, ELFImage.magic + [UInt8](repeating: 0, count: 60)].enumerated() {
      #expect(ELFImage(try folder.write("f\(index)", bytes)) == nil)
    }
    #expect(ELFImage("/dev/zero") == nil)
    #expect(ELFImage(folder.path) == nil)
  }

  /// A hostile header may point anywhere.
  @Test func offsetsOutsideTheFileAreNotFollowed() throws {
    let folder = try Folder()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe")).prefix(4096))
    for index in 32..<40 { bytes[index] = 0xff }
    #expect(ELFImage(try folder.write("table", bytes))?.loader == nil)
    for index in 54..<58 { bytes[index] = 0xff }
    #expect(ELFImage(try folder.write("entries", bytes))?.loader == nil)
  }
}

struct ProgramFileTests {
  private let environment = Environment(["PATH": "/nonexistent:/usr/bin:/bin"])

  @Test func programsAreFoundOnThePath() throws {
    let program = try ProgramFile("env", library: nil, environment: environment)
    #expect(program.path == "/usr/bin/env" && program.obstacle == nil && program.interpreter.isEmpty)
  }

  @Test func scriptsLeadToTheirInterpreter() throws {
    let folder = try Folder()
    let inner = try folder.write("inner", "#!/bin/sh -e\necho\n")
    let outer = try folder.write("outer", "#! \(inner)\n")
    #expect(try ProgramFile(outer, library: nil, environment: environment).image == "/bin/sh")
    let bare = try folder.write("bare", "echo hello\n")
    #expect(try ProgramFile(bare, library: nil, environment: environment).interpreter == ["/bin/sh"])
  }

  @Test func whatCanNotRunSaysWhy() throws {
    let folder = try Folder()
    let program = { try ProgramFile($0, library: nil, environment: environment) }
    #expect(throws: CommandError.programNotFound("nosuch")) { try program("nosuch") }
    #expect(throws: CommandError.programNotFound("./nosuch")) { try program("./nosuch") }
    #expect(throws: CommandError.programNotFound("")) { try program("") }
    #expect(throws: CommandError.self) { try program(folder.path) }
    let lost = try folder.write("lost", "#!/no/such/interpreter\n")
    let error = #expect(throws: CommandError.self) { try program(lost) }
    #expect(error?.description.contains("'/no/such/interpreter' is not there") == true)
    #expect(error?.status == .cannotExecute)
    let endless = folder.path + "/endless"
    #expect(try program(folder.write("endless", "#!\(endless)\n")).obstacle == .notELF)
  }

  @Test func otherMachinesAndStaticProgramsAreObstacles() throws {
    let folder = try Folder()
    let library = try #require(ELFImage("/proc/self/exe"))
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe")).prefix(4096))
    bytes[18] = 8
    bytes[19] = 0
    let foreign = try ProgramFile(folder.write("foreign", bytes), library: library, environment: environment)
    #expect(foreign.obstacle == .machine(program: "mips", library: library.machineName))
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe")).prefix(4096))
    bytes[56] = 0
    bytes[57] = 0
    let alone = try ProgramFile(folder.write("alone", bytes), library: library, environment: environment)
    #expect(alone.obstacle == .staticallyLinked)
  }
}

struct ChildProcessTests {
  private func end(_ script: String) throws -> ChildEnd {
    let child = try ChildProcess(
      path: "/bin/sh", arguments: ["sh", "-c", script].map(RawText.init(text:)), environment: .ofThisProcess)
    return child.wait()
  }

  @Test func endsArePassedOn() throws {
    #expect(try end("exit 0").status == .success)
    #expect(try end("exit 7") == .exit(7))
    #expect(try end("kill -9 $$").status.code == 137)
    // Threads of the test runner block most signals, and children inherit that; not this one.
    #expect(try end("kill -SEGV $$") == .signal(11))
  }

  @Test func theIntervalTicksWhileItRuns() throws {
    let folder = try Folder()
    let flag = folder.path + "/flag"
    let child = try ChildProcess(
      path: "/bin/sh",
      arguments: ["sh", "-c", "until test -e '\(flag)'; do sleep 0.01; done"].map(RawText.init(text:)),
      environment: .ofThisProcess)
    var ticks = 0
    let end = child.wait(every: Nanoseconds(1_000_000)) {
      ticks += 1
      if ticks == 3 { FileManager.default.createFile(atPath: flag, contents: nil) }
    }
    #expect(end == .exit(0) && ticks >= 3)
  }

  @Test func theEnvironmentIsKeptByteForByte() throws {
    var environment = ChildEnvironment(entries: [
      [0x41, 0x3d, -1], RawText(text: "LD_PRELOAD=/x.so"), RawText(text: "B=1"),
    ])
    environment.set("LD_PRELOAD", "/g.so:/x.so")
    environment.set("GENMARK_RUN", "1")
    #expect(
      environment.entries == [
        [0x41, 0x3d, -1], RawText(text: "LD_PRELOAD=/g.so:/x.so"), RawText(text: "B=1"), RawText(text: "GENMARK_RUN=1"),
      ])
  }
}

struct TraceNamesTests {
  private func found(_ folder: Folder, pattern: String, files: [String]) throws -> [String] {
    let names = TraceNames(pattern: pattern, environment: Environment([:]))
    for file in files { try folder.write(file, [1]) }
    return names.found { !$0.contains("foreign") }.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  @Test func theFileAndWhatTheProgramBecameAreFound() throws {
    let folder = try Folder()
    let files = [
      "app.genmark", "app.42.genmark", "app.42.2.genmark", "app.43.genmark", "apps.genmark", "app.x.genmark",
      "app.foreign.genmark",
    ]
    let pattern = folder.path + "/app.genmark"
    #expect(
      try found(folder, pattern: pattern, files: files) == [
        "app.genmark", "app.42.genmark", "app.43.genmark", "app.42.2.genmark",
      ])
  }

  @Test func patternsAreFound() throws {
    let folder = try Folder()
    let files = ["t-42-sh.gm", "t-43-sh.gm", "t-42-sh.2.gm"]
    #expect(
      try found(folder, pattern: folder.path + "/t-%p-%e.gm", files: files) == [
        "t-42-sh.gm", "t-43-sh.gm", "t-42-sh.2.gm",
      ])
    #expect(TraceNames(pattern: "a%%b", environment: Environment([:])).fixedName == nil)
  }

  @Test func aDirectoryHoldsTheDefaultName() throws {
    let folder = try Folder()
    let files = ["sh.42.genmark", "sh.43.genmark", "x.genmark"]
    #expect(try found(folder, pattern: folder.path, files: files) == ["sh.42.genmark", "sh.43.genmark"])
  }

  @Test func oldTracesAreNotOurs() throws {
    let folder = try Folder()
    let old = try folder.write("app.genmark", [1])
    #expect(utimes(old, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) == 0)
    Thread.sleep(forTimeInterval: 0.05)
    #expect(try found(folder, pattern: folder.path + "/app.genmark", files: ["app.42.genmark"]) == ["app.42.genmark"])
  }
}
