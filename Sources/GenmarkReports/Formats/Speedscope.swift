// SPDX-License-Identifier: MIT
//
// Speedscope: the file format of speedscope.app (file-format-schema.json): one profile of bytes, one of blocks.

import GenmarkModel

public enum Speedscope {
  private static let schema = "https://www.speedscope.app/file-format-schema.json"

  public static func document(_ stacks: StackSamples, version: String) -> JSONValue {
    var frames = FrameTable()
    let samples = stacks.shown.map { (frames: frames.indices(of: $0.frames), amount: $0.amount) }
    return .object([
      ("$schema", .string(schema)), ("name", .string(Escaping.cut(stacks.name))),
      ("exporter", .string("genmark " + version)), ("activeProfileIndex", .integer(0)),
      ("shared", .object([("frames", .array(frames.values))])),
      (
        "profiles",
        .array([
          profile("bytes", unit: "bytes", samples.map { ($0.frames, $0.amount.bytes.count) }),
          profile("blocks", unit: "none", samples.map { ($0.frames, $0.amount.blocks.count) }),
        ])
      ),
    ])
  }

  private static func profile(_ name: String, unit: String, _ samples: [(frames: [Int], value: Int64)]) -> JSONValue {
    let samples = samples.filter { $0.value > 0 }
    return .object([
      ("type", "sampled"), ("name", .string(name)), ("unit", .string(unit)), ("startValue", .integer(0)),
      ("endValue", .integer(samples.reduce(0) { $0 + $1.value })),
      ("samples", .array(samples.map { .array($0.frames.map { .integer(Int64($0)) }) })),
      ("weights", .array(samples.map { .integer($0.value) })),
    ])
  }

  /// Every frame once.
  private struct FrameTable {
    private struct Key: Hashable {
      var name: String
      var file: String?
      var line: Int?
    }

    private var known: [Key: Int] = [:]
    private(set) var values: [JSONValue] = []

    /// Outermost first, as speedscope has it.
    mutating func indices(of frames: [Frame]) -> [Int] {
      frames.reversed().map { frame in
        let key = Key(name: Escaping.cut(FrameText.plainName(frame)), file: frame.file, line: frame.line)
        if let index = known[key] { return index }
        var fields: [(String, JSONValue)] = [("name", .string(key.name))]
        if let file = key.file { fields.append(("file", .string(file))) }
        if let line = key.line { fields.append(("line", .integer(Int64(line)))) }
        known[key] = values.count
        values.append(.object(fields))
        return values.count - 1
      }
    }
  }
}
