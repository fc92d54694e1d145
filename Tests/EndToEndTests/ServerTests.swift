// SPDX-License-Identifier: MIT
//
// Servers of debug information (debuginfod): asked when the user says so, and not for long. In processes of their own,
// since it is the environment that names them.

import Foundation
import Testing

@Suite("Servers of debug information")
struct ServerTests {
  private let workshop: Workshop
  private let program: String
  private let debugFile: String

  /// A program whose function is known only to its debug file.
  init() throws {
    workshop = try Workshop()
    program = workshop.path("program")
    debugFile = workshop.path("elsewhere")
    try FileManager.default.copyItem(atPath: Genmark.program("actor"), toPath: program)
    try run("objcopy", "--only-keep-debug", program, debugFile)
    try run("strip", "-s", program)
    let recorded = try workshop.genmark(
      "run", "-o", "a.genmark", "--", program, "repeat", "8", "leak", "mark", "x", "end")
    try #require(recorded.status == 0, "\(recorded.errors)")
  }

  @discardableResult
  private func run(_ words: String...) throws -> String {
    let outcome = try Running(words, in: workshop.folder).finish()
    try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    return outcome.text
  }

  private func growth(_ words: String..., servers: String) throws -> Outcome {
    try Running(
      [Genmark.command, "growth", "a.genmark", "--no-cache"] + words, in: workshop.folder,
      environment: [
        "DEBUGINFOD_URLS": servers, "DEBUGINFOD_TIMEOUT": "1", "DEBUGINFOD_CACHE_PATH": workshop.path("cache"),
      ]
    ).finish()
  }

  @Test("are asked when the user says so")
  func asked() throws {
    let notes = try run("readelf", "-n", program)
    let id = try #require(notes.split(separator: "\n").first { $0.contains("Build ID: ") }?.split(separator: " ").last)
    let folder = workshop.path("server/buildid/\(id)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: debugFile, toPath: folder + "/debuginfo")
    // libdebuginfod takes file:// addresses.
    let servers = "file://" + workshop.path("server")
    let without = try growth(servers: servers)
    #expect(without.status == 0 && !without.text.contains("leak_record"))
    #expect(!workshop.exists("cache"))
    let with = try growth("--debuginfod", servers: servers)
    #expect(with.status == 0 && with.text.contains("leak_record") && with.text.contains("actor.c:"))
  }

  @Test("that are silent are given up, and that is said", .timeLimit(.minutes(2)))
  func silent() throws {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(server, pointer, length) == 0 && listen(server, 16) == 0 && getsockname(server, pointer, &length) == 0
      }
    }
    try #require(isListening)
    let outcome = try growth("--debuginfod", servers: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
    #expect(outcome.status == 0 && !outcome.text.contains("leak_record"))
    #expect(outcome.text.contains("keep us waiting"))
  }

  @Test("that are not there take nothing away")
  func none() throws {
    let outcome = try growth("--debuginfod", servers: "http://127.0.0.1:1 nonsense file:///nowhere")
    #expect(outcome.status == 0 && outcome.text.contains("program+0x"))
  }
}
