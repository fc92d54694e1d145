// SPDX-License-Identifier: MIT
//
// RecordingBuilder: recordings for tests in one expression, with names for their call sites. Nothing is written to
// a file; TraceBuilder does that.
//
//   RecordingBuilder(marks: 5, label: "cycle")
//     .site("main > push > Screen.init", survivors: [0, 1, 1, 1, 1, 1], bytes: 48)
//     .site("main > cache", alive: [[4], [3, 2, 1, 0]], bytes: 1024)
//     .recording

import GenmarkModel

public struct RecordingBuilder: Sendable {
  /// What one call site does: `rows[g]` is what is alive of the blocks born in generation g, at the mark that ends it,
  /// the one after, …, and last at the end; the last given value stays for the rest.
  struct Site: Sendable {
    var path: [String]
    var rows: [[Amount]]
    /// Born and freed within each generation.
    var transient: Amount
    var grown: UInt32
  }

  private var labels: [String]
  private var sites: [Site] = []
  private var resident: [Int64] = []
  private var kept: Set<GenerationNumber>?
  private var lostChanges: Set<GenerationNumber> = []
  private var losses: [Loss] = []
  private var end = ProcessEnd.exit(status: 0)

  /// As many marks with one label; there is one generation more.
  public init(marks: Int, label: String = "cycle") {
    labels = Array(repeating: label, count: marks)
  }

  /// One mark for each label.
  public init(labels: [String]) { self.labels = labels }

  /// A call site whose blocks live from birth on to the end: `survivors[g]` of generation g. The path goes from the
  /// outermost function inwards; "libx.so!f" is f in that module, "[f]" a frame that is folded.
  public func site(
    _ path: String, survivors: [Int], bytes: Int = 16, transient: Int = 0, grown: UInt32 = 0
  ) -> RecordingBuilder {
    site(path, alive: survivors.map { [$0] }, bytes: bytes, transient: transient, grown: grown)
  }

  /// A call site whose blocks go: `alive[g]` of generation g at its closing mark, the next, …; the last value stays.
  public func site(
    _ path: String, alive: [[Int]], bytes: Int = 16, transient: Int = 0, grown: UInt32 = 0
  ) -> RecordingBuilder {
    site(
      path, amounts: alive.map { $0.map { Amount(blocks: Int64($0), bytes: Int64($0 * bytes)) } },
      transient: Amount(blocks: Int64(transient), bytes: Int64(transient * bytes)), grown: grown)
  }

  /// The same with blocks and bytes of their own, for containers that grow by realloc.
  public func site(
    _ path: String, amounts: [[Amount]], transient: Amount = .zero, grown: UInt32 = 0
  ) -> RecordingBuilder {
    var copy = self
    let names = path.split(separator: ">").map { $0.trimmed }
    copy.sites.append(Site(path: names, rows: amounts, transient: transient, grown: grown))
    return copy
  }

  /// RSS at each mark, in bytes.
  public func resident(_ bytes: [Int64]) -> RecordingBuilder {
    var copy = self
    copy.resident = bytes
    return copy
  }

  /// Thins the history: only these marks are kept, and births are those of the kept generations.
  public func keeping(marks: [GenerationNumber]) -> RecordingBuilder {
    var copy = self
    copy.kept = Set(marks)
    return copy
  }

  /// The changes of this mark were lost.
  public func losingChanges(ofMark generation: GenerationNumber) -> RecordingBuilder {
    var copy = self
    copy.lostChanges.insert(generation)
    return copy
  }

  public func loss(_ kind: Loss.Kind, _ count: UInt64 = 1) -> RecordingBuilder {
    var copy = self
    copy.losses.append(Loss(kind: kind, count: count))
    return copy
  }

  public func ended(_ end: ProcessEnd) -> RecordingBuilder {
    var copy = self
    copy.end = end
    return copy
  }

  public var recording: Recording { build().recording }
  /// Names for the call sites of `recording`.
  public var frames: NamedFrames { build().frames }

  /// The id in `recording` of the call site with this path.
  public func callSite(_ path: String) -> CallTree.NodeID {
    let names = path.split(separator: ">").map { $0.trimmed }
    return build().ids[names] ?? 0
  }
}

extension RecordingBuilder {
  private struct Names {
    var tree = CallTree()
    var ids: [[String]: CallTree.NodeID] = [:]
    var frames = NamedFrames()

    mutating func node(_ path: [String]) -> CallTree.NodeID {
      guard let name = path.last else { return 0 }
      if let known = ids[path] { return known }
      let parent = node(Array(path.dropLast()))
      let id = tree.append(address: 0x40_0000 + UInt64(tree.count) * 16, parent: parent, module: 1)
      ids[path] = id
      frames.add(name: name, node: id, parent: parent, offset: UInt64(tree.count) * 16)
      return id
    }
  }

  /// Alive at the moment `mark` (index of all marks, or their number for the end).
  private func alive(_ rows: [[Amount]], birth: Int, at mark: Int) -> Amount {
    guard mark >= birth, birth < rows.count, let last = rows[birth].last else { return .zero }
    return mark - birth < rows[birth].count ? rows[birth][mark - birth] : last
  }

