// SPDX-License-Identifier: MIT
//
// The kinds of input that are text or names: genmark.json, suppression files, baselines, the cache of symbols, names that linkers made,
// and the words of the command line. What was read is used on some names and marks, since patterns work only then.

import GenmarkAnalysis
import GenmarkModel
import GenmarkSymbols
import GenmarkTestSupport
import GenmarkTrace

/// A broken promise ends the worker, and is found as a crash is.
private func promise(_ holds: Bool, _ what: String) {
  if !holds { preconditionFailure(what) }
}

/// What patterns are held against.
private let frames = [
  Frame(
    function: "leak_record", linkageName: "_Z11leak_recordv", module: "/usr/lib/libsomething.so", file: "/src/a.c",
    line: 3),
  Frame(function: String(repeating: "ab", count: 200), module: "/usr/bin/app"), Frame(),
]

extension Kind {
  static var budget: Kind {
    Kind(name: "budget", turns: 4, sound: Seeds.budgets) {
      mutatedText($0.pick(Seeds.budgets), using: &$0)
    } attempt: { bytes, _ in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let budget = try? BudgetFile.parse(text, file: "genmark.json") else { return false }
      for rule in budget.rules { _ = rule.pattern.matches(frames) }
      for exception in budget.exceptions {
        _ = exception.pattern.matches(frames) || exception.pattern.matches(fingerprint: "9f2c04aabbccddee")
      }
      // What is written is what was read: `genmark accept` writes the file anew.
      let again = try? BudgetFile.parse(BudgetFile.text(of: budget), file: "genmark.json")
      promise(again == budget, "a budget is another one after it was written")
      return true
    }
  }

  static var suppressions: Kind {
    Kind(name: "suppressions", turns: 2, sound: Seeds.suppressions) {
      mutatedText($0.pick(Seeds.suppressions), using: &$0)
    } attempt: { bytes, _ in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let list = try? SuppressionFile.parse(text, file: "known.supp") else { return false }
      for suppression in list { _ = suppression.pattern.matches(frames) }
      return true
    }
  }

  static var baseline: Kind {
    let growth = Seeds.growing
    return Kind(name: "baseline", turns: 2, sound: Seeds.baselines) {
      mutatedText($0.pick(Seeds.baselines), using: &$0)
    } attempt: { bytes, _ in
      guard let baseline = try? Baseline(json: String(decoding: bytes, as: UTF8.self), name: "old.json") else {
        return false
      }
      if let growth { _ = Check.report(of: growth, options: CheckOptions(baselines: [baseline, baseline])) }
      return true
    }
  }

  static var symbolCache: Kind {
    let key = "genmark symbols 1"
    let entries: [UInt64: [Frame]] = [0x1000: frames, 0x1010: [frames[0], Frame(function: "g", line: 1, column: 2)]]
    let sound = SymbolCache.DebugFile(path: "").map { SymbolCache.encoded(entries, key: key, from: $0) } ?? []
    let head = 16
    return Kind(name: "cache", turns: 2, sound: [sound]) { generator in
      if generator.below(8) == 0 { return mutated(sound, using: &generator) }
      // Below a right checksum.
      let content = mutated(Array(sound[head...]), using: &generator)
      let sum = checksum(content)
      return Array(sound[..<8]) + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) } + content
    } attempt: { bytes, _ in
      guard let (_, table) = try? SymbolCache.decoded(bytes, key: key) else { return false }
      for place in table.places { _ = table[place] }
      return true
    }
  }

  static var names: Kind {
    Kind(name: "names", turns: 2, sound: Seeds.symbolNames) {
      mutatedText($0.pick(Seeds.symbolNames), using: &$0)
    } attempt: { bytes, _ in
      let name = String(decoding: bytes, as: UTF8.self)
      let short = Demangler.name(for: name)
      promise(
        short.unicodeScalars.count <= 1024 && Demangler.fullName(for: name).unicodeScalars.count <= 1024,
        "a name is longer than any may be")
      return short != name || Demangler.fullName(for: name) == name
    }
  }

  static var words: Kind {
    let recording = try? Recording(traceBytes: TraceBuilder.example().build().bytes, file: "sound.genmark")
    return Kind(name: "words", turns: 1, sound: Seeds.words) {
      mutatedText($0.pick(Seeds.words), using: &$0)
    } attempt: { bytes, number in
      let word = String(decoding: bytes, as: UTF8.self)
      _ = BudgetFile.bytes(word)
      _ = BudgetFile.isDay(word)
      var frame = frames[0]
      FrameFolding(SymbolOptions(foldPatterns: [word])).apply(to: &frame)
      let range = DiffOptions(range: word)
      for word in [range.from, range.to] { _ = word.map { try? recording?.markPoint($0) } }
      return true
    }
  }
}
