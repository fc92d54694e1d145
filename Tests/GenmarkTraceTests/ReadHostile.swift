// SPDX-License-Identifier: MIT
//
// Reads damaged bytes and then does with the recording what the command does, so that damage which the reader
// lets pass has to survive the model too.

import GenmarkModel
import GenmarkTrace

/// True when the bytes were read. Must never trap, hang or take more memory than the reader promises.
func readHostile(_ bytes: [UInt8]) -> Bool {
  do throws(TraceError) {
    let recording = try Recording(traceBytes: bytes, file: "hostile.genmark")
    _ = recording.generations()
    let survival = Survival(recording)
    for callSite in survival.callSites {
      _ = recording.callTree.path(of: callSite)
      _ = survival.series(of: callSite)
      _ = survival.survivors(of: callSite, at: .end)
    }
    _ = survival.freed(from: .mark(0), to: .end)
    _ = CallSites(recording).ids
    for index in recording.marks.indices { _ = recording.label(ofMark: index) }
    return true
  } catch {
    return "\(error)".isEmpty
  }
}
