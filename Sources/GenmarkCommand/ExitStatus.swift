// SPDX-License-Identifier: MIT
//
// ExitStatus: what `genmark` ends with. `genmark run` is the exception: it ends as its program did.

#if canImport(Glibc)
  import Glibc
#endif

/// An exit status of the process.
struct ExitStatus: Equatable, Sendable {
  var code: Int32

  /// Done; for `check`: within budget.
  static let success = ExitStatus(code: 0)
  /// `check`: growth over budget.
  static let exceeded = ExitStatus(code: 1)
  /// `check`: too few cycles or losses; no pass can be given.
  static let inconclusive = ExitStatus(code: 2)
  /// The trace or the call is wrong.
  static let failure = ExitStatus(code: 3)
  /// `run`: the program exists and can not be executed (as shells say it).
  static let cannotExecute = ExitStatus(code: 126)
  /// `run`: there is no such program.
  static let notFound = ExitStatus(code: 127)
}
