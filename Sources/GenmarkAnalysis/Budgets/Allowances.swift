// SPDX-License-Identifier: MIT
//
// Allowances: how much a finding may grow because it did so before. One baseline allows its rate. Several allow the
// largest, and above it as much as they differ among themselves, which is the noise from run to run.
//
// A finding is known again by its fingerprint. A build with other optimisation may have inlined or left out callers, which
// makes another fingerprint: what has no partner by fingerprint is then known by its headline, if one of the two chains of
// callers can be had from the other by leaving functions out, and only one such partner is left.

import GenmarkModel

struct Allowances {
  /// By fingerprint of the finding in the new recording: the rate in each baseline, zero where it did not grow.
  private var rates: [String: [Rate]] = [:]

  init(_ baselines: [Baseline], for findings: [Finding]) {
    let known = Set(findings.map(\.fingerprint))
    for (index, baseline) in baselines.enumerated() {
      func add(_ rate: Rate, _ fingerprint: String) {
        rates[fingerprint, default: Array(repeating: .zero, count: baselines.count)][index] = rate
      }
      let before = Set(baseline.entries.map(\.fingerprint))
      for entry in baseline.entries where known.contains(entry.fingerprint) { add(entry.rate, entry.fingerprint) }
      let left = baseline.entries.filter { !known.contains($0.fingerprint) }
      let new = findings.filter { !before.contains($0.fingerprint) }
      for entry in left {
        let partners = new.filter { $0.chain.isLike(entry.chain) }
        guard partners.count == 1, left.filter({ partners[0].chain.isLike($0.chain) }).count == 1 else { continue }
        add(entry.rate, partners[0].fingerprint)
      }
    }
  }

  /// Nil when no baseline has it.
  subscript(finding: Finding) -> Rate? {
    rates[finding.fingerprint].map {
      Rate(blocks: Allowances.most($0.map(\.blocks)), bytes: Allowances.most($0.map(\.bytes)))
    }
  }

  /// The largest and the spread above it. Never below zero.
  private static func most(_ values: [Double]) -> Double {
    let most = values.max() ?? 0
    return max(0, most + (most - (values.min() ?? most)))
  }
}
