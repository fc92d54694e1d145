// SPDX-License-Identifier: MIT
//
// README says what the code does: its settings are the recorder's table, its verbs those of `genmark help`.

import Foundation
import Testing

@Suite("README is the code's")
struct DocumentTests {
  /// name → meaning, from the lines SETTING(field, "NAME", …, "meaning") of settings_table.h.
  private static func settings() throws -> [String: String] {
    let table = try Repository.text(of: "CShims/Recorder/settings_table.h")
    let rows = table.matches(of: /(?m)^SETTING\(\w+, "(\w+)", .*?, "([^"]*)"\)$/)
    return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
  }

  @Test("settings: the same names, the same meanings")
  func settings() throws {
    let settings = try Self.settings()
    #expect(settings.count >= 5)
    let readme = try Repository.text(of: "README.md")
    let rows = readme.matches(of: /(?m)^\| `(GENMARK_\w+)` \|.*\| (.*) \|$/)
    let documented = Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
    #expect(documented.keys.sorted() == settings.keys.sorted())
    for (name, meaning) in settings {
      #expect(documented[name]?.replacing("`", with: "") == meaning.replacing("`", with: ""), "\(name)")
    }
  }

  @Test("verbs: the same names")
  func verbs() throws {
    let help = try Repository.output(of: Repository.products.appendingPathComponent("genmark").path, "help")
    let readme = try Repository.text(of: "README.md")
    let verbs = Set(help.matches(of: #/(?m)^  ([a-z]+)  /#).map { String($0.1) })
    #expect(verbs.isSuperset(of: ["run", "mark", "generations", "diff", "growth", "check", "preload"]))
    let documented = Set(readme.matches(of: /(?m)^\| `genmark ([a-z]+)[^`]*` \|/).map { String($0.1) })
    #expect(documented == verbs)
  }

  @Test("commands: those of the Makefile")
  func makeTargets() throws {
    let makefile = try Repository.text(of: "Makefile")
    let readme = try Repository.text(of: "README.md")
    let named = Set(readme.matches(of: /`make ([a-z-]+)/).map { String($0.1) })
    #expect(named.isSuperset(of: ["demo", "test", "bench", "install"]))
    for target in named {
      #expect(makefile.contains(try Regex("(?m)^\(target):")), "README names make \(target)")
    }
    #expect(try Repository.text(of: ".ci/run").contains("make test"))
  }
}
