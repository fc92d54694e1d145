// SPDX-License-Identifier: MIT
//
// TraceAmounts: counters of a trace as amounts of the model.

internal import GenmarkModel

extension Amount {
  /// More than any program can reach: 64 PiB or as many blocks. Larger numbers are damage; refusing them here lets all
  /// that comes after multiply and add without a thought of overflow.
  static let recordedLimit: UInt64 = 1 << 56

  /// Nil when a number is past `recordedLimit`.
  init?(recordedBlocks blocks: UInt64, bytes: UInt64) {
    guard blocks <= Amount.recordedLimit, bytes <= Amount.recordedLimit else { return nil }
    self.init(blocks: Int64(blocks), bytes: Int64(bytes))
  }
}
