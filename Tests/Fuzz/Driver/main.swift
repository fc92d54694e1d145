// SPDX-License-Identifier: MIT
//
// genmark-fuzz: gives damaged input of every kind to the parts of genmark that read it, in this process, so that ten
// million are a matter of an hour. What the kinds are is in Kinds, who looks after the worker in Keeper; the command itself
// is given damaged files by Tests/Fuzz/run.
//
//   genmark-fuzz [--count N] [--seconds N] [--seed N] [--only KIND] [--save DIRECTORY] [TRACE…]
//   genmark-fuzz --replay FILE…      inputs that were found once; the kind is the name up to the first '-' or '.'
//
// Exit status 1 when something was found. Input number n is the same for the same seed and traces.

import Foundation
import GenmarkTestSupport

struct Arguments {
  var count: UInt64 = .max
  var seconds = Double.infinity
  var seed: UInt64 = 1
  var only: String?
  var save = "."
  var files: [String] = []
  var replays = false
  /// Set for a worker: the file that it counts in, and the first number.
  var counters: String?
  var first: UInt64 = 0

  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--count": count = rest.popFirst().flatMap { UInt64($0) } ?? count
      case "--seconds": seconds = rest.popFirst().flatMap(Double.init) ?? seconds
      case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? seed
      case "--only": only = rest.popFirst()
      case "--save": save = rest.popFirst() ?? save
      case "--replay": replays = true
      case "--counters": counters = rest.popFirst()
      case "--first": first = rest.popFirst().flatMap { UInt64($0) } ?? first
      default: files.append(word)
      }
    }
    if count == .max, seconds == .infinity { seconds = 60 }
  }
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
let traces =
  arguments.replays ? [] : arguments.files.compactMap { FileManager.default.contents(atPath: $0).map { [UInt8]($0) } }
let schedule = Schedule(Kind.all(traces: traces), only: arguments.only)

if arguments.replays {
  for file in arguments.files {
    guard let bytes = FileManager.default.contents(atPath: file) else { continue }
    let name = (file as NSString).lastPathComponent
    for kind in schedule.kinds where name.hasPrefix(kind.name + "-") || name.hasPrefix(kind.name + ".") {
      for turn in 0..<UInt64(64) { _ = kind.attempt([UInt8](bytes), turn) }
      print("read \(name)")
    }
  }
  exit(0)
}
if let counters = arguments.counters { Worker(arguments, schedule, counters: counters).work() }
exit(try Keeper(arguments, schedule).keep() == 0 ? 0 : 1)
