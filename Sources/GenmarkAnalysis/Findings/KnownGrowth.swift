// SPDX-License-Identifier: MIT
//
// KnownGrowth: stores in libraries that fill up to a bound, and look like a leak until they have. What is in the list
// is still shown, with its reason, and never counts as growth. Suppressions of the user are in Budgets/.

import GenmarkModel

/// A store that is known to be bounded.
struct KnownGrowth: Sendable, Equatable {
  /// What people call it.
  var library: String
  /// How the base names of its modules begin.
  var modules: [String]
  /// Functions that allocate for the store and for nothing else.
  var functions: Set<String>
  /// What it is and what bounds it.
  var reason: String
  /// For which versions that is known, in words.
  var versions: String
  /// Nil where the name of the file does not tell the version.
  var since: Version?
  var through: Version?

  /// Major and minor number.
  struct Version: Sendable, Comparable {
    var major: Int
    var minor: Int
    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }
    static func < (a: Version, b: Version) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

    /// The first two numbers with a dot between them in a file's name: libperl.so.5.36, python3.11.
    init?(in name: String) {
      var numbers: [Int] = []
      for part in name.split(separator: ".") {
        let digits =
          numbers.isEmpty ? String(part.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()) : String(part)
        if let number = Int(digits) { numbers.append(number) } else { numbers = [] }
        if numbers.count == 2 {
          self.init(numbers[0], numbers[1])
          return
        }
      }
      return nil
    }
  }

  /// As reports say it.
  var text: String { "\(reason) (\(versions))." }

  /// Frames of the library itself, and of the allocator, that may lie below the function.
  private static let reach = 6

  /// The store that a call site belongs to: the innermost frame outside the allocator tells. Its index is that of the
  /// frame.
  static func find(_ frames: [Frame]) -> (known: KnownGrowth, index: Int)? {
    for (index, frame) in frames.prefix(reach).enumerated() {
      let base = FrameKey.baseName(frame.module ?? "")
      if let name = frame.function, let known = all.first(where: { $0.functions.contains(name) && $0.isOf(base) }) {
        return (known, index)
      }
      // Allocators, and helpers in the library itself, lie below the function.
      let isHelper = frame.folded || all.contains { $0.isOf(base) }
      if !isHelper { return nil }
    }
    return nil
  }

  /// Whether a module is the library, in a version for which this is known.
  func isOf(_ base: String) -> Bool {
    guard modules.contains(where: { base.hasPrefix($0) }) else { return false }
    guard let version = Version(in: base) else { return true }
    return since.map { version >= $0 } ?? true && through.map { version <= $0 } ?? true
  }
}

extension JudgedSite {
  /// Takes growth of a known store for what it is. Named call sites only.
  mutating func recognise() {
    guard judgement.verdict.isReported, let (known, index) = KnownGrowth.find(frames) else { return }
    judgement.verdict = .saturating
    judgement.certainty = .low
    judgement.why = known.text
    self.known = known
    headline = index
    chain = CallerChain(functions: [FrameKey(frames[index])])
  }
}
