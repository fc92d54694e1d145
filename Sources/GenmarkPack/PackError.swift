// SPDX-License-Identifier: MIT
//
// PackError: why a pack can not be read or made. What is wrong with the trace in it is a TraceError.

/// A pack that can not be used. Paths in it are untrusted text.
package enum PackError: Error, Hashable, Sendable {
  case truncated(file: String)
  case damaged(file: String, String)
  case newerVersion(file: String, Int)
  /// It claims to hold far more than its size allows for.
  case tooLarge(file: String)
  /// Not made: the compression library gave this reason.
  case notCompressed(reason: String)
  /// Not made: the trace has more names than a pack may hold.
  case tooManyNames(file: String)
}

extension PackError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let file):
      "truncated pack (\(file)): its end is missing. Copy it again whole, or pack the trace again."
    case .damaged(let file, let what): "damaged pack (\(file)): \(what). Copy it again, or pack the trace again."
    case .newerVersion(let file, let version):
      "cannot read the pack (\(file)): its format is version \(version), this genmark reads version "
        + "\(PackFormat.version). Read it with the genmark that packed it."
    case .tooLarge(let file):
      "damaged pack (\(file)): it claims to hold far more than its size allows for. Copy it again, or pack the trace again."
    case .notCompressed(let reason): "cannot pack: \(reason). Free some memory and try again."
    case .tooManyNames(let file):
      "cannot pack (\(file)): its call stacks have more names than a pack may hold. Keep the trace and its binaries."
    }
  }
}
