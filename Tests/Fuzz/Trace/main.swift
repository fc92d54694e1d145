// SPDX-License-Identifier: MIT
//
// trace-fuzz: reads damaged traces until its time is over. A worker process reads them and writes down which one it is
// at; when it crashes, hangs or eats memory, its keeper saves the input that did it and starts another one behind it.
//
//   trace-fuzz [--seconds N] [--seed N] [--save DIRECTORY] [TRACE…]     exit status 1 when something was found
//
// The input with number n is the same for the same seed and traces, so that a finding can be made again.

import Foundation
import GenmarkModel
import GenmarkTestSupport
import GenmarkTrace

/// What a mutation may take.
private let secondsLimit = 2.0
private let memoryLimit = 1 << 30

private struct Arguments {
  var seconds = 60.0
  var seed: UInt64 = 1
  var save = "."
  var traces: [String] = []
  /// Set for a worker: the file that it counts in, and the first number.
  var counter: String?
  var first: UInt64 = 0

  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--seconds": seconds = rest.popFirst().flatMap(Double.init) ?? seconds
      case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? seed
      case "--save": save = rest.popFirst() ?? save
      case "--counter": counter = rest.popFirst()
      case "--first": first = rest.popFirst().flatMap { UInt64($0) } ?? first
      default: traces.append(word)
      }
    }
  }

  func inputs() -> [[UInt8]] {
    let read = traces.compactMap { FileManager.default.contents(atPath: $0).map(Array.init) }
    return [TraceBuilder.example().build().bytes, TraceBuilder().build().bytes] + read
  }
}

private func input(_ number: UInt64, seed: UInt64, of inputs: [[UInt8]]) -> [UInt8] {
  var generator = SeededGenerator(seed: seed &* 0x1_0000_0001 &+ number)
  return mutated(inputs[Int(number % UInt64(inputs.count))], using: &generator)
}

/// Reads one input after the other until it is ended. The counter's file holds the number of the one at work.
private func work(_ arguments: Arguments, counter: String) -> Never {
  let inputs = arguments.inputs()
  let descriptor = open(counter, O_WRONLY)
  var number = arguments.first
  let keeper = getppid()
  while descriptor >= 0, getppid() == keeper {
    withUnsafeBytes(of: number) { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    let bytes = input(number, seed: arguments.seed, of: inputs)
    do throws(TraceError) { exercise(try Recording(traceBytes: bytes, file: "fuzz")) } catch {}
    number += 1
  }
  exit(2)
}

private func residentBytes(of pid: Int32) -> Int {
  let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
  let fields = text.split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
}

/// Starts workers and looks after them; returns what was found.
private func keep(_ arguments: Arguments) throws -> Int {
  let directory = try TemporaryDirectory()
  let counter = try directory.write([UInt8](repeating: 0, count: 8), to: "counter")
  func current() -> UInt64 {
    guard let bytes = FileManager.default.contents(atPath: counter), bytes.count == 8 else { return 0 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }
  let deadline = Date().addingTimeInterval(arguments.seconds)
  var found = 0
  var first: UInt64 = 0
  while Date() < deadline {
    let worker = Process()
    worker.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    worker.arguments =
      ["--counter", counter, "--first", String(first), "--seed", String(arguments.seed)] + arguments.traces
    // A crash that is explained at length looks like a hang.
    worker.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try worker.run()
    var last = first
    var since = Date()
    var what: String?
    while what == nil, Date() < deadline {
      usleep(100_000)
      let now = current()
      if now != last { (last, since) = (now, Date()) }
      if !worker.isRunning {
        what = "crash"
      } else if Date().timeIntervalSince(since) > secondsLimit {
        what = "hang"
      } else if residentBytes(of: worker.processIdentifier) > memoryLimit {
        what = "memory"
      }
    }
    if worker.isRunning { kill(worker.processIdentifier, SIGKILL) }
    worker.waitUntilExit()
    let number = current()
    first = number + 1
    guard let what else { continue }
    found += 1
    let path = "\(arguments.save)/\(what)-\(arguments.seed)-\(number).genmark"
    try Data(input(number, seed: arguments.seed, of: arguments.inputs())).write(to: URL(fileURLWithPath: path))
    print("\(what): \(path)")
  }
  print("\(first) damaged traces read, \(found) findings (seed \(arguments.seed))")
  return found
}

private let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
if let counter = arguments.counter { work(arguments, counter: counter) }
exit(try keep(arguments) == 0 ? 0 : 1)
