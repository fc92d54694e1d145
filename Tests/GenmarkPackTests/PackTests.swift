// SPDX-License-Identifier: MIT
//
// What is packed comes out again; what was damaged or made up is refused.

import CTraceFormat
import Foundation
import GenmarkModel
import GenmarkSymbols
import GenmarkTestSupport
import GenmarkTrace
import Testing

@testable import GenmarkPack

@Suite("A pack")
struct PackTests {
  @Test("has the recording and the names that went in")
  func roundTrip() throws {
    let sample = try Sample()
    let pack = try Pack(bytes: sample.packed(), file: "x.pack")
    #expect(pack.recording.cells == sample.recording.cells)
    #expect(pack.recording.changes == sample.recording.changes)
    #expect(pack.recording.modules == sample.recording.modules)
    #expect(pack.recording.labels == sample.recording.labels)
    #expect(pack.recording.process.end == sample.recording.process.end)
    #expect(pack.recording.process.duration == sample.recording.process.duration)
    for node in 1..<sample.recording.callTree.count {
      let node = CallTree.NodeID(node)
      #expect(pack.symbols.frames(ofNode: node) == sample.frames(node))
      #expect(!pack.symbols.frames(of: node).isEmpty)
    }
    #expect(pack.notes.count == 2 && pack.notes[0].hasPrefix("names from the pack, made 20"))
    #expect(pack.notes[1] == "/lib/libx.so.1: gone")
  }

  @Test("folds as the reader wants it")
  func folding() throws {
    let sample = try Sample()
    let bytes = try sample.packed()
    let none = try Pack(bytes: bytes, file: "x.pack", options: SymbolOptions(folds: false))
    #expect(none.symbols.frames(of: 2).allSatisfy { !$0.folded })
    let more = try Pack(bytes: bytes, file: "x.pack", options: SymbolOptions(foldPatterns: ["inlinedS*"]))
    #expect(more.symbols.frames(ofNode: 2).map(\.folded) == [true, true])
    #expect(try Pack(bytes: bytes, file: "x.pack").symbols.frames(ofNode: 2).map(\.folded) == [false, true])
  }

  @Test("cut anywhere is refused")
  func cut() throws {
    let bytes = try Sample().packed()
    for length in [0, 1, 7, 8, 12, 31, 32, 33, 40] + Array(stride(from: 41, to: bytes.count, by: 3)) {
      #expect(throws: (any Error).self, "\(length)") { try Pack(bytes: Array(bytes[..<length]), file: "x.pack") }
    }
    #expect(throws: (any Error).self) { try Pack(bytes: bytes + [0], file: "x.pack") }
  }

  @Test("with any bit flipped is refused")
  func flipped() throws {
    let bytes = try Sample().packed()
    for index in bytes.indices {
      var bad = bytes
      bad[index] ^= 1 << UInt8(index % 8)
      #expect(throws: (any Error).self, "\(index)") { try Pack(bytes: bad, file: "x.pack") }
    }
  }

  @Test("with damage below a right checksum is refused or read, and never ends the reader")
  func hostile() throws {
    let sample = try Sample()
    let (body, flags) = try PackFormat.open(sample.packed(), file: "x.pack")
    var generator = SeededGenerator(seed: 11)
    var refused = 0
    for _ in 0..<3000 {
      let bad = mutated(body, using: &generator)
      let file = PackFormat.file(compressed: try Compression.packed(bad), bodySize: bad.count, flags: flags)
      do {
        let pack = try Pack(bytes: file, file: "x.pack")
        exercise(pack.recording)
        for node in 0..<pack.recording.callTree.count { _ = pack.symbols.frames(of: CallTree.NodeID(node)) }
      } catch { refused += 1 }
    }
    #expect(refused > 500)
  }

