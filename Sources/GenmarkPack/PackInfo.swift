// SPDX-License-Identifier: MIT
//
// PackInfo and PackTexts: the small parts of a pack: what was known when it was made, and the texts of a trace that
// has none left. Their layout is in PackFormat.

import GenmarkModel
import GenmarkSymbols

/// What was known when the trace was packed.
struct PackInfo {
  /// Seconds since 1970.
  var packedAt: UInt64
  var version: String
  var end: ProcessEnd
  var duration: Nanoseconds
  /// What could not be looked up.
  var notes: [String]
  /// What the program says of its own leaks. Packs of before have none.
  var ownSuppressions: OwnSuppressions

  init(
    packedAt: UInt64, version: String, end: ProcessEnd, duration: Nanoseconds, notes: [String],
    ownSuppressions: OwnSuppressions = .none
  ) {
    self.ownSuppressions = ownSuppressions
    self.packedAt = packedAt
    self.version = version
    self.end = end
    self.duration = duration
    self.notes = Array(notes.prefix(PackFormat.noteLimit))
  }

  init(_ bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    packedAt = try reader.number()
    version = try reader.text()
    let kind = try reader.number()
    let value = Int32(truncatingIfNeeded: try reader.number())
    switch kind {
    case 1: end = .exit(status: value)
    case 2: end = .signal(value)
    case 3: end = .exec
    case 4: end = .running
    default: end = .unknown
    }
    duration = Nanoseconds(try reader.number())
    notes = []
    for _ in 0..<(try reader.count(each: 1)) { notes.append(try reader.text()) }
    guard notes.count <= PackFormat.noteLimit else { throw MalformedBytes() }
    ownSuppressions = .none
    if reader.remaining > 0 {
      let kind = try reader.number()
      let (module, text) = (try reader.text(), try reader.text())
      ownSuppressions = kind == 1 ? .text(text, module: module) : kind == 2 ? .unreadable(module: module) : .none
    }
  }

  var bytes: [UInt8] {
    let (kind, value): (UInt64, Int32) =
      switch end {
      case .unknown: (0, 0)
      case .exit(let status): (1, status)
      case .signal(let signal): (2, signal)
      case .exec: (3, 0)
      case .running: (4, 0)
      }
    var writer = ByteWriter()
    writer.number(packedAt)
    writer.text(version)
    writer.number(kind)
    writer.number(UInt64(UInt32(bitPattern: value)))
    writer.number(duration.count)
    writer.number(UInt64(notes.count))
    notes.forEach { writer.text($0) }
    let (own, module, text): (UInt64, String, String) =
      switch ownSuppressions {
      case .none: (0, "", "")
      case .text(let text, let module): (1, module, text)
      case .unreadable(let module): (2, module, "")
      }
    writer.number(own)
    writer.text(module)
    writer.text(text)
    return writer.bytes
  }
}

/// The texts of a recording.
struct PackTexts {
  var program: String
  var directory: String
  var arguments: [String]
  var modules: [String]
  var labels: [String]

  init(_ recording: Recording) {
    program = recording.process.program
    directory = recording.process.directory
    arguments = recording.process.arguments
    modules = recording.modules.map(\.path)
    labels = recording.labels.map(\.text)
  }

  init(_ bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    func list() throws(MalformedBytes) -> [String] {
      var texts: [String] = []
      for _ in 0..<(try reader.count(each: 1)) { texts.append(try reader.text()) }
      return texts
    }
    program = try reader.text()
    directory = try reader.text()
    arguments = try list()
    modules = try list()
    labels = try list()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.text(program)
    writer.text(directory)
    for list in [arguments, modules, labels] {
      writer.number(UInt64(list.count))
      list.forEach { writer.text($0) }
    }
    return writer.bytes
  }

  func apply(to recording: inout Recording) throws(MalformedBytes) {
    guard modules.count == recording.modules.count, labels.count == recording.labels.count else {
      throw MalformedBytes()
    }
    recording.process.program = program
    recording.process.directory = directory
    recording.process.arguments = arguments
    for (index, path) in modules.enumerated() { recording.modules[index].path = path }
    for (index, text) in labels.enumerated() { recording.labels[index].text = text }
  }
}
