// SPDX-License-Identifier: MIT
//
// GenerationsJSON: `genmark generations --json` and `genmark marks --json`.

import GenmarkAnalysis
import GenmarkModel

extension GenerationsReport {
  /// - Parameter byCallSite: whether the report was made with call sites; without, the field is absent.
  public func json(_ trace: TraceSummary, byCallSite: Bool) -> JSONValue {
    .object([
      ("schema", .string(SchemaName.generations)), ("trace", trace.json),
      ("generations", .each(generations) { $0.json(byCallSite: byCallSite) }),
    ])
  }
}

extension GenerationRow {
  fileprivate func json(byCallSite: Bool) -> JSONValue {
    var fields: [(String, JSONValue)] = [
      ("generation", .unsigned(UInt64(generation.number))),
      ("lastGeneration", .unsigned(UInt64(generation.lastNumber))),
      ("openedBy", JSONValue(openedBy)), ("closedBy", JSONValue(closedBy)),
      ("startedAt", JSONValue(generation.startedAt)), ("duration", JSONValue(generation.duration)),
    ]
    fields += JSONValue.fields("born", generation.born)
    fields += [
      ("persistentBlocks", JSONValue(generation.persistent.blocks)),
      ("growthBytes", JSONValue(generation.persistent.bytes)),
    ]
    fields += JSONValue.fields("transient", generation.transient) + JSONValue.fields("live", generation.live)
    fields += [
      ("rssBytes", JSONValue(generation.residentBytes)), ("heldBytes", JSONValue(generation.heldBytes)),
      ("threads", JSONValue(generation.threads)),
    ]
    if byCallSite {
      let sites = JSONValue.each(callSites) { site in
        .object([("frames", .frames(site.frames))] + JSONValue.fields("", site.persistent))
      }
      fields.append(("callSites", sites))
    }
    return .object(fields)
  }
}

extension Recording {
  /// `genmark marks --json`.
  public var marksJSON: JSONValue {
    let rows = marks.indices.map { index -> JSONValue in
      let mark = marks[index]
      var fields: [(String, JSONValue)] = [
        ("mark", .unsigned(UInt64(mark.generation))), ("label", .string(label(ofMark: index))),
        ("ordinal", .unsigned(UInt64(mark.ordinal))), ("time", JSONValue(mark.time)),
      ]
      fields += JSONValue.fields("born", mark.born) + JSONValue.fields("live", mark.live)
      fields += [
        ("rssBytes", JSONValue(mark.residentBytes)), ("heldBytes", JSONValue(mark.heldBytes)),
        ("threads", JSONValue(mark.threads)), ("merged", .unsigned(UInt64(mark.merged))),
      ]
      return .object(fields)
    }
    return .object([
      ("schema", .string(SchemaName.marks)), ("trace", TraceSummary(self).json),
      ("taken", .unsigned(UInt64(marksTaken))), ("marks", .array(rows)),
    ])
  }
}
