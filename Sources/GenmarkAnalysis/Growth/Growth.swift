// SPDX-License-Identifier: MIT
//
// Growth: from a recording to judged findings. The steps are in the neighbours: Cycles, GrowthSeries, then
// Verdicts/ for each group, then Findings/ for what is shown.

import GenmarkModel

/// Finds what grows in a recording.
public enum Growth {
  /// Fewer than three judged cycles, or losses, are no error: `GrowthReport.inconclusive` says so.
  /// - Throws: `noMarks`, `unknownLabel`.
  public static func report(
    of recording: Recording, frames: FrameSource, options: GrowthOptions = GrowthOptions()
  ) throws(AnalysisError) -> GrowthReport {
    throw .noMarks(file: recording.file)
  }
}
