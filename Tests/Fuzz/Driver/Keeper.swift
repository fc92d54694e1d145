// SPDX-License-Identifier: MIT
//
// Keeper and Worker: a worker process reads one input after the other and counts in memory that it shares with its keeper;
// when it crashes, hangs or eats memory, the keeper saves the input that did it and starts another one behind it.

import Foundation
import GenmarkTestSupport

/// Seconds of processor time that one input may take: what the machine does besides is not its fault.
private let secondsLimit = 2.0
/// Seconds of the clock, for one that waits for something.
private let waitingLimit = 60.0
private let memoryLimit: UInt64 = 1 << 30

/// Numbers in a file that two processes map: the number at work, then inputs tried and read of each kind.
final class Counters {
  private let words: UnsafeMutablePointer<UInt64>
  private let kinds: Int

  init?(_ path: String, kinds: Int) {
    self.kinds = kinds
    let descriptor = open(path, O_RDWR)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let mapped = mmap(nil, Counters.size(kinds: kinds), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { return nil }
    words = mapped.assumingMemoryBound(to: UInt64.self)
  }

  deinit { munmap(words, Counters.size(kinds: kinds)) }

  static func size(kinds: Int) -> Int { (1 + 2 * kinds) * MemoryLayout<UInt64>.size }

  var number: UInt64 {
    get { words[0] }
    set { words[0] = newValue }
  }
  func tried(_ kind: Int) -> UInt64 { words[1 + kind] }
  func read(_ kind: Int) -> UInt64 { words[1 + kinds + kind] }
  func count(_ kind: Int) { words[1 + kind] += 1 }
  func countRead(_ kind: Int) { words[1 + kinds + kind] += 1 }
}

/// Reads until it has done its count or its keeper is gone.
struct Worker {
  private let arguments: Arguments
  private let schedule: Schedule
  private let counters: Counters?

  init(_ arguments: Arguments, _ schedule: Schedule, counters: String) {
    self.arguments = arguments
    self.schedule = schedule
    self.counters = Counters(counters, kinds: schedule.kinds.count)
  }

  func work() -> Never {
    guard let counters else { exit(2) }
    // What it allocates beyond is a crash, and not only seen by chance. The program itself takes some of it.
    var limit = rlimit(rlim_cur: rlim_t(memoryLimit), rlim_max: rlim_t(memoryLimit))
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    let keeper = getppid()
    var number = arguments.first
    while number < arguments.count {
      counters.number = number
      let kind = schedule.kind(of: number)
      counters.count(kind)
      if schedule.kinds[kind].attempt(schedule.input(number, seed: arguments.seed), number) { counters.countRead(kind) }
      number += 1
      if number % 1024 == 0, getppid() != keeper { exit(2) }
    }
    counters.number = number
    exit(0)
  }
}

/// Starts workers and looks after them.
struct Keeper {
  let arguments: Arguments
  let schedule: Schedule

  init(_ arguments: Arguments, _ schedule: Schedule) {
    self.arguments = arguments
    self.schedule = schedule
  }

  /// How many inputs were found.
  func keep() throws -> Int {
    for kind in schedule.kinds where kind.sound.isEmpty || !kind.sound.allSatisfy({ kind.attempt($0, 1) }) {
      print("\(kind.name): what is to be damaged can not be read")
      return 1
    }
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      [UInt8](repeating: 0, count: Counters.size(kinds: schedule.kinds.count)), to: "counters")
    guard let counters = Counters(path, kinds: schedule.kinds.count) else { return 1 }
    let began = Date()
    var found = 0
    var first: UInt64 = 0
    while !isOver(since: began), first < arguments.count, found < 20 {
      let worker = try start(first: first, counters: path)
      let what = watch(worker, counters, since: began)
      if worker.isRunning { kill(worker.processIdentifier, SIGKILL) }
      worker.waitUntilExit()
      let number = counters.number
      first = number + 1
      guard let what, number < arguments.count else { break }
      found += 1
      let kind = schedule.kinds[schedule.kind(of: number)].name
      let file = "\(arguments.save)/\(kind)-\(what)-\(arguments.seed)-\(number)"
      try Data(schedule.input(number, seed: arguments.seed)).write(to: URL(fileURLWithPath: file))
      print("\(what): \(file)")
    }
    report(counters, found: found, seconds: Date().timeIntervalSince(began))
    return found
  }

  private func isOver(since began: Date) -> Bool { Date().timeIntervalSince(began) >= arguments.seconds }

  private func start(first: UInt64, counters: String) throws -> Process {
    let worker = Process()
    worker.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    worker.arguments =
      [
        "--counters", counters, "--first", String(first), "--seed", String(arguments.seed), "--count",
        String(arguments.count),
      ]
      + (arguments.only.map { ["--only", $0] } ?? []) + arguments.files
    // A crash that is explained at length looks like a hang.
    worker.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try worker.run()
    return worker
  }

  /// What is wrong with the worker; nil when it is done, or the time is over.
  private func watch(_ worker: Process, _ counters: Counters, since began: Date) -> String? {
    var last = counters.number
    var (since, time) = (Date(), processorSeconds(of: worker.processIdentifier))
    while !isOver(since: began) {
      usleep(20_000)
      let now = counters.number
      if now != last { (last, since, time) = (now, Date(), processorSeconds(of: worker.processIdentifier)) }
      if !worker.isRunning { return worker.terminationReason == .exit && worker.terminationStatus == 0 ? nil : "crash" }
      if processorSeconds(of: worker.processIdentifier) - time > secondsLimit { return "hang" }
      if Date().timeIntervalSince(since) > waitingLimit { return "wait" }
    }
    return nil
  }

  private func processorSeconds(of pid: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    guard let end = text.lastIndex(of: ")") else { return 0 }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
  }

  private func report(_ counters: Counters, found: Int, seconds: Double) {
    var total: UInt64 = 0
    for (index, kind) in schedule.kinds.enumerated() where counters.tried(index) > 0 {
      total += counters.tried(index)
      let name = kind.name.padding(toLength: 14, withPad: " ", startingAt: 0)
      print("\(name) \(counters.tried(index)) damaged, \(counters.read(index)) of them could be read")
    }
    print("\(total) mutations in \(Int(seconds)) s, \(found) findings (seed \(arguments.seed))")
  }
}
