// SPDX-License-Identifier: MIT
//
// Binary: a program compiled for a test, and the recording of a program that was there. No program runs: a recording is
// made up of addresses in the file, with a load bias, as the recorder would have written them.

import Foundation
import GenmarkModel
import GenmarkTestSupport

@testable import GenmarkSymbols

struct CommandError: Error, CustomStringConvertible {
  var description: String
}

/// A file with code, in a directory that goes with it.
final class Binary {
  let path: String
  let directory: TemporaryDirectory

  /// Compiles source with any compiler: `command` gets the source file and `-o` behind it.
  init(_ source: String, as name: String = "program.c", _ command: [String]) throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/program"
    let file = try directory.write(Array(source.utf8), to: name)
    try run(command + [file, "-o", path])
  }

  /// Runs a command in the directory; fails when the command does.
  @discardableResult
  func run(_ command: [String], input: String? = nil) throws -> String {
    let result = try Program.run(command, directory: directory.path, input: input)
    guard result.status == 0 else {
      throw CommandError(description: command.joined(separator: " ") + ": " + result.errors)
    }
    return result.output
  }

  /// The file as a module, loaded at `bias`.
  func module(path other: String? = nil, bias: UInt64 = 0x5555_0000_0000) throws -> Module {
    let path = other ?? path
    var status = stat()
    stat(path, &status)
    let modified = UInt64(status.st_mtim.tv_sec) * 1_000_000_000 + UInt64(status.st_mtim.tv_nsec)
    return Module(
      path: path, bias: bias, start: bias, end: bias + 0x1000_0000, buildID: try buildID(of: path), isMain: true,
      fileSize: UInt64(status.st_size), modified: Nanoseconds(modified))
  }

  private func buildID(of path: String) throws -> [UInt8] {
    let notes = try run(["readelf", "-n", path])
    guard let start = notes.range(of: "Build ID: ")?.upperBound else { return [] }
    let digits = Array(notes[start...].prefix { $0.isHexDigit })
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  /// Return addresses of the calls in the code whose target's name holds one of the words, in the file's addresses.
  func returnAddresses(ofCallsTo words: [String], from function: String? = nil) throws -> [UInt64] {
    var addresses: [UInt64] = []
    var wanted = false
    var here = ""
    for line in try run(["objdump", "-d", "--no-show-raw-insn", path]).split(separator: "\n") {
      if line.hasSuffix(">:") { here = String(line.split(separator: "<", maxSplits: 1)[1].dropLast(2)) }
      let parts = line.split(separator: ":", maxSplits: 1)
      guard line.first == " ", let address = UInt64(parts[0].drop { $0 == " " }, radix: 16) else { continue }
      if wanted { addresses.append(address) }
      wanted =
        (function == nil || here.contains(function ?? "")) && parts[1].contains("call")
        && words.contains { parts[1].contains($0) }
    }
    return addresses
  }
}

/// A recording with one call site for each return address, given in the file's addresses.
func recording(of module: Module, returnAddresses: [UInt64]) -> Recording {
  var recording = Recording(
    file: "test.genmark", process: RecordedProcess(program: module.path), modules: [module])
  for address in returnAddresses { _ = recording.callTree.append(address: address + module.bias, parent: 0, module: 1) }
  return recording
}

/// The frames of each return address, and what was said besides.
func frames(
  of module: Module, returnAddresses: [UInt64], options: SymbolOptions = SymbolOptions()
) -> (frames: [[Frame]], warnings: [String]) {
  let symbolizer = Symbolizer(recording(of: module, returnAddresses: returnAddresses), options: options)
  let frames = returnAddresses.indices.map { symbolizer.frames(of: CallTree.NodeID($0 + 1)) }
  return (frames, symbolizer.warnings)
}

extension [Frame] {
  var functions: [String?] { map(\.function) }
}
