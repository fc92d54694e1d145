// SPDX-License-Identifier: MIT
//
// A trace that was packed, as it is on a machine that has nothing of the program: every verb reads it and says the same.

import Foundation
import Testing

@Suite("A packed trace")
struct PackedTraceTests {
  private let workshop: Workshop
  private static let script = "repeat 10 leak once cache 3 churn 5 mark secretlabel end"

  init() throws {
    workshop = try Workshop()
  }

  /// Records a program that has a folder of its own, so that it can be taken away.
  private func recorded(_ trace: String) throws -> String {
    let folder = workshop.folder.appendingPathComponent("secretfolder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appendingPathComponent("secretprogram").path
    try FileManager.default.copyItem(atPath: Genmark.program("actor"), toPath: program)
    let outcome = try workshop.genmark(
      "run", "-o", trace, "--", program, "say", "secretword", "repeat", "10", "leak",
      "once", "cache", "3", "churn", "5", "mark", "secretlabel", "end")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return folder.path
  }

  /// Every verb that reads a trace; "T" stands for it.
  private func verbs(_ fingerprint: String) -> [[String]] {
    [
      ["generations", "T"], ["generations", "--by", "call-site", "T"], ["generations", "--json", "T"], ["marks", "T"],
      ["diff", "T", "2..8"], ["diff", "--json", "T", "2..8"], ["diff", "T", "T"], ["growth", "--all", "T"],
      ["growth", "--json", "T"], ["explain", "T", fingerprint], ["check", "T", "--max-growth", "1KiB"],
      ["check", "T", "--max-growth", "0B", "--json"], ["export", "T", "--format", "folded"],
      ["export", "T", "--format", "speedscope"],
    ]
  }

  private struct Answer: Equatable {
    var status: Int32
    var text: String
  }

  private func answers(_ trace: String, _ fingerprint: String) throws -> [Answer] {
    try verbs(fingerprint).map { words in
      let outcome = try Running([Genmark.command] + words.map { $0 == "T" ? trace : $0 }, in: workshop.folder).finish()
      // What is said of the names themselves, and when, is not the same; nor is the name of the file.
      let lines = outcome.text.split(separator: "\n").filter { !$0.contains("names from the pack") }
      return Answer(
        status: outcome.status, text: lines.joined(separator: "\n").replacingOccurrences(of: trace, with: "T"))
    }
  }

  private func fingerprint(_ trace: String) throws -> String {
    let growth: GrowthReport = try workshop.genmark("growth", trace, "--json").report()
    return try #require(growth.findings.first).fingerprint
  }

  @Test("says the same without the program")
  func withoutTheProgram() throws {
    let folder = try recorded("a.genmark")
    let fingerprint = try fingerprint("a.genmark")
    let before = try answers("a.genmark", fingerprint)
    #expect(before[7].text.contains("leak_record"))
    #expect(try workshop.genmark("pack", "a.genmark").status == 0)
    try FileManager.default.createDirectory(atPath: workshop.path("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: workshop.path("a.pack"), toPath: workshop.path("elsewhere/p.pack"))
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.removeItem(atPath: workshop.path("a.genmark"))
    let after = try answers("elsewhere/p.pack", fingerprint)
    for (words, (before, after)) in zip(verbs(fingerprint), zip(before, after)) {
      let isSame = before == after
      #expect(isSame, "\(words)")
    }
    // A page has a number in it that is another each time.
    let page = try workshop.genmark("report", "elsewhere/p.pack", "-o", "-")
    let isNamed = page.text.contains("leak_record")
    #expect(page.status == 0 && isNamed)
  }

  @Test("that is anonymous holds no name, and the same numbers under the same hashes")
  func anonymous() throws {
    let folder = try recorded("a.genmark")
    #expect(try workshop.genmark("pack", "--anonymize", "a.genmark", "-o", "1.pack").status == 0)
    #expect(try workshop.genmark("pack", "a.genmark", "-o", "2.pack").status == 0)
    // A pack that has names is made anonymous later, elsewhere.
    try FileManager.default.removeItem(atPath: folder)
    #expect(try workshop.genmark("pack", "--anonymize", "2.pack", "-o", "3.pack").status == 0)
    let packs: [GrowthReport] = try ["1.pack", "3.pack"].map { try workshop.genmark("growth", $0, "--json").report() }
    #expect(packs[0].findings.map(\.fingerprint) == packs[1].findings.map(\.fingerprint))
    let named: GrowthReport = try workshop.genmark("growth", "2.pack", "--json").report()
    #expect(packs[0].findings.map(\.liveBytes) == named.findings.map(\.liveBytes))
    for pack in ["1.pack", "3.pack"] {
      let body = try unpacked(pack)
      #expect(body.count > 1000)
      for secret in ["secret", "leak_record", "actor", "main.c", "libc", workshop.folder.lastPathComponent] {
        #expect(body.range(of: Data(secret.utf8)) == nil, "\(pack) holds \(secret)")
      }
      let outcome = try workshop.genmark("generations", "--by", "call-site", pack)
      #expect(outcome.status == 0 && !outcome.text.contains("secret") && !outcome.text.contains("leak_record"))
    }
  }

  /// What is in the zstd frame behind the head.
  private func unpacked(_ pack: String) throws -> Data {
    let bytes = try workshop.contents(pack)
    let start = try #require(bytes.range(of: Data([0x28, 0xb5, 0x2f, 0xfd])))
    try bytes[start.lowerBound...].write(to: workshop.folder.appendingPathComponent("body.zst"))
    let outcome = try Running(["zstd", "-dcqf", "body.zst"], in: workshop.folder).finish()
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test("is made of a running program, too")
  func running() throws {
    let program = try workshop.start(
      Self.script.replacingOccurrences(of: "secretlabel", with: "cycle") + " say ready wait", trace: "live.genmark")
    _ = try program.lines(1)
    let outcome = try workshop.genmark("pack", String(program.pid), "-o", "live.pack")
    #expect(outcome.status == 0, "\(outcome.errors)")
    program.send()
    #expect(try program.finish().status == 0)
    let growth: GrowthReport = try workshop.genmark("growth", "live.pack", "--json").report()
    #expect(growth.findings.count == 1)
    #expect(try workshop.genmark("growth", "live.pack").text.contains("leak_record"))
  }
}
