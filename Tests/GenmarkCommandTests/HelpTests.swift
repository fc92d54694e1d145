// SPDX-License-Identifier: MIT
//
// HelpTests: what holds of the help of every verb.

import GenmarkReports
import Testing

@testable import GenmarkCommand

struct HelpTests {
  @Test(arguments: Main.verbs.map(\.name))
  func everyVerbIsDocumented(name: String) throws {
    let verb = try #require(Main.verbs.first { $0.name == name })
    let help = verb.help(false)
    #expect(help.hasPrefix("genmark \(name): \(verb.summary)\n"))
    #expect(help.contains("\nExample\n") && help.contains("genmark \(name)"))
    for line in help.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    for item in verb.completions {
      #expect(!item.help.isEmpty && help.contains(item.names.joined(separator: ", ")))
      #expect(item.names.allSatisfy { $0.hasPrefix("-") })
    }
    let names = verb.completions.flatMap(\.names)
    #expect(Set(names).count == names.count, "an option stands twice")
  }

  @Test func verbsAreListedOnce() {
    let names = Main.verbs.map(\.name)
    #expect(Set(names).count == names.count)
    let overview = Help.overview(of: Main.verbs, hasColour: false)
    for name in names { #expect(overview.contains("\n  \(name) ")) }
  }

  @Test(arguments: Completion.Shell.allCases)
  func completionsKnowEveryVerbAndOption(shell: Completion.Shell) {
    let script = Completion.script(for: shell, verbs: Main.verbs)
    for verb in Main.verbs {
      #expect(script.contains(verb.name))
      for name in verb.completions.flatMap(\.names) where name.hasPrefix("--") {
        #expect(script.contains(shell == .fish ? "-l \(name.dropFirst(2)) " : name), "\(verb.name) \(name)")
      }
    }
  }
}
