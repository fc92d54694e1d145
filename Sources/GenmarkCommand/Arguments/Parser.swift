// SPDX-License-Identifier: MIT
//
// Parser: words to a verb's arguments. `--name value`, `--name=value`, `-n value`, `-nvalue`, `-ab` for switches, `--`
// ends the options. An option that is not known is an error, never an operand.

import GenmarkAnalysis

enum Parser {
  enum Outcome { case run, help }

  static func parse<V: Verb>(_ words: [String], into arguments: inout V) throws(CommandError) -> Outcome {
    var rest = words[...]
    var operands: [String] = []
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      if word == "--help" || word == "-h" { return .help }
      if word.hasPrefix("--") {
        try long(word, &rest, &arguments)
      } else if word.hasPrefix("-"), word != "-" {
        try short(word, &rest, &arguments)
      } else {
        operands.append(word)
        if V.operands.areVerbatim {
          operands += rest
          break
        }
      }
    }
    let rule = V.operands
    if operands.count < rule.needed.count {
      throw .missingOperand(verb: V.name, operand: rule.needed[operands.count])
    }
    if !rule.areVerbatim, operands.count > rule.needed.count + rule.optional {
      throw .tooManyOperands(verb: V.name, first: operands[rule.needed.count + rule.optional])
    }
    arguments.words = operands
    return .run
  }

  private static func long<V: Verb>(_ word: String, _ rest: inout ArraySlice<String>, _ arguments: inout V)
    throws(CommandError)
  {
    let equals = word.firstIndex(of: "=")
    let name = equals.map { String(word[..<$0]) } ?? word
    let option = try option(name, of: V.self)
    guard let placeholder = option.placeholder else {
      if equals != nil { throw .unwantedValue(option: name) }
      return try option.apply(&arguments, "")
    }
    if let equals { return try option.apply(&arguments, String(word[word.index(after: equals)...])) }
    guard let value = rest.popFirst() else { throw .missingValue(option: name, placeholder: placeholder) }
    try option.apply(&arguments, value)
  }

  private static func short<V: Verb>(_ word: String, _ rest: inout ArraySlice<String>, _ arguments: inout V)
    throws(CommandError)
  {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      let option = try option(name, of: V.self, typed: letters.isEmpty && word.count == 2 ? name : word)
      guard let placeholder = option.placeholder else {
        try option.apply(&arguments, "")
        continue
      }
      if !letters.isEmpty { return try option.apply(&arguments, String(letters)) }
      guard let value = rest.popFirst() else { throw .missingValue(option: name, placeholder: placeholder) }
      return try option.apply(&arguments, value)
    }
  }

  private static func option<V: Verb>(_ name: String, of verb: V.Type, typed: String? = nil) throws(CommandError)
    -> Option<V>
  {
    let options = V.options
    if let option = options.first(where: { $0.names.contains(name) }) { return option }
    let typed = typed ?? name
    let spellings = options.flatMap(\.names).filter { $0.hasPrefix("--") } + ["--help"]
    throw .unknownOption(typed, verb: V.name, nearest: Suggestion.nearest(to: typed, in: spellings))
  }
}
