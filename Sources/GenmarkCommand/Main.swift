// SPDX-License-Identifier: MIT
//
// Main: from the command line to a verb and from what went wrong to one line and an exit status. The list of verbs
// stands here and nowhere else.

import GenmarkAnalysis
import GenmarkModel

#if canImport(Glibc)
  import Glibc
#endif

@main
enum Main {
  static let version = "0.1.0"

  static var verbs: [AnyVerb] {
    [
      AnyVerb(RunVerb.self), AnyVerb(PreloadVerb.self), AnyVerb(MarkVerb.self), AnyVerb(MarksVerb.self),
      AnyVerb(GenerationsVerb.self), AnyVerb(DiffVerb.self), AnyVerb(GrowthVerb.self), AnyVerb(ExplainVerb.self),
      AnyVerb(CheckVerb.self), AnyVerb(AcceptVerb.self), AnyVerb(ReportVerb.self), AnyVerb(ExportVerb.self),
      AnyVerb(PackVerb.self), AnyVerb(CompletionVerb.self),
      AnyVerb(HelpVerb.self),
      AnyVerb(VersionVerb.self),
    ]
  }

  static func main() {
    let console = Console()
    exit(
      status(
        of: CommandLine.rawArguments.dropFirst().map { String(pathBytes: $0.map { UInt8(bitPattern: $0) }) }, console
      ).code)
  }

  /// Runs a verb; whatever it throws becomes one line on standard error.
  static func status(of words: [String], _ console: Console) -> ExitStatus {
    do {
      let status = try run(words, console)
      try console.flush()
      return status
    } catch {
      // What was written before the error stays.
      try? console.flush()
      console.note(String(describing: error))
      return (error as? CommandError)?.status ?? .failure
    }
  }

  private static func run(_ words: [String], _ console: Console) throws -> ExitStatus {
    guard let first = words.first else {
      try console.write(Help.overview(of: verbs, hasColour: console.style.hasColour))
      return .failure
    }
    let spelling = ["-h": "help", "--help": "help", "--version": "version", "-V": "version"][first] ?? first
    guard let verb = verbs.first(where: { $0.name == spelling }) else {
      throw CommandError.unknownVerb(first, nearest: Suggestion.nearest(to: first, in: verbs.map(\.name)))
    }
    return try verb.run(Array(words.dropFirst()), console)
  }
}
