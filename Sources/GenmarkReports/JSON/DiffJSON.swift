// SPDX-License-Identifier: MIT
//
// DiffJSON: `genmark diff --json`, of two marks and of two recordings.

import GenmarkAnalysis
import GenmarkModel

extension DiffReport {
  /// `callSites` holds the rows of whatever grouping was asked for; for the tree, `tree` holds the nodes.
  public func json(_ trace: TraceSummary) -> JSONValue {
    var fields: [(String, JSONValue)] = [
      ("schema", .string(SchemaName.diff)), ("trace", trace.json), ("from", from.json), ("to", to.json),
      ("aliveAt", aliveAt.json), ("by", .string(grouping.rawValue)),
    ]
    fields += JSONValue.fields("born", born) + JSONValue.fields("freed", freed)
    fields += JSONValue.fields("net", born - freed)
    fields += [("rows", .integer(Int64(rowCount))), ("callSites", .each(rows) { $0.json })]
    if grouping == .tree { fields.append(("tree", .each(tree) { $0.json })) }
    return .object(fields)
  }
}

extension DiffRow {
  fileprivate var json: JSONValue {
    .object(
      [("frames", .frames(frames))] + JSONValue.fields("", born) + JSONValue.fields("freed", freed)
        + JSONValue.fields("net", net))
  }
}

extension DiffNode {
  /// - Complexity: O(nodes); the depth is that of the recorded stacks, which the recorder limits.
  fileprivate var json: JSONValue {
    .object(
      [("frame", frame.json)] + JSONValue.fields("", born) + JSONValue.fields("freed", freed)
        + JSONValue.fields("net", net) + [("callers", .each(children) { $0.json })])
  }
}

extension ComparisonReport {
  public func json(old oldTrace: TraceSummary, new newTrace: TraceSummary) -> JSONValue {
    .object([
      ("schema", .string(SchemaName.comparison)), ("old", oldTrace.json), ("new", newTrace.json),
      ("oldCycles", old.cycles.json), ("newCycles", new.cycles.json),
      ("inconclusive", .array((old.inconclusive + new.inconclusive).map(JSONValue.string))),
      (
        "findings",
        .array(
          rows.map { row in
            .object([
              ("fingerprint", .string(row.fingerprint)), ("change", .string(row.change.rawValue)),
              ("headline", JSONValue(row.new?.headline ?? row.old?.headline)),
              ("oldVerdict", JSONValue(row.old?.verdict.rawValue)),
              ("newVerdict", JSONValue(row.new?.verdict.rawValue)),
              ("oldBlocksPerCycle", JSONValue(row.old?.growingBlocksPerCycle)),
              ("newBlocksPerCycle", JSONValue(row.new?.growingBlocksPerCycle)),
              ("oldBytesPerCycle", JSONValue(row.old?.growingBytesPerCycle)),
              ("newBytesPerCycle", JSONValue(row.new?.growingBytesPerCycle)),
              ("blocksPerCycle", .number(row.blocksPerCycle)), ("bytesPerCycle", .number(row.bytesPerCycle)),
            ])
          })
      ),
    ])
  }
}
