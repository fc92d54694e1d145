// SPDX-License-Identifier: MIT
//
// Pack: reads a packed trace. Nothing in it is believed: the container is checked here and in PackFormat, the names by
// FrameTable, the trace as any trace.

import GenmarkModel
import GenmarkSymbols
import GenmarkTrace

/// A packed trace as values.
package struct Pack {
  package let recording: Recording
  package let symbols: PackedSymbols
  /// Names are hashes.
  package let isAnonymous: Bool
  let info: PackInfo
  /// The trace as it was packed.
  let traceBytes: [UInt8]

  /// True for a file that begins as a pack; nothing more is said of it.
  /// - Throws: TraceError, when it can not be read.
  package static func isPack(_ path: String) throws -> Bool {
    try TraceCopy.beginning(of: path, count: PackFormat.magic.count) == PackFormat.magic
  }

  /// - Throws: PackError, TraceError.
  package init(_ path: String, options: SymbolOptions = SymbolOptions()) throws {
    try self.init(bytes: TraceCopy.wholeFile(path), file: path, options: options)
  }

  /// Reads a pack that is in memory; `file` is what to call it.
  /// - Throws: PackError, TraceError.
  package init(bytes: [UInt8], file: String, options: SymbolOptions = SymbolOptions()) throws {
    let (body, flags) = try PackFormat.open(bytes, file: file)
    do {
      let parts = try PackFormat.parts(of: body)
      guard let infoBytes = parts[.info], let trace = parts[.trace], let names = parts[.names],
        infoBytes.count <= PackFormat.infoLimit, names.count <= PackFormat.namesLimit
      else { throw MalformedBytes() }
      info = try PackInfo(infoBytes)
      let table = try FrameTable(names)
      traceBytes = Array(trace)
      var recording = try Recording(traceBytes: traceBytes, file: file)
      if let texts = parts[.texts] { try PackTexts(texts).apply(to: &recording) }
      // Another process may have its number by now.
      recording.process.end = info.end
      recording.process.duration = info.duration
      self.recording = recording
      symbols = PackedSymbols(recording, table, options: options)
    } catch is MalformedBytes {
      throw PackError.damaged(file: file, "its parts do not fit together")
    }
    isAnonymous = flags & PackFormat.isAnonymous != 0
  }

  /// What could not be looked up when it was packed.
  package var symbolNotes: [String] { info.notes }

  /// What the program says of its own leaks.
  package var ownSuppressions: OwnSuppressions { info.ownSuppressions }

  /// What readers of any report should know, a sentence each; untrusted text.
  package var notes: [String] {
    let made = "names from the pack, made \(UTC.text(info.packedAt))"
    return [made + (isAnonymous ? "; they were replaced by hashes" : "")] + info.notes
  }
}