  private func build() -> (recording: Recording, frames: NamedFrames, ids: [[String]: CallTree.NodeID]) {
    var names = Names()
    var ordered: [(id: CallTree.NodeID, site: Site)] = sites.map { (names.node($0.path), $0) }
    ordered.sort { $0.id < $1.id }

    let all = labels.indices.map { GenerationNumber($0 + 1) }
    let keptMarks = all.filter { kept?.contains($0) ?? true }
    var texts: [String] = []
    var ordinals: [String: UInt32] = [:]
    var recording = Recording(
      file: "test.genmark",
      process: RecordedProcess(
        program: "/usr/bin/test", arguments: ["test"], directory: "/", pid: 4711,
        startedAt: Nanoseconds(1_700_000_000_000_000_000),
        duration: Nanoseconds(UInt64(labels.count + 1) * 1_000_000_000), end: end),
      modules: [Module(path: "/usr/bin/test", start: 0x40_0000, end: 0x80_0000, isMain: true)],
      callTree: names.tree, losses: losses)
    let birthOf: (Int) -> GenerationNumber = { birth in
      keptMarks.last { $0 <= GenerationNumber(birth) } ?? 0
    }
    // Sums over the births that one kept generation stands for.
    func grouped(_ site: Site, at mark: Int) -> [GenerationNumber: Amount] {
      var sums: [GenerationNumber: Amount] = [:]
      for birth in site.rows.indices {
        sums[birthOf(birth), default: .zero] += alive(site.rows, birth: birth, at: mark)
      }
      return sums
    }
    func bornSoFar(_ site: Site, through generation: Int) -> Amount {
      (0...generation).reduce(.zero) { sum, birth in
        sum + (birth < site.rows.count ? site.rows[birth].first ?? .zero : .zero) + site.transient
      }
    }

    var last: [CallTree.NodeID: [GenerationNumber: Amount]] = [:]
    var previousKept: GenerationNumber = 0
    for generation in all {
      let mark = Int(generation) - 1
      let text = labels[mark]
      let label = texts.firstIndex(of: text) ?? texts.count
      if label == texts.count { texts.append(text) }
      ordinals[text, default: 0] += 1
      guard keptMarks.contains(generation) else { continue }
      let firstChange = recording.changes.count
      var live = Amount.zero
      var born = Amount.zero
      for (id, site) in ordered {
        let now = grouped(site, at: mark)
        for birth in now.keys.sorted() {
          let amount = now[birth] ?? .zero
          live += amount
          guard !lostChanges.contains(generation), amount != last[id]?[birth] ?? .zero else { continue }
          recording.changes.append(Change(callSite: id, birth: birth, live: amount))
          last[id, default: [:]][birth] = amount
        }
        born += bornSoFar(site, through: mark)
      }
      recording.marks.append(
        Mark(
          generation: generation, label: label, ordinal: ordinals[text] ?? 1,
          time: Nanoseconds(UInt64(generation) * 1_000_000_000), born: born, live: live,
          residentBytes: mark < resident.count ? Bytes(resident[mark]) : nil, threads: 1,
          changes: firstChange..<recording.changes.count, merged: generation - previousKept,
          changesLost: lostChanges.contains(generation)))
      previousKept = generation
    }
    recording.labels = texts.map { Label($0) }
    for (id, site) in ordered {
      let final = grouped(site, at: labels.count)
      let born = bornSoFar(site, through: labels.count)
      for birth in final.keys.sorted() {
        let live = final[birth] ?? .zero
        // The oldest cell takes all that was ever freed; only sums are facts of a trace.
        let ever = birth == final.keys.min() ? (born - final.values.reduce(.zero, +)).clamped + live : live
        recording.cells.append(
          Cell(callSite: id, birth: birth, born: ever, freed: ever - live, grown: site.grown))
      }
      if final.isEmpty { recording.cells.append(Cell(callSite: id, birth: 0, born: born, freed: born)) }
    }
    return (recording, names.frames, names.ids)
  }
}

/// Names of a builder's call sites.
public final class NamedFrames: FrameSource {
  private var frame: [CallTree.NodeID: Frame] = [:]
  private var parent: [CallTree.NodeID: CallTree.NodeID] = [:]

  public init() {}

  func add(name: String, node: CallTree.NodeID, parent: CallTree.NodeID, offset: UInt64) {
    var text = Substring(name)
    let folded = text.hasPrefix("[") && text.hasSuffix("]")
    if folded { text = text.dropFirst().dropLast() }
    let parts = text.split(separator: "!", maxSplits: 1)
    let module = parts.count == 2 ? String(parts[0]) : "/usr/bin/test"
    let function = String(parts.last ?? "")
    frame[node] = Frame(
      function: function, linkageName: function, module: module, offset: offset, file: "/src/test.c",
      line: Int(node), folded: folded)
    self.parent[node] = parent
  }

  public func frames(ofNode node: CallTree.NodeID) -> [Frame] { frame[node].map { [$0] } ?? [] }

  public func frames(of callSite: CallTree.NodeID) -> [Frame] {
    var frames: [Frame] = []
    var node = callSite
    while node != 0, let next = frame[node] {
      frames.append(next)
      node = parent[node] ?? 0
    }
    return frames
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
