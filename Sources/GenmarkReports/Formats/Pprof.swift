// SPDX-License-Identifier: MIT
//
// Pprof: a heap profile as pprof reads it (google/pprof, proto/profile.proto), gzipped. Pyroscope, Parca and others
// store it. How messages become bytes is in Protobuf.swift.

import GenmarkModel

public enum Pprof {
  public static func bytes(_ stacks: StackSamples, modules: [Module]) -> [UInt8] {
    var writer = PprofWriter(modules)
    return Gzip.stored(writer.profile(stacks))
  }
}

/// Gathers the tables of one profile.
private struct PprofWriter {
  /// A place in the code: one address, whatever was inlined there.
  private struct LocationKey: Hashable {
    var module: String?
    var offset: UInt64?
    var functions: [String]
    var lines: [Int]
  }
  private struct FunctionKey: Hashable {
    var name: String
    var linkageName: String
    var file: String
  }

  private let modules: [Module]
  private var strings: [String] = [""]
  private var stringIndex: [String: UInt64] = ["": 0]
  private var mappingIDs: [String: UInt64] = [:]
  private var locationIDs: [LocationKey: UInt64] = [:]
  private var functionIDs: [FunctionKey: UInt64] = [:]
  private var mappings: [ProtobufMessage] = []
  private var locations: [ProtobufMessage] = []
  private var functions: [ProtobufMessage] = []

  init(_ modules: [Module]) { self.modules = modules }

  mutating func profile(_ stacks: StackSamples) -> [UInt8] {
    var profile = ProtobufMessage()
    // The names that stores of heap profiles know.
    profile.add(1, valueType("inuse_objects", "count"))
    profile.add(1, valueType("inuse_space", "bytes"))
    for sample in stacks.shown {
      var message = ProtobufMessage()
      message.add(1, locationIDs(of: sample.frames))
      message.add(2, [UInt64(bitPattern: sample.amount.blocks.count), UInt64(bitPattern: sample.amount.bytes.count)])
      profile.add(2, message)
    }
    let comment = string(Escaping.cut(stacks.name))
    let defaultType = string("inuse_space")
    let period = valueType("space", "bytes")
    for mapping in mappings { profile.add(3, mapping) }
    for location in locations { profile.add(4, location) }
    for function in functions { profile.add(5, function) }
    for text in strings { profile.add(6, text) }
    profile.add(9, stacks.startedAt.count)
    profile.add(10, stacks.duration.count)
    profile.add(11, period)
    profile.add(12, UInt64(1))
    profile.add(13, [comment])
    profile.add(14, defaultType)
    return profile.bytes
  }

  /// Innermost first. A frame and those inlined into it are one location.
  private mutating func locationIDs(of frames: [Frame]) -> [UInt64] {
    var ids: [UInt64] = []
    var group: [Frame] = []
    for (index, frame) in frames.enumerated() {
      group.append(frame)
      if !frame.inlined || index == frames.count - 1 {
        ids.append(location(group))
        group.removeAll()
      }
    }
    return ids
  }

  private mutating func location(_ frames: [Frame]) -> UInt64 {
    let key = LocationKey(
      module: frames.last?.module, offset: frames.last?.offset, functions: frames.map { FrameText.plainName($0) },
      lines: frames.map { $0.line ?? 0 })
    if let id = locationIDs[key] { return id }
    let id = UInt64(locationIDs.count + 1)
    locationIDs[key] = id
    var message = ProtobufMessage()
    message.add(1, id)
    if let module = key.module {
      message.add(2, mapping(module))
      message.add(3, (key.offset ?? 0) &+ bias(of: module))
    }
    for frame in frames {
      var line = ProtobufMessage()
      line.add(1, function(frame))
      line.add(2, UInt64(max(0, frame.line ?? 0)))
      message.add(4, line)
    }
    if frames.contains(where: \.folded) { message.add(5, UInt64(1)) }
    locations.append(message)
    return id
  }

  private mutating func function(_ frame: Frame) -> UInt64 {
    let name = Escaping.cut(FrameText.plainName(frame))
    let key = FunctionKey(name: name, linkageName: frame.linkageName ?? name, file: frame.file ?? "")
    if let id = functionIDs[key] { return id }
    let id = UInt64(functionIDs.count + 1)
    functionIDs[key] = id
    var message = ProtobufMessage()
    message.add(1, id)
    message.add(2, string(key.name))
    message.add(3, string(key.linkageName))
    message.add(4, string(key.file))
    functions.append(message)
    return id
  }

  private mutating func mapping(_ path: String) -> UInt64 {
    if let id = mappingIDs[path] { return id }
    let id = UInt64(mappingIDs.count + 1)
    mappingIDs[path] = id
    let module = modules.first { $0.path == path }
    var message = ProtobufMessage()
    message.add(1, id)
    message.add(2, module?.start ?? 0)
    message.add(3, module?.end ?? 0)
    message.add(5, string(path))
    message.add(6, string(module.map { $0.buildID.map(PprofWriter.hex).joined() } ?? ""))
    // Names are in the profile; nothing is to be looked up again.
    for flag in 7...10 as ClosedRange<UInt64> { message.add(flag, UInt64(1)) }
    mappings.append(message)
    return id
  }

  private func bias(of path: String) -> UInt64 { modules.first { $0.path == path }?.bias ?? 0 }

  private mutating func valueType(_ type: String, _ unit: String) -> ProtobufMessage {
    var message = ProtobufMessage()
    message.add(1, string(type))
    message.add(2, string(unit))
    return message
  }

  /// Tools print it as it is.
  private mutating func string(_ raw: String) -> UInt64 {
    let text = Escaping.terminal(Escaping.cut(raw))
    if let index = stringIndex[text] { return index }
    let index = UInt64(strings.count)
    stringIndex[text] = index
    strings.append(text)
    return index
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
