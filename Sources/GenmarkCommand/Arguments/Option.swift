// SPDX-License-Identifier: MIT
//
// Option: one option of a verb as one value. Parser.swift applies it, Help.swift and Completion.swift print it; there
// is no second list of options anywhere.

import GenmarkModel

/// An option of a verb whose arguments are a `Target`.
struct Option<Target> {
  /// What a shell offers for the value.
  enum Candidates: Equatable {
    case none
    case files
    case words([String])
  }

  /// All spellings, e.g. `-o` and `--output`; the last one is the one that messages use.
  let names: [String]
  /// What stands for the value in the help; nil for a switch.
  let placeholder: String?
  let help: String
  let candidates: Candidates
  /// Puts the value into the arguments. Gets an empty string for a switch.
  let apply: (inout Target, String) throws(CommandError) -> Void

  var name: String { names.last ?? "" }
}

extension Option {
  static func flag(_ names: String..., set path: WritableKeyPath<Target, Bool>, to value: Bool = true, _ help: String)
    -> Option
  {
    Option(names: names, placeholder: nil, help: help, candidates: .none) { target, _ throws(CommandError) in
      target[keyPath: path] = value
    }
  }

  static func text(
    _ names: String..., value: String, set path: WritableKeyPath<Target, String?>, files: Bool = false, _ help: String
  ) -> Option {
    Option(names: names, placeholder: value, help: help, candidates: files ? .files : .none) {
      target, word throws(CommandError) in
      target[keyPath: path] = word
    }
  }

  /// May be given several times.
  static func list(
    _ names: String..., value: String, append path: WritableKeyPath<Target, [String]>, files: Bool = false,
    _ help: String
  ) -> Option {
    Option(names: names, placeholder: value, help: help, candidates: files ? .files : .none) {
      target, word throws(CommandError) in
      target[keyPath: path].append(word)
    }
  }

  /// A value that `parse` understands; `expected` completes "… is not …".
  static func value<Value>(
    _ names: String..., value placeholder: String, set path: WritableKeyPath<Target, Value?>, expected: String,
    _ help: String, parse: @escaping (String) -> Value?
  ) -> Option {
    let name = names.last ?? ""
    return Option(names: names, placeholder: placeholder, help: help, candidates: .none) {
      target, word throws(CommandError) in
      guard let value = parse(word) else { throw .badValue(option: name, value: word, expected: expected) }
      target[keyPath: path] = value
    }
  }

  static func count(
    _ names: String..., value placeholder: String = "N", set path: WritableKeyPath<Target, Int?>,
    atLeast least: Int = 0,
    _ help: String
  ) -> Option {
    let name = names.last ?? ""
    return Option(names: names, placeholder: placeholder, help: help, candidates: .none) {
      target, word throws(CommandError) in
      guard let value = Int(word), value >= least, value <= Int(Int32.max) else {
        throw .badValue(option: name, value: word, expected: "a number from \(least)")
      }
      target[keyPath: path] = value
    }
  }

  /// One of the words of an enumeration.
  static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ names: String..., set path: WritableKeyPath<Target, Choice>, _ help: String
  ) -> Option {
    let name = names.last ?? ""
    let words = Choice.allCases.map(\.rawValue)
    return Option(names: names, placeholder: words.joined(separator: "|"), help: help, candidates: .words(words)) {
      target, word throws(CommandError) in
      guard let choice = Choice(rawValue: word) else {
        throw .badValue(option: name, value: word, expected: "one of \(words.joined(separator: ", "))")
      }
      target[keyPath: path] = choice
    }
  }

  /// The same option of arguments that hold `Target` as a part.
  func within<Whole>(_ part: WritableKeyPath<Whole, Target>) -> Option<Whole> {
    let candidates: Option<Whole>.Candidates =
      switch self.candidates {
      case .none: .none
      case .files: .files
      case .words(let words): .words(words)
      }
    return Option<Whole>(names: names, placeholder: placeholder, help: help, candidates: candidates) {
      whole, word throws(CommandError) in
      try apply(&whole[keyPath: part], word)
    }
  }
}
