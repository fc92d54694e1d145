// SPDX-License-Identifier: MIT
//
// Completion: scripts that teach a shell the verbs and options of this build.

enum Completion {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  /// An option as a shell needs it.
  struct Item {
    let names: [String]
    /// Words for the value; empty for file names and free text.
    let candidates: [String]
    let help: String
    let takesValue: Bool
  }

  static func words<Target>(_ option: Option<Target>) -> [String] {
    if case .words(let words) = option.candidates { words } else { [] }
  }

  static func script(for shell: Shell, verbs: [AnyVerb]) -> String {
    switch shell {
    case .bash: bash(verbs)
    case .zsh: "#compdef genmark\nautoload -U +X bashcompinit && bashcompinit\n" + bash(verbs)
    case .fish: fish(verbs)
    }
  }

  private static func bash(_ verbs: [AnyVerb]) -> String {
    var out = "_genmark() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
    out += "  if [ \"$COMP_CWORD\" = 1 ]; then words='\(verbs.map(\.name).joined(separator: " "))'\n"
    out += "  else case ${COMP_WORDS[1]}:$before in\n"
    for verb in verbs {
      for item in verb.completions where !item.candidates.isEmpty {
        let patterns = item.names.map { "\(verb.name):\($0)" }.joined(separator: "|")
        out += "    \(patterns)) words='\(item.candidates.joined(separator: " "))' ;;\n"
      }
    }
    out += "    *) if [[ $word == -* ]]; then case ${COMP_WORDS[1]} in\n"
    for verb in verbs {
      let names = verb.completions.flatMap(\.names) + ["--help"]
      out += "        \(verb.name)) words='\(names.joined(separator: " "))' ;;\n"
    }
    out += "      esac; fi ;;\n  esac; fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
    return out + "complete -o default -F _genmark genmark\n"
  }

  private static func fish(_ verbs: [AnyVerb]) -> String {
    var out = ""
    for verb in verbs {
      out += "complete -c genmark -n __fish_use_subcommand -f -a \(verb.name) -d \(quoted(verb.summary))\n"
      for item in verb.completions {
        out += "complete -c genmark -n '__fish_seen_subcommand_from \(verb.name)'"
        for name in item.names { out += name.hasPrefix("--") ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst())" }
        if !item.candidates.isEmpty {
          out += " -x -a \(quoted(item.candidates.joined(separator: " ")))"
        } else if item.takesValue {
          out += " -r"
        }
        out += " -d \(quoted(item.help))\n"
      }
    }
    return out
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "\\'" : $0 == "\\" ? "\\\\" : String($0) }.joined() + "'"
  }
}
