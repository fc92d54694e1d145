// SPDX-License-Identifier: MIT
//
// PackVerb: `genmark pack`: a trace and the names of its addresses in one file. How that file looks is GenmarkPack's.

import GenmarkModel
import GenmarkPack
import GenmarkSymbols

struct PackVerb: Verb {
  static let name = "pack"
  static let summary = "a trace with its names in one compressed file, to read on another machine"
  static let usage = "[options] TRACE|PID"
  static let explanation = """
    Looks up the names of all call stacks and writes them and the trace into one compressed file. Every verb that reads
    a trace reads it, on any machine, without the program and its libraries. With --anonymize, names of functions,
    files, modules, arguments and labels are replaced by hashes: the same name by the same hash, so that packs can still
    be compared. Who guesses a name can then tell whether it is in there, unless there is a key that they do not know.
    """
  static let example = "genmark pack app.1234.genmark -o app.pack && genmark growth app.pack"
  static let operands = Operands(needed: ["a trace"], optional: 0)
  static var options: [Option<PackVerb>] {
    [
      .text(
        "-o", "--output", value: "FILE", set: \.output, files: true,
        "Where to write it; '-' is standard output. Default: TRACE with .pack in place of .genmark."),
      .flag("--force", set: \.replaces, "Replace FILE when it exists."),
      .flag("--anonymize", set: \.isAnonymous, "Replace names by hashes. A packed trace can be made anonymous, too."),
      .text(
        "--key", value: "FILE", set: \.keyFile, files: true,
        "With --anonymize: mix what is in FILE into the hashes. Only packs with the same key can be compared."),
      .flag("--keep-labels", set: \.keepsLabels, "With --anonymize: leave the labels of marks as they are."),
    ]
      + SymbolArguments.options.filter { !["--no-symbols", "--no-fold"].contains($0.name) }.map { $0.within(\.symbols) }
  }

  var words: [String] = []
  var output: String?
  var replaces = false
  var isAnonymous = false
  var keyFile: String?
  var keepsLabels = false
  var symbols = SymbolArguments()

  func run(_ console: Console) throws -> ExitStatus {
    if !isAnonymous, let option = keyFile != nil ? "--key" : keepsLabels ? "--keep-labels" : nil {
      throw CommandError.missingOption(option, needs: "--anonymize")
    }
    let file = try OpenTrace.file(words[0])
    let target = output ?? PackVerb.target(for: file)
    try check(target, source: file)
    let anonymizer = try isAnonymous ? Anonymizer(key: key(), keepsLabels: keepsLabels) : nil
    let (bytes, notes) = try packed(file, anonymizer)
    for note in notes { console.note(note) }
    if target == "-" { try console.write(bytes: bytes) } else { try TextFile.write(bytes, to: target) }
    if output == nil { console.note("packed into \(target)") }
    return .success
  }

  private func packed(_ file: String, _ anonymizer: Anonymizer?) throws -> (bytes: [UInt8], notes: [String]) {
    let progress = Progress()
    defer { progress.clear() }
    progress.step("reading \(file)")
    var count: UInt64 = 0
    func watched(_ frames: @escaping (CallTree.NodeID) -> [Frame]) -> (CallTree.NodeID) -> [Frame] {
      { node in
        count += 1
        progress.step("looking up names: \(count) addresses")
        return frames(node)
      }
    }
    if try Pack.isPack(file) {
      let pack = try Pack(file, options: symbols.symbolOptions)
      // The names are those of before; hashes of hashes would be no use to anyone.
      guard !pack.isAnonymous || anonymizer == nil else {
        throw CommandError.cannotRead(path: file, reason: "it is anonymous already")
      }
      let bytes = try PackWriter(pack).bytes(
        frames: watched(pack.symbols.frames(ofNode:)), notes: { pack.symbolNotes }, version: Main.version,
        anonymizer: anonymizer)
      return (bytes, [])
    }
    var writer = try PackWriter(trace: file)
    writer.ownSuppressions = OwnSuppressions.find(in: writer.recording, options: symbols.symbolOptions)
    let symbolizer = Symbolizer(writer.recording, options: symbols.symbolOptions)
    let bytes = try writer.bytes(
      frames: watched(symbolizer.frames(ofNode:)), notes: { symbolizer.warnings }, version: Main.version,
      anonymizer: anonymizer)
    return (bytes, symbolizer.warnings)
  }

  private func key() throws -> [UInt8] {
    guard let keyFile else { return [] }
    let key = Array(try TextFile.read(keyFile).utf8)
    if key.isEmpty { throw CommandError.cannotRead(path: keyFile, reason: "it is empty, and no key") }
    return key
  }

  /// `app.1234.genmark` is packed into `app.1234.pack`.
  static func target(for file: String) -> String {
    (file.hasSuffix(".genmark") ? String(file.dropLast(".genmark".count)) : file) + ".pack"
  }

  private func check(_ target: String, source: String) throws(CommandError) {
    if target == "-" {
      if Terminal.isTerminal(1) {
        throw .missingValue(option: "--output (a pack is no text)", placeholder: "FILE")
      }
    } else if Paths.exists(target) {
      if !replaces { throw .outputExists(path: target) }
      if Paths.resolved(target) == Paths.resolved(source) {
        throw .cannotWrite(path: target, reason: "it is the trace itself")
      }
    }
  }
}
