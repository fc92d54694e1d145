// SPDX-License-Identifier: MIT
//
// Folded: folded stacks, as flamegraph.pl and its kin read them: `outermost;…;innermost value`, a line a stack.

import GenmarkModel

public enum Folded {
  /// - Parameter blocks: write blocks instead of bytes.
  public static func text(_ stacks: StackSamples, blocks: Bool = false) -> String {
    var sums: [String: Int64] = [:]
    for sample in stacks.shown {
      let line = sample.frames.reversed().map { Escaping.folded(Escaping.cut(FrameText.plainName($0))) }
      sums[line.joined(separator: ";"), default: 0] += blocks ? sample.amount.blocks.count : sample.amount.bytes.count
    }
    return sums.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }
}
