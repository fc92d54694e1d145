// SPDX-License-Identifier: MIT
//
// ProcessTrend: heap, RSS, allocator and threads of the whole process over the judged cycles. Shown, not gated: heap
// that is level while RSS rises is fragmentation, arenas or memory that did not come from malloc.

import GenmarkModel

extension ProcessGrowth {
  /// Rises smaller than this over the whole window are not called growth of RSS: pages come in lumps.
  private static let leastResidentRise = 64.0 * 1024

  init(of recording: Recording, window: Window) {
    self.init()
    let cycles =
      window.judged.lowerBound > 0
      ? (window.judged.lowerBound - 1)..<window.judged.upperBound : window.judged
    let marks = cycles.map { recording.marks[window.cycles.marks[$0]] }
    var time = 0.0
    let x = cycles.map { cycle -> Double in
      time += Double(window.cycles.weights[cycle])
      return time
    }
    // The allocator is not asked at every mark, and marks from outside can not ask it.
    func slope(_ values: [Double?]) -> Double? {
      let known = zip(x, values).compactMap { x, y in y.map { (x: x, y: $0) } }
      guard known.count > 1, 2 * known.count >= values.count else { return nil }
      return Trend.theilSen(x: known.map(\.x), y: known.map(\.y))
    }
    let heap = marks.map { Double($0.live.bytes.count) }
    let resident = marks.map { $0.residentBytes.map { Double($0.count) } }
    let held = marks.map { $0.heldBytes.map { Double($0.count) } }
    let threads = marks.map { $0.threads.map(Double.init) }
    heapBytesPerCycle = slope(heap) ?? 0
    rssBytesPerCycle = slope(resident)
    heldBytesPerCycle = slope(held)
    threadsPerCycle = slope(threads)
    self.threads = marks.last?.threads
    guard window.judged.count >= TooFewCyclesRule.least else {
      verdict = .inconclusive
      return
    }
    let heapGrows = heapBytesPerCycle >= Double(Evidence.gateBytes) && ProcessGrowth.rises(heap)
    func grows(_ rate: Double?, _ values: [Double?]) -> Bool {
      guard let rate else { return false }
      return rate * time >= ProcessGrowth.leastResidentRise + ProcessGrowth.ownBytes(recording)
        && ProcessGrowth.rises(values.compactMap { $0 })
    }
    var verdicts: [Kind] = []
    if let rate = threadsPerCycle, rate > 0, ProcessGrowth.rises(threads.compactMap { $0 }) {
      verdicts.append(.threadsGrow)
    }
    if heapGrows {
      verdicts.append(.heapGrows)
    } else if grows(rssBytesPerCycle, resident) || grows(heldBytesPerCycle, held) {
      verdicts.append(.rssGrows)
    }
    self.verdicts = verdicts
    verdict = verdicts.first ?? .level
  }

  /// What the recorder itself may have added to RSS, roughly: its trace is mapped into the program.
  private static func ownBytes(_ recording: Recording) -> Double {
    128 * Double(recording.changes.count + recording.cells.count + recording.marks.count)
  }

  /// Rises at every step, or in a way that chance brings in less than 1 of 100 times, and also in the second half.
  private static func rises(_ values: [Double]) -> Bool {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return true }
    let half = Array(values[(values.count / 2)...])
    return Trend.mannKendall(values, rising: true) < 0.01 && (half.last ?? 0) > (half.first ?? 0)
  }
}
