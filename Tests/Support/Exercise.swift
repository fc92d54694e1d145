// SPDX-License-Identifier: MIT
//
// Exercise: does with what could be read of a damaged trace what the command does with the model.

import GenmarkModel

/// Asks a recording for all that reports are made of: damage that the reader lets pass has to survive the model too.
public func exercise(_ recording: Recording) {
  _ = recording.generations()
  _ = recording.labelsOfMarks()
  let survival = Survival(recording)
  for callSite in survival.callSites {
    _ = recording.callTree.path(of: callSite)
    _ = survival.series(of: callSite)
    _ = survival.survivors(of: callSite, at: .end)
  }
  _ = survival.freed(from: .mark(0), to: .end)
  _ = survival.survivors(bornIn: 0..<recording.generationCount, at: .end)
  let sites = CallSites(recording)
  for callSite in sites.ids { _ = sites.total(of: callSite) }
  for index in recording.marks.indices { _ = recording.label(ofMark: index) }
}
