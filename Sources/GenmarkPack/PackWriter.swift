// SPDX-License-Identifier: MIT
//
// PackWriter: makes a pack of a trace, or of another pack. What replaces the names of one that is to tell none is in
// Anonymizer.

import GenmarkModel
import GenmarkSymbols
import GenmarkTrace

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

package struct PackWriter {
  /// What is packed.
  package let recording: Recording
  /// What the program says of its own leaks; not in a pack that is to tell no names.
  package var ownSuppressions: OwnSuppressions
  private let trace: [UInt8]

  /// Copies a trace, of a program that has ended or that runs.
  /// - Throws: TraceError.
  package init(trace path: String) throws {
    trace = try TraceCopy.bytes(of: path)
    recording = try Recording(traceBytes: trace, file: path)
    ownSuppressions = .none
  }

  package init(_ pack: Pack) {
    trace = pack.traceBytes
    recording = pack.recording
    ownSuppressions = pack.ownSuppressions
  }

  /// The file's bytes.
  /// - Parameters:
  ///   - frames: of one node; asked once for each address of each module.
  ///   - notes: what could not be looked up; asked after the frames.
  ///   - version: of this genmark.
  /// - Throws: PackError, TraceError.
  package func bytes(
    frames: (CallTree.NodeID) -> [Frame], notes: () -> [String], version: String, anonymizer: Anonymizer? = nil
  ) throws -> [UInt8] {
    let entries = self.entries(frames, anonymizer)
    let names = FrameTable.bytes(of: entries)
    guard names.count <= PackFormat.namesLimit else { throw PackError.tooManyNames(file: recording.file) }
    let said = notes()
    let info = PackInfo(
      packedAt: UInt64(max(0, time(nil))), version: version, end: recording.process.end,
      duration: recording.process.duration,
      notes: anonymizer == nil || said.isEmpty ? said : ["names of \(said.count) modules could not be looked up"],
      ownSuppressions: anonymizer == nil ? ownSuppressions : .none)
    var parts: [(PackFormat.Part, [UInt8])] = [(.info, info.bytes)]
    if let anonymizer {
      parts.append((.trace, try TraceCopy.withoutTexts(trace, file: recording.file)))
      parts.append((.texts, anonymizer.texts(PackTexts(recording)).bytes))
    } else {
      parts.append((.trace, trace))
    }
    parts.append((.names, names))
    let body = PackFormat.body(of: parts)
    return PackFormat.file(
      compressed: try Compression.packed(body), bodySize: body.count,
      flags: anonymizer == nil ? 0 : PackFormat.isAnonymous)
  }

  private func entries(
    _ frames: (CallTree.NodeID) -> [Frame], _ anonymizer: Anonymizer?
  ) -> [FrameTable.Place: [Frame]] {
    var entries: [FrameTable.Place: [Frame]] = [:]
    for node in 1..<max(1, recording.callTree.count) {
      let node = CallTree.NodeID(node)
      guard let place = recording.place(of: node), entries[place] == nil else { continue }
      let found = frames(node)
      // Module 0 stands for what no program is told by.
      entries[place] = place.module == 0 ? found : found.map { anonymizer?.frame($0) ?? $0 }
    }
    return entries
  }
}

/// Days and minutes that are the same everywhere.
enum UTC {
  /// `2026-03-31 14:05 UTC`.
  static func text(_ seconds: UInt64) -> String {
    var parts = tm()
    // Year 9999: four digits, and no overflow.
    var time = time_t(min(seconds, 253_402_300_799))
    guard gmtime_r(&time, &parts) != nil else { return "at an unknown time" }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }
}
