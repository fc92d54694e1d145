// SPDX-License-Identifier: MIT
//
// The JSON reports as their readers know them: the names, kinds and units of the documented schemas. A report that
// lacks a field, or has another kind of value in it, does not decode.

/// A value that is always written, and null when it is not known.
struct Known<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = container.decodeNil() ? nil : try container.decode(Value.self)
  }
}

struct FrameReport: Decodable {
  var function: Known<String>
  var module: Known<String>
  var offset: Known<UInt64>
  var file: Known<String>
  var line: Known<Int>
  var inlined: Bool
  var folded: Bool
}

struct TraceReport: Decodable {
  struct End: Decodable {
    var kind: String
    var value: Known<Int>
  }

  struct Loss: Decodable {
    var kind: String
    var count: UInt64
  }

  var file: String
  var program: String
  var pid: Int32
  var end: End
  var losses: [Loss]
}

struct CallSiteReport: Decodable {
  var frames: [FrameReport]
  var blocks: Int
  var bytes: Int

  /// Functions, innermost first.
  var functions: [String] { frames.compactMap(\.function.value) }
}

struct GenerationsReport: Decodable {
  struct Generation: Decodable {
    var generation: Int
    var openedBy: Known<String>
    var closedBy: Known<String>
    var startedAt: UInt64
    var duration: UInt64
    var bornBlocks: Int
    var bornBytes: Int
    var persistentBlocks: Int
    var growthBytes: Int
    var transientBlocks: Int
    var transientBytes: Int
    var liveBlocks: Int
    var liveBytes: Int
    var rssBytes: Known<Int>
    var callSites: [CallSiteReport]?
  }

  var schema: String
  var trace: TraceReport
  var generations: [Generation]
}

struct DiffReport: Decodable {
  struct CallSite: Decodable {
    var frames: [FrameReport]
    var blocks: Int
    var bytes: Int
    var freedBlocks: Int
    var freedBytes: Int
    var netBlocks: Int
    var netBytes: Int

    var functions: [String] { frames.compactMap(\.function.value) }
  }

  var schema: String
  var trace: TraceReport
  var bornBlocks: Int
  var bornBytes: Int
  var freedBlocks: Int
  var freedBytes: Int
  var callSites: [CallSite]
}

struct GrowthReport: Decodable {
  struct Cycles: Decodable {
    var label: Known<String>
    var marked: Int
    var warmUp: Int
    var settling: Int
    var judged: Int
  }

  struct ProcessGrowth: Decodable {
    var heapBytesPerCycle: Double
    var rssBytesPerCycle: Known<Double>
    var verdict: String
  }

  struct CallSite: Decodable {
    var frames: [FrameReport]
    var blocks: Int
    var bytes: Int
    var verdict: String
    var blocksPerCycle: Double
    var bytesPerCycle: Double
    var survivors: [Int]

    var functions: [String] { frames.compactMap(\.function.value) }
  }

  struct Finding: Decodable {
    var fingerprint: String
    var verdict: String
    var certainty: String
    var blocksPerCycle: Double
    var bytesPerCycle: Double
    var liveBlocks: Int
    var liveBytes: Int
    var headline: FrameReport
    var callSites: [CallSite]
  }

  struct Excess: Decodable {
    var fingerprint: String
    var limit: String
    var value: Double
  }

  struct Excuse: Decodable {
    var fingerprint: String
    var reason: String
  }

  var schema: String
  var trace: TraceReport
  var cycles: Cycles
  var process: ProcessGrowth
  var findings: [Finding]

  // Only from `check`.
  var outcome: String?
  var exceeded: [Excess]?
  var excused: [Excuse]?
  var unused: [String]?
}