  @Test("that promises more than a file of its size can hold is refused before anything is unpacked")
  func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 80 << 20)
    let compressed = try Compression.packed(zeros)
    let file = PackFormat.file(compressed: compressed, bodySize: zeros.count, flags: 0)
    #expect(throws: PackError.tooLarge(file: "x.pack")) { try Pack(bytes: file, file: "x.pack") }
    // The frame's own length counts, too.
    let liar = PackFormat.file(compressed: compressed, bodySize: 100, flags: 0)
    #expect(throws: PackError.self) { try Pack(bytes: liar, file: "x.pack") }
    let greedy = PackFormat.file(compressed: compressed, bodySize: Int.max, flags: 0)
    #expect(throws: PackError.tooLarge(file: "x.pack")) { try Pack(bytes: greedy, file: "x.pack") }
  }

  @Test("of a later version says so")
  func version() throws {
    var bytes = try Sample().packed()
    bytes[8] = 9
    #expect(throws: PackError.newerVersion(file: "x.pack", 9)) { try Pack(bytes: bytes, file: "x.pack") }
  }

  @Test("is not taken for a trace, and says what it is")
  func noTrace() throws {
    let bytes = try Sample().packed()
    let error = #expect(throws: TraceError.self) { try Recording(traceBytes: bytes, file: "x.pack") }
    #expect(String(describing: try #require(error)).contains("packed trace"))
  }
}

@Suite("An anonymous pack")
struct AnonymousPackTests {
  private let secrets = [
    "example", "secretFunction", "secret_linkage", "inlinedSecret", "/home/me", "work.c", "libx", "cycle", "start",
  ]

  @Test("has none of the names, and the same numbers")
  func names() throws {
    let sample = try Sample()
    let bytes = try sample.packed(Anonymizer())
    let pack = try Pack(bytes: bytes, file: "x.pack")
    #expect(pack.isAnonymous)
    let body = String(decoding: try PackFormat.open(bytes, file: "x.pack").body, as: UTF8.self)
    for secret in secrets { #expect(!body.contains(secret), "\(secret)") }
    #expect(pack.recording.cells == sample.recording.cells)
    #expect(pack.recording.modules.allSatisfy { $0.buildID.isEmpty && $0.fileSize == 0 })
    #expect(pack.recording.labels.map { $0.text.hasPrefix("label-") } == [true, true])
    #expect(pack.recording.process.program == pack.recording.modules[0].path)
    let frames = pack.symbols.frames(ofNode: 2)
    #expect(frames.map(\.folded) == [false, true] && frames.map(\.inlined) == [true, false])
    #expect(frames[0].file?.hasSuffix(".c") == true && frames[0].line == 12)
  }

  @Test("has the same hash for the same name, whatever the folder")
  func sameHashes() throws {
    let anonymizer = Anonymizer()
    let here = anonymizer.path("/home/me/libx.so.1", "module")
    let there = anonymizer.path("/usr/lib/libx.so.1", "module")
    #expect(here.split(separator: "/").last == there.split(separator: "/").last)
    #expect(there.hasPrefix("/usr/lib/module-") && there.hasSuffix(".so"))
    #expect(here.split(separator: "/")[0].hasPrefix("folder-"))
    #expect(anonymizer.frame(Frame(function: "main", linkageName: "main")).function == "main")
    #expect(anonymizer.hash("f", "function") == Anonymizer().hash("f", "function"))
    #expect(anonymizer.hash("f", "function") != Anonymizer(key: [1]).hash("f", "function"))
  }

  @Test("keeps the labels when told to")
  func labels() throws {
    let sample = try Sample()
    let pack = try Pack(bytes: sample.packed(Anonymizer(keepsLabels: true)), file: "x.pack")
    #expect(pack.recording.labels == sample.recording.labels)
  }

  @Test("is hashed by SHA-256 as the standard has it")
  func sha256() {
    func text(_ message: String) -> String {
      SHA256.digest(of: Array(message.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }
}

/// The example trace in a file, with names for its nodes.
private struct Sample {
  let recording: Recording
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = try directory.write(TraceBuilder.example().build().bytes, to: "x.genmark")
    recording = try Recording(trace: path)
  }

  func frames(_ node: CallTree.NodeID) -> [Frame] {
    let module = recording.modules[0]
    let offset = recording.callTree.addresses[Int(node)] - 1 - module.bias
    return [
      Frame(
        function: "inlinedSecret()", linkageName: "_Zinlined", module: module.path, offset: offset,
        file: "/home/me/work.c", line: 12, column: 3, inlined: true),
      Frame(
        function: "secretFunction\(node)", linkageName: "secret_linkage", module: module.path, offset: offset,
        file: "/home/me/work.c", line: 40, folded: true),
    ]
  }

  func packed(_ anonymizer: Anonymizer? = nil) throws -> [UInt8] {
    try PackWriter(trace: path).bytes(
      frames: frames, notes: { ["/lib/libx.so.1: gone"] }, version: "0", anonymizer: anonymizer)
  }
}
