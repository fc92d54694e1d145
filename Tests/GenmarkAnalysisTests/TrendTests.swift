// SPDX-License-Identifier: MIT
//
// The statistics behind verdicts, against slow ways to the same figures.

import Testing

@testable import GenmarkAnalysis

@Suite struct TrendTests {
  @Test func theilSenIsTheMedianSlope() {
    #expect(Trend.theilSen(x: [0, 1, 2, 3], y: [1, 3, 5, 7]) == 2)
    #expect(Trend.theilSen(x: [0, 2, 4], y: [0, 2, 4]) == 1)
    // One wild point does not move it.
    #expect(Trend.theilSen(x: [0, 1, 2, 3, 4], y: [0, 1, 100, 3, 4]) == 1)
    #expect(Trend.theilSen(x: [1], y: [5]) == 0)
    let many = (0..<2000).map(Double.init)
    #expect(Trend.theilSen(x: many, y: many.map { 3 * $0 }) == 3)
  }

  @Test func mannKendallIsExactForFewValues() {
    // By going through all orders of five values.
    let values: [Double] = [5, 3, 4, 2, 1]
    func score(_ values: [Double]) -> Int {
      var sum = 0
      for i in values.indices { for j in values.indices where j > i { sum += values[j] > values[i] ? 1 : -1 } }
      return sum
    }
    var orders: [[Double]] = [[]]
    for value in values {
      orders = orders.flatMap { order in (0...order.count).map { Array(order[..<$0]) + [value] + Array(order[$0...]) } }
    }
    let atLeast = orders.count { -score($0) >= -score(values) }
    let expected = Double(atLeast) / 120
    #expect(abs(Trend.mannKendall(values, rising: false) - expected) < 1e-12)
    #expect(abs(Trend.mannKendall([1, 2, 3, 4, 5], rising: true) - 1.0 / 120) < 1e-12)
  }

  @Test func mannKendallOfManyValues() {
    let rising = (0..<30).map(Double.init)
    #expect(Trend.mannKendall(rising, rising: true) < 1e-6)
    #expect(Trend.mannKendall(rising, rising: false) > 0.999)
    #expect(Trend.mannKendall(Array(repeating: 1, count: 30), rising: true) == 1)
    #expect(Trend.mannKendall([1, 2], rising: true) == 1)
  }

  @Test func fading() {
    #expect(Trend.fading([5, 5, 5, 5]) == .steady)
    #expect(Trend.fading([44, 36, 29, 24, 20]) == .unclear)
    #expect(Trend.fading([54, 44, 36, 29, 24, 20, 16, 13, 11, 9]) == .fading)
    #expect(Trend.fading([1, 2, 4, 8]) == .steady)
    #expect(Trend.fading([3]) == .steady)
  }

  @Test func laplaceKnowsEarlyFromLate() {
    #expect(Trend.laplace([0.1, 0.2, 0.1]) < -1)
    #expect(Trend.laplace([0.9, 0.8, 0.95]) > 1)
    #expect(Trend.laplace([0.25, 0.75]) == 0)
    #expect(Trend.laplace([]) == 0)
  }

  @Test func periods() {
    func find(_ values: [Int]) -> Period? { Period.find(in: values) { $0 > 0 } }
    #expect(find([0, 0, 1, 0, 0, 1, 0, 0, 1]) == Period(length: 3, repeats: 3))
    #expect(find([2, 2, 2, 2]) == Period(length: 1, repeats: 4))
    #expect(find([1, 1, 0, 1, 1, 0, 1]) == Period(length: 3, repeats: 2))
    #expect(find([1, 0, 0, 1]) == nil)
    #expect(find([0, 0, 0, 0]) == nil)
    #expect(find([1, 2, 3, 4, 5]) == nil)
    #expect(find([]) == nil)
  }
}
