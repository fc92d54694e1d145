// SPDX-License-Identifier: MIT
//
// Genmark and Workshop: how a test runs the real command and real programs under the real library, each test in a
// folder of its own. What the reports must say is in Reports.swift.

import Foundation
import Testing

/// What a process left behind.
struct Outcome {
  /// The exit status, or 128 + the signal that ended it.
  var status: Int32
  var output: Data
  var errors: String

  var text: String { String(decoding: output, as: UTF8.self) }
  /// Lines on standard error.
  var complaints: [Substring] { errors.split(separator: "\n") }

  /// The one JSON object on standard output.
  func report<Report: Decodable>(_ type: Report.Type = Report.self) throws -> Report {
    try JSONDecoder().decode(type, from: output)
  }
}

/// The products of `make`.
enum Genmark {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let products: URL = {
    let chosen = ProcessInfo.processInfo.environment["GENMARK_BIN"]
    return chosen.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent(".build/release")
  }()

  static let command = products.appendingPathComponent("genmark").path
  static let library = products.appendingPathComponent("libgenmark.so").path

  /// A program of Tests/Programs, built once for all tests.
  static func program(_ name: String) throws -> String {
    try programs.get(name)
  }

  private static let programs = ProgramCache()
}

/// Builds the programs that tests record.
private final class ProgramCache: @unchecked Sendable {
  private let lock = NSLock()
  private var built: [String: String] = [:]

  func get(_ name: String) throws -> String {
    lock.lock()
    defer { lock.unlock() }
    if let path = built[name] { return path }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("genmark-programs-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent(name).path
    let source = Genmark.root.appendingPathComponent("Tests/Programs/\(name).c").path
    let compiled = try Running(
      ["gcc", "-std=gnu11", "-g", "-O1", "-fno-builtin", "-pthread", "-o", path, source], in: folder
    ).finish()
    try #require(compiled.status == 0, "\(compiled.errors)")
    built[name] = path
    return path
  }
}

/// A process that has been started.
final class Running {
  private let process = Process()
  private let output: URL
  private let errors: URL
  private let input = Pipe()

  var pid: Int32 { process.processIdentifier }

  /// Starts `words[0]`, found on the PATH. Its environment is the test's without what preloads and sets.
  init(_ words: [String], in folder: URL, environment: [String: String] = [:]) throws {
    let own = folder.appendingPathComponent(".running-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    output = own.appendingPathComponent("output")
    errors = own.appendingPathComponent("errors")
    for file in [output, errors] { try Data().write(to: file) }

    var variables = ProcessInfo.processInfo.environment.filter {
      $0.key != "LD_PRELOAD" && !$0.key.hasPrefix("GENMARK_")
    }
    variables.merge(environment) { $1 }
    process.executableURL = URL(fileURLWithPath: words[0].contains("/") ? words[0] : Self.find(words[0]))
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = variables
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try Self.withoutBlockedSignals { try process.run() }
  }

  /// Tests run on threads of libdispatch, which block all signals; a child would inherit that.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  private static func find(_ name: String) -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
  }

  /// Gives the program a line to read.
  func send(_ line: String = "") {
    input.fileHandleForWriting.write(Data("\(line)\n".utf8))
  }

  /// The lines it has written so far.
  var linesSoFar: [Substring] {
    ((try? String(contentsOf: output, encoding: .utf8)) ?? "").split(separator: "\n")
  }

  /// Waits until it has written `count` lines, and gives them.
  func lines(_ count: Int) throws -> [Substring] {
    try eventually("\(count) lines of output") { self.linesSoFar.count >= count ? self.linesSoFar : nil }
  }

  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// Ends its input, waits for its end.
  func finish() throws -> Outcome {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Outcome(
      status: status, output: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// Asks again and again until there is an answer; a test fails when there is none after a long time, which no
/// correct program needs.
@discardableResult
func eventually<Answer>(_ what: String, _ ask: () throws -> Answer?) throws -> Answer {
  for _ in 0..<1000 {
    if let answer = try ask() { return answer }
    usleep(10_000)
  }
  throw NeverHappened(what: what)
}

struct NeverHappened: Error {
  var what: String
}

/// A folder for one test, removed after it.
final class Workshop {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("genmark-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    chmod(folder.path, 0o755)
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String {
    folder.appendingPathComponent(name).path
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  func contents(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Names of the traces in the folder, in order.
  var traces: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".genmark") }
      .sorted()
  }

  /// Runs `genmark` to its end.
  func genmark(_ words: String..., environment: [String: String] = [:]) throws -> Outcome {
    try Running([Genmark.command] + words, in: folder, environment: environment).finish()
  }

  /// Starts the actor (see Tests/Programs/actor.c) recorded into `trace`.
  func start(_ script: String, trace: String, environment: [String: String] = [:]) throws -> Running {
    var variables = ["LD_PRELOAD": Genmark.library, "GENMARK_OUTPUT": path(trace)]
    variables.merge(environment) { $1 }
    return try Running([Genmark.program("actor")] + Self.words(script), in: folder, environment: variables)
  }

  /// Records the actor into `trace`, to its end.
  @discardableResult
  func record(_ script: String, trace: String, environment: [String: String] = [:]) throws -> Outcome {
    try start(script, trace: trace, environment: environment).finish()
  }

  static func words(_ script: String) -> [String] {
    script.split(separator: " ").map(String.init)
  }
}
