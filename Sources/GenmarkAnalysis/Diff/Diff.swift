// SPDX-License-Identifier: MIT
//
// Diff: compares two marks of one recording. Two recordings are compared by Comparison.

import GenmarkModel

/// Compares two marks of a recording.
public enum Diff {
  /// - Throws: `noMarks`, `unknownLabel`, `noSuchMark`, `badReference`, `wrongOrder`, `changesLost`.
  public static func report(
    of recording: Recording, frames: FrameSource, options: DiffOptions = DiffOptions()
  ) throws(AnalysisError) -> DiffReport {
    throw .noMarks(file: recording.file)
  }
}
