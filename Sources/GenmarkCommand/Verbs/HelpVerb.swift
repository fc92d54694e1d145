// SPDX-License-Identifier: MIT
//
// HelpVerb: `genmark help [VERB]`, `genmark version` and `genmark completion`: what the command says of itself.

import GenmarkAnalysis
import GenmarkReports

struct HelpVerb: Verb {
  static let name = "help"
  static let summary = "this list, or all about a verb"
  static let usage = "[VERB]"
  static let explanation = "Shows the verbs, or usage, options and an example of one."
  static let example = "genmark help growth"
  static let operands = Operands(needed: [], optional: 1)
  static var options: [Option<HelpVerb>] { [] }

  var words: [String] = []

  func run(_ console: Console) throws -> ExitStatus {
    let verbs = Main.verbs
    guard let name = words.first else {
      try console.write(Help.overview(of: verbs, hasColour: console.style.hasColour))
      return .success
    }
    guard let verb = verbs.first(where: { $0.name == name }) else {
      throw CommandError.unknownVerb(name, nearest: Suggestion.nearest(to: name, in: verbs.map(\.name)))
    }
    try console.write(verb.help(console.style.hasColour))
    return .success
  }
}

struct VersionVerb: Verb {
  static let name = "version"
  static let summary = "the version of this command"
  static let usage = ""
  static let explanation = "Prints the version."
  static let example = "genmark version"
  static let operands = Operands(needed: [], optional: 0)
  static var options: [Option<VersionVerb>] { [] }

  var words: [String] = []

  func run(_ console: Console) throws -> ExitStatus {
    try console.write(line: "genmark \(Main.version)")
    return .success
  }
}

struct CompletionVerb: Verb {
  static let name = "completion"
  static let summary = "a script that teaches a shell the verbs and options"
  static let usage = "bash|zsh|fish"
  static let explanation = "Prints a completion script for the shell."
  static let example = "source <(genmark completion bash)"
  static let operands = Operands(needed: ["a shell (bash, zsh or fish)"], optional: 0)
  static var options: [Option<CompletionVerb>] { [] }

  var words: [String] = []

  func run(_ console: Console) throws -> ExitStatus {
    guard let shell = Completion.Shell(rawValue: words[0]) else {
      throw CommandError.badValue(option: "completion", value: words[0], expected: "one of bash, zsh, fish")
    }
    try console.write(Completion.script(for: shell, verbs: Main.verbs))
    return .success
  }
}
