// SPDX-License-Identifier: MIT
//
// Program: builds small programs and runs them, for tests that want real processes.

import Foundation

/// A program that can be started. It and what it writes lie in a directory that is removed with it.
public final class Program: Sendable {
  public struct Result: Sendable {
    /// Exit status, or 128 + signal.
    public var status: Int32
    public var signal: Int32?
    public var output: String
    public var errors: String
  }

  public struct BuildError: Error, CustomStringConvertible {
    public var description: String
  }

  public let path: String
  /// Where it was built; free for the test's files.
  public let directory: TemporaryDirectory

  /// Compiles C source.
  public init(c source: String, flags: [String] = ["-O1", "-g"], compiler: String = "cc") throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/program"
    let file = directory.path + "/program.c"
    try source.write(toFile: file, atomically: false, encoding: .utf8)
    let result = try Program.run([compiler, "-std=gnu11"] + flags + ["-o", path, file, "-pthread", "-ldl"])
    guard result.status == 0 else { throw BuildError(description: result.errors) }
  }

  /// Runs it to its end.
  public func run(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Result {
    try Program.run([path] + arguments, environment: environment, directory: directory.path)
  }

  /// Starts it; the test talks to it by `input` and `output`.
  public func start(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram([path] + arguments, environment: environment, directory: directory.path)
  }

  /// Runs any command to its end; the first word is looked up in PATH.
  public static func run(
    _ command: [String], environment: [String: String] = [:], directory: String? = nil, input: String? = nil
  ) throws -> Result {
    let process = Program.process(command, environment, directory)
    // Files and not pipes: nothing blocks, however much is written, and children that stay behind hold nothing open.
    let temporary = try TemporaryDirectory()
    let outputFile = temporary.path + "/stdout"
    let errorFile = temporary.path + "/stderr"
    let inputFile = temporary.path + "/stdin"
    for file in [outputFile, errorFile] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
    _ = FileManager.default.createFile(atPath: inputFile, contents: Data((input ?? "").utf8))
    process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    process.standardInput = FileHandle(forReadingAtPath: inputFile)
    try process.run()
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return Result(
      status: signalled ? 128 + process.terminationStatus : process.terminationStatus,
      signal: signalled ? process.terminationStatus : nil,
      output: String(decoding: FileManager.default.contents(atPath: outputFile) ?? Data(), as: UTF8.self),
      errors: String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self))
  }

  static func process(_ command: [String], _ environment: [String: String], _ directory: String?) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The command's environment, and not that of the process that looks it up.
    process.arguments = environment.map { "\($0.key)=\($0.value)" }.sorted() + command
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    return process
  }
}

/// A program that runs beside the test.
public final class RunningProgram {
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()

  init(_ command: [String], environment: [String: String], directory: String) throws {
    process = Program.process(command, environment, directory)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// env becomes the program, so this is the program's own.
  public var pid: Int32 { process.processIdentifier }

  public func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

  /// Waits for a line from the program; nil when it has closed its output.
  public func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Closes its input and waits for its end.
  @discardableResult
  public func wait() -> Int32 {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }
}

/// A directory that goes when nothing refers to it any more.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    path = NSTemporaryDirectory() + "genmark-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}
