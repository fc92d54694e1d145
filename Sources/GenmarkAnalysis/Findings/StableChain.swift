// SPDX-License-Identifier: MIT
//
// StableChain: a caller chain without what changes from build to build and from machine to machine, as fingerprints and
// baselines need it. Call sites are grouped by the chain as it is.
//
// Left out or made equal are: the name of the program's own file; versions of libraries; parameters of functions, which
// the debug information of inlined ones lacks; what libc calls before main or a thread's function, whose names are known
// only with its debug information; offsets of functions without a name.

import GenmarkModel

extension CallerChain {
  /// - Parameter program: path of the program's own module; nil when not known.
  func stable(program: String?) -> CallerChain {
    let own = program.map { FrameKey.baseName($0) }
    var end = functions.count
    while end > 1, functions[end - 1].isLoading { end -= 1 }
    var result: [FrameKey] = []
    for key in functions[..<end] {
      var key = key
      key.module = key.module == own ? "" : FrameKey.withoutVersion(key.module)
      key.function = key.function.hasPrefix("+0x") ? "?" : FrameKey.withoutParameters(key.function)
      if result.last != key { result.append(key) }
    }
    return CallerChain(functions: result)
  }

  /// True when both have the same headline, and one has no function that the other lacks, in the same order: so they
  /// differ by callers that were inlined or left out.
  func isLike(_ other: CallerChain) -> Bool {
    guard let headline = functions.first, headline == other.functions.first else { return false }
    let (longer, shorter) =
      functions.count >= other.functions.count ? (functions, other.functions) : (other.functions, functions)
    var next = longer.startIndex
    for function in shorter {
      guard let found = longer[next...].firstIndex(of: function) else { return false }
      next = found + 1
    }
    return true
  }
}

extension FrameKey {
  /// Code of libc and of the loader that leads to main or to a thread's function.
  fileprivate var isLoading: Bool {
    function == "_start"
      || ["libc.so", "libc-2.", "libpthread", "ld-linux", "ld-musl", "libc.musl"].contains { module.hasPrefix($0) }
  }

  /// `libfoo.so.1.2` is `libfoo.so`.
  static func withoutVersion(_ module: String) -> String {
    guard let found = module.range(ofText: ".so.") else { return module }
    return String(module[..<found]) + ".so"
  }

  /// `f(int) const` is `f`, and `operator()(int)` is `operator()`. Labels of Swift, as in `f(_:to:)`, stay: they tell
  /// functions apart, and are always known.
  static func withoutParameters(_ name: String) -> String {
    var bytes = Array(name.utf8)
    for suffix in [" const", " volatile", " &&", " &"] where bytes.count > suffix.utf8.count {
      if bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { bytes.removeLast(suffix.utf8.count) }
    }
    guard bytes.last == UInt8(ascii: ")"), bytes.dropLast().last != UInt8(ascii: ":") else { return name }
    var depth = 0
    for index in bytes.indices.reversed() {
      if bytes[index] == UInt8(ascii: ")") { depth += 1 }
      if bytes[index] == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 { return index == 0 ? name : String(decoding: bytes[..<index], as: UTF8.self) }
    }
    return name
  }
}
