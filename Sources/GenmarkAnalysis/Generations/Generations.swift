// SPDX-License-Identifier: MIT
//
// Generations: makes the table of generations from a recording.

import GenmarkModel

/// Makes the table of generations.
public enum Generations {
  /// A recording without marks has one generation.
  /// - Parameter frames: nil leaves the call sites out.
  public static func report(of recording: Recording, frames: FrameSource? = nil) -> GenerationsReport {
    GenerationsReport()
  }
}
