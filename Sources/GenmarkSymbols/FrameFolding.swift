// SPDX-License-Identifier: MIT
//
// FrameFolding: folds frames whose names are known already, from a pack, as the user wants it now. Frames that are
// being named are folded by Symbolizer.

import GenmarkModel

package struct FrameFolding {
  private let folds: Bool
  private let user: FoldTable?

  package init(_ options: SymbolOptions) {
    folds = options.folds
    user = options.folds && !options.foldPatterns.isEmpty ? FoldTable(onlyUser: options.foldPatterns) : nil
  }

  /// - Parameter frame: folded by the built-in table, or not.
  package func apply(to frame: inout Frame) {
    if !folds {
      frame.folded = false
    } else if !frame.folded, let user {
      frame.folded = user.folds(frame, isRecorder: false)
    }
  }
}
