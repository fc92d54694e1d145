// SPDX-License-Identifier: MIT
//
// TraceNames: under which names the traces of a run appear. The recorder chooses them (a taken name gets the pid
// into it); this finds them again by the same pattern, since nothing but the file comes back from the program.

import GenmarkModel
import GenmarkTrace

#if canImport(Glibc)
  import Glibc
#endif

struct TraceNames {
  /// Where to look: directory as the user named it, and what a name there looks like.
  private let places: [(directory: String, base: String?)]
  /// The file, when it is one name and no pattern.
  let fixedName: String?
  private let begin: timespec

  /// - Parameter pattern: of `-o` or GENMARK_OUTPUT; nil or empty is the recorder's default.
  init(pattern: String?, environment: Environment) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // File times come from a clock that ticks every few milliseconds.
    begin = timespec(
      tv_sec: now.tv_sec - (now.tv_nsec < 20_000_000 ? 1 : 0), tv_nsec: (now.tv_nsec + 980_000_000) % 1_000_000_000)
    guard let pattern, !pattern.isEmpty else {
      let temporary = environment.nonEmpty("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
      places = [".", temporary, "/tmp"].compactMap { $0 }.map { ($0, nil) }
      fixedName = nil
      return
    }
    if pattern.hasSuffix("/") || Paths.isDirectory(pattern) {
      places = [(pattern, nil)]
      fixedName = nil
    } else {
      places = [
        (
          Paths.directory(of: pattern),
          String(pattern[(pattern.lastIndex(of: "/").map { pattern.index(after: $0) } ?? pattern.startIndex)...])
        )
      ]
      fixedName = pattern.contains("%") ? nil : pattern
    }
  }

  /// The directory that must be there and writable; nil when the recorder looks for one by itself.
  var directory: String? { places.count == 1 ? places[0].directory : nil }

  /// Traces of a `genmark run`, which is named by its pid, that are new since `init`; shorter names first.
  func found(run: UInt32) -> [String] { found { (try? TraceOrigin($0))?.run == run } }

  /// Files that are new since `init`, have such a name as the recorder makes, and belong to the run.
  func found(where belongs: (String) -> Bool) -> [String] {
    for (directory, base) in places {
      let prefix = directory == "." ? "" : directory.hasSuffix("/") ? directory : directory + "/"
      let new = Paths.entries(of: directory).filter { matches($0, base: base) }.map { prefix + $0 }.filter(isNew)
      let own = new.filter(belongs)
      if !own.isEmpty { return own.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }
    }
    return []
  }

  private func matches(_ name: String, base: String?) -> Bool {
    guard let base else {
      return Wildcard.matches(name, "*.#.genmark") || Wildcard.matches(name, "*.#.#.genmark")
    }
    let expanded = TraceNames.expand(base, pid: "#")
    let dot = expanded.lastIndex(of: ".").flatMap { $0 == expanded.startIndex ? nil : $0 } ?? expanded.endIndex
    let stem = expanded[..<dot]
    let ending = expanded[dot...]
    return ["", ".#", ".#.#", base.contains("%p") ? ".#" : ""].contains {
      Wildcard.matches(name, stem + $0 + ending)
    }
  }

  /// The pattern with what is not known here as a wildcard.
  private static func expand(_ pattern: String, pid: String) -> String {
    var out = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let kind = rest.popFirst() else {
        out.append(character)
        continue
      }
      switch kind {
      case "p": out += pid
      case "e", "h", "t": out += "*"
      case "%": out += "%"
      default: out += "%\(kind)"
      }
    }
    return out
  }

  private func isNew(_ path: String) -> Bool {
    var status = stat()
    guard path.withPathBytes({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let changed = status.st_ctim
    return (changed.tv_sec, changed.tv_nsec) >= (begin.tv_sec, begin.tv_nsec)
  }
}

/// Names with `*` for anything and `#` for a number.
enum Wildcard {
  static func matches(_ name: some StringProtocol, _ pattern: some StringProtocol) -> Bool {
    matches(Array(name.utf8)[...], Array(pattern.utf8)[...])
  }

  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case UInt8(ascii: "*"): return (0...name.count).contains { matches(name.dropFirst($0), rest) }
    case UInt8(ascii: "#"):
      let digits = name.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      return digits > 0 && (1...digits).contains { matches(name.dropFirst($0), rest) }
    default: return name.first == first && matches(name.dropFirst(), rest)
    }
  }
}
