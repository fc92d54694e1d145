// SPDX-License-Identifier: MIT

import Testing

@testable import GenmarkSymbols

@Suite struct IntervalIndexTests {
  @Test func everyRangeThatContainsTheAddressIsFound() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let ranges = (0..<Int.random(in: 0...12, using: &random)).map { index in
        IntervalIndex<Int>.Entry(
          low: UInt64.random(in: 0...20, using: &random), high: UInt64.random(in: 0...20, using: &random), value: index)
      }
      let index = IntervalIndex(ranges)
      for address in UInt64(0)...21 {
        let expected = ranges.filter { $0.low <= address && address < $0.high }
        #expect(Set(index.entries(containing: address).map(\.value)) == Set(expected.map(\.value)))
        let narrowest = expected.map { $0.high - $0.low }.min()
        #expect(index.narrowest(containing: address).map { $0.high - $0.low } == narrowest)
      }
    }
  }
}
