// SPDX-License-Identifier: MIT
//
// TraceNames: the texts of a trace: labels, modules, and what the program was called with. Text is what the recorded
// program chose it to be: it is repaired where it is no UTF-8 and otherwise left alone; outputs escape it.

internal import CTraceFormat
internal import GenmarkModel

struct TraceNames {
  private let image: TraceImage
  private let sections: TraceSections
  private let strings: [TraceSection]

  private static let pathLimit: UInt32 = 1 << 16
  /// Linux takes at most 2 MiB of arguments unless it is told otherwise.
  private static let argumentsLimit: UInt32 = 1 << 23

  init(_ image: TraceImage, _ sections: TraceSections) {
    self.image = image
    self.sections = sections
    strings = sections[.strings]
  }

  /// - Throws: `.damaged`, `.truncated`, `.tooLarge`.
  func labels(_ header: TraceHeader, notes: inout TraceNotes) throws(TraceError) -> [Label] {
    // One more than the limit: the label that stands for all later ones.
    guard header.raw.label_count <= UInt64(GM_LABEL_LIMIT) + 1 else {
      throw .damaged(
        file: image.file, offset: TraceHeader.offset(of: \.label_count),
        what: "\(header.raw.label_count) labels are counted")
    }
    var labels: [Label] = []
    for part in try sections.covering(0..<header.raw.label_count, .labels, image) {
      for label in try image.row(of: gm_label.self, in: part.section, ids: part.ids) {
        let text = try text(label.text, limit: UInt32(GM_LABEL_LENGTH_LIMIT), &notes)
        labels.append(Label(text, isCut: Int(label.flags) & GM_LABEL_CUT != 0))
      }
    }
    return labels
  }

  /// - Throws: `.damaged`, `.truncated`, `.tooLarge`.
  func modules(_ header: TraceHeader, notes: inout TraceNotes) throws(TraceError) -> [Module] {
    let count = max(1, header.raw.module_count)
    let parts = try sections.covering(1..<count, .modules, image)
    try image.charge(count, each: MemoryLayout<Module>.stride, at: TraceHeader.offset(of: \.module_count))
    var modules: [Module] = []
    for part in parts {
      for module in try image.row(of: gm_module.self, in: part.section, ids: part.ids) {
        let path = try self.path(module.path, &notes)
        modules.append(Module(module, path: path))
      }
    }
    return modules
  }

  /// Program, directory and arguments.
  /// - Throws: `.truncated`, `.tooLarge`.
  func process(_ header: TraceHeader, notes: inout TraceNotes) throws(TraceError) -> RecordedProcess {
    var process = RecordedProcess(program: try path(header.raw.program, &notes))
    process.directory = try path(header.raw.directory, &notes)
    let arguments = try bytes(header.raw.arguments, limit: TraceNames.argumentsLimit, &notes)
    // Each ends with a zero byte; so does the last, unless it was cut.
    process.arguments = arguments.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if arguments.last ?? 0 == 0 { process.arguments.removeLast() }
    process.pid = header.raw.pid
    process.startedAt = Nanoseconds(header.raw.start_realtime_ns)
    process.isForkChild = Int(header.raw.flags) & GM_FLAG_FORKED != 0
    process.stoppedEarly = Int(header.raw.flags) & GM_FLAG_STOPPED != 0
    return process
  }

  private func path(_ string: gm_string, _ notes: inout TraceNotes) throws(TraceError) -> String {
    String(pathBytes: try bytes(string, limit: TraceNames.pathLimit, &notes))
  }

  private func text(_ string: gm_string, limit: UInt32, _ notes: inout TraceNotes) throws(TraceError) -> String {
    String(decoding: try bytes(string, limit: limit, &notes), as: UTF8.self)
  }

  /// Empty, with a note, when it does not lie in a STRINGS section or is longer than it may be.
  private func bytes(_ string: gm_string, limit: UInt32, _ notes: inout TraceNotes) throws(TraceError) -> [UInt8] {
    if string.offset == 0 || string.length == 0 { return [] }
    guard string.length <= limit, let section = section(holding: string.offset),
      UInt64(string.length) <= section.payload.upperBound - string.offset
    else {
      notes.add("a text is not where the trace says it is; it is left empty")
      return []
    }
    try image.charge(UInt64(string.length), each: 1, at: string.offset)
    return try image.copy(at: string.offset, count: UInt64(string.length), what: "a part of the texts")
  }

  /// Sections stand in the order of their offsets.
  private func section(holding offset: UInt64) -> TraceSection? {
    var low = 0
    var high = strings.count
    while low < high {
      let middle = (low + high) / 2
      if strings[middle].payload.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low < strings.count && strings[low].payload.contains(offset) ? strings[low] : nil
  }
}

extension Module {
  fileprivate init(_ record: gm_module, path: String) {
    // A size past the field is damage to the name of a module, not to what was counted: then it has no build-id.
    let size = Int(record.build_id_size) <= MemoryLayout.size(ofValue: record.build_id) ? Int(record.build_id_size) : 0
    self.init(
      path: path, bias: record.bias, start: record.start, end: record.end,
      buildID: withUnsafeBytes(of: record.build_id) { Array($0.prefix(size)) },
      isMain: Int(record.flags) & GM_MODULE_MAIN != 0, isVDSO: Int(record.flags) & GM_MODULE_VDSO != 0,
      isRecorder: Int(record.flags) & GM_MODULE_RECORDER != 0, loadedIn: record.loaded_generation,
      unloadedIn: record.unloaded_generation == GM_NO_GENERATION ? nil : record.unloaded_generation,
      fileSize: record.file_size, modified: Nanoseconds(record.modified_ns))
  }
}
