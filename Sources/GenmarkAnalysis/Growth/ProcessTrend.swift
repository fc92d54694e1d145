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
    func slope(_ values: [Double?]) -> Double? {
      let known = values.compactMap { $0 }
      return known.count == values.count && known.count > 1 ? Trend.theilSen(x: x, y: known) : nil
    }
    let heap = marks.map { Double($0.live.bytes.count) }
    let resident = marks.map { $0.residentBytes.map { Double($0.count) } }
    let threads = marks.map { $0.threads.map(Double.init) }
    heapBytesPerCycle = slope(heap) ?? 0
    rssBytesPerCycle = slope(resident)
    heldBytesPerCycle = slope(marks.map { $0.heldBytes.map { Double($0.count) } })
    threadsPerCycle = slope(threads)
    if window.judged.count < TooFewCyclesRule.least {
      verdict = .inconclusive
    } else if let rate = threadsPerCycle, rate > 0, ProcessGrowth.rises(threads.compactMap { $0 }) {
      verdict = .threadsGrow
    } else if heapBytesPerCycle >= Double(Evidence.gateBytes), ProcessGrowth.rises(heap) {
      verdict = .heapGrows
    } else if let rate = rssBytesPerCycle, rate * time >= ProcessGrowth.leastResidentRise,
      ProcessGrowth.rises(resident.compactMap { $0 })
    {
      verdict = .rssGrows
    } else {
      verdict = .level
    }
  }

  /// Rises at every step, or in a way that chance brings in less than 1 of 100 times, and also in the second half.
  private static func rises(_ values: [Double]) -> Bool {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return true }
    let half = Array(values[(values.count / 2)...])
    return Trend.mannKendall(values, rising: true) < 0.01 && (half.last ?? 0) > (half.first ?? 0)
  }
}
