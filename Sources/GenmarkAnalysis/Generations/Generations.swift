// SPDX-License-Identifier: MIT
//
// Generations: makes the table of generations from a recording.

import GenmarkModel

/// Makes the table of generations.
public enum Generations {
  /// A recording without marks has one generation.
  /// - Parameter frames: nil leaves the call sites out.
  public static func report(of recording: Recording, frames: FrameSource? = nil) -> GenerationsReport {
    var callSites = [[GenerationCallSite]](repeating: [], count: recording.generationCount)
    if let frames { callSites = persistentSites(of: recording, frames: frames) }
    let rows = recording.generations().map { generation in
      GenerationRow(
        generation: generation,
        openedBy: generation.openingMark.map { recording.label(ofMark: $0) },
        closedBy: generation.closingMark.map { recording.label(ofMark: $0) },
        callSites: callSites[generation.index])
    }
    return GenerationsReport(generations: rows)
  }

  /// What is alive at the end, by generation index.
  private static func persistentSites(of recording: Recording, frames: FrameSource) -> [[GenerationCallSite]] {
    let stable = StableSites(recording)
    var sums = [[CallTree.NodeID: Amount]](repeating: [:], count: recording.generationCount)
    for cell in recording.cells where cell.live != .zero {
      let index = Int(cell.callSite)
      let site = index < stable.representative.count ? stable.representative[index] : cell.callSite
      sums[recording.generationIndex(ofBirth: cell.birth)][site, default: .zero] += cell.live
    }
    let program = recording.mainModule?.path
    var named: [CallTree.NodeID: (frames: [Frame], headline: Frame?)] = [:]
    return sums.map { sum in
      sum.sorted { a, b in
        (b.value.bytes.count, b.value.blocks.count, a.key) < (a.value.bytes.count, a.value.blocks.count, b.key)
      }.map { site, live in
        let name =
          named[site]
          ?? {
            let list = frames.frames(of: site)
            return (list, list.isEmpty ? nil : list[list.headline(program: program)])
          }()
        named[site] = name
        return GenerationCallSite(frames: name.frames, headline: name.headline, persistent: live)
      }
    }
  }
}
