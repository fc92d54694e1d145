// SPDX-License-Identifier: MIT
//
// Verb: what each file in Verbs/ gives: its words for the help, its options, what it does. Text becomes checked
// arguments first (Parser.swift); only then anything is opened or run.

/// One verb of the command. An instance is the verb's arguments.
protocol Verb {
  static var name: String { get }
  /// One line, as in the list of verbs.
  static var summary: String { get }
  /// What follows the verb, e.g. `[options] TRACE [A..B]`.
  static var usage: String { get }
  /// What the verb does, for people who do not know it; several lines.
  static var explanation: String { get }
  /// A command line that works, and what it is for.
  static var example: String { get }
  static var options: [Option<Self>] { get }
  static var operands: Operands { get }

  init()
  /// The words that are no options, in their order; their number has been checked.
  var words: [String] { get set }

  func run(_ console: Console) throws -> ExitStatus
}

/// How many words a verb takes beside its options.
struct Operands {
  /// What they are called in messages, e.g. "a trace".
  var needed: [String]
  /// How many more there may be.
  var optional: Int
  /// All after the first word belongs to another program: no options are looked for there.
  var areVerbatim = false
}

/// A verb without its type, so that all can stand in one list.
struct AnyVerb {
  let name: String
  let summary: String
  let help: (Bool) -> String
  let completions: [Completion.Item]
  let run: ([String], Console) throws -> ExitStatus

  init<V: Verb>(_ verb: V.Type) {
    name = V.name
    summary = V.summary
    help = { Help.text(of: V.self, hasColour: $0) }
    completions = V.options.map {
      Completion.Item(
        names: $0.names, candidates: Completion.words($0), help: $0.help, takesValue: $0.placeholder != nil)
    }
    run = { words, console in
      var arguments = V()
      switch try Parser.parse(words, into: &arguments) {
      case .help:
        try console.write(Help.text(of: V.self, hasColour: console.style.hasColour))
        return .success
      case .run: return try arguments.run(console)
      }
    }
  }
}
