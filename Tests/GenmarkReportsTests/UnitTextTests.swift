// SPDX-License-Identifier: MIT
//
// UnitTextTests: how sizes, rates and durations are written, also at the edges of each unit.

import GenmarkModel
import GenmarkReports
import Testing

struct UnitTextTests {
  @Test(arguments: [
    (0, "0 B"), (1, "1 B"), (9312, "9,312 B"), (10239, "10,239 B"), (10240, "10.0 KiB"), (12_800, "12.5 KiB"),
    (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"), (-3_145_728, "-3.0 MiB"), (-7, "-7 B"),
    (5_368_709_120, "5.0 GiB"), (Int64.min, "-8,388,608.0 TiB"),
  ])
  func bytes(count: Int64, text: String) { #expect(UnitText.bytes(Bytes(count)) == text) }

  @Test func signs() {
    #expect(UnitText.bytes(Bytes(5), signed: true) == "+5 B")
    #expect(UnitText.bytes(Bytes(0), signed: true) == "0 B")
    #expect(UnitText.blocks(Blocks(-1234), signed: true) == "-1,234")
  }

  @Test(arguments: [
    (1.0, "+1"), (1.0 / 3, "+0.33"), (-12.5, "-12.5"), (0.0, "0"), (1000.0, "+1,000"), (0.004, "+0.004"), (0.1, "+0.1"),
    (99.999, "+100"),
  ])
  func rates(value: Double, text: String) { #expect(UnitText.rate(value) == text) }

  @Test func byteRates() {
    #expect(UnitText.byteRate(96) == "+96 B")
    #expect(UnitText.byteRate(33.333) == "+33.3 B")
    #expect(UnitText.byteRate(20480) == "+20.0 KiB")
  }

  @Test(arguments: [
    (0, "0 s"), (450_000, "450 µs"), (12_345_678, "12.3 ms"), (1_230_000_000, "1.23 s"), (123_000_000_000, "2m 03s"),
    (11_220_000_000_000, "3h 07m"), (UInt64.max, "5124095h 34m"),
  ])
  func durations(count: UInt64, text: String) { #expect(UnitText.duration(Nanoseconds(count)) == text) }

  @Test func counts() {
    #expect(UnitText.count(1, "finding") == "1 finding")
    #expect(UnitText.count(1234, "finding") == "1,234 findings")
  }
}
