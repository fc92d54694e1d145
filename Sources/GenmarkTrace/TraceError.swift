// SPDX-License-Identifier: MIT
//
// TraceError: why a trace could not be read or marked, and the one place where that is put into words:
// what happened (file or pid): why it can't go on. What to do. What could be read all the same is in Recording.notes.

import GenmarkModel

/// A trace that can not be read, or a process that can not be marked. Paths in it are untrusted text.
public enum TraceError: Error, Hashable, Sendable {
  case notFound(file: String)
  /// The kernel refused; `reason` is its word for it.
  case unreadable(file: String, reason: String)
  /// `kind` says what it is instead of a file: "a directory", "a pipe".
  case notRegular(file: String, kind: String)
  case empty(file: String)
  /// It does not begin as a trace does. `hint` says what it seems to be.
  case notATrace(file: String, hint: String?)
  /// The recorder made the file and was stopped before it wrote anything, or has not come to it yet.
  case notBegun(file: String)
  case newerVersion(file: String, major: Int, known: Int)
  case olderVersion(file: String, major: Int, known: Int)
  /// Byte order or pointer size of a machine that this version does not read.
  case foreignMachine(file: String, what: String)
  /// The file ends at `size`, and `missing` would be behind it.
  case truncated(file: String, size: UInt64, missing: String)
  /// What stands at `offset` can not be true.
  case damaged(file: String, offset: UInt64, what: String)
  /// It claims records that would take more memory than there is data in it.
  case tooLarge(file: String, offset: UInt64)
  /// It was marked so fast that no whole history could be copied.
  case unsteady(file: String)

  case noProcess(pid: Int32)
  /// The process could not be looked at; `reason` is the kernel's word for it.
  case processUnreadable(pid: Int32, reason: String)
  case otherUsersProcess(pid: Int32, user: UInt32)
  case otherUsersFile(file: String, user: UInt32)
  /// The process maps no trace of its own.
  case notRecorded(pid: Int32)
  /// The program of the trace has ended: it can be read, not marked.
  case ended(file: String, pid: UInt32, end: ProcessEnd)
  /// The trace belongs to another process than the one that was named.
  case otherProcess(file: String, pid: UInt32, named: Int32)
  /// The trace's limit leaves no room for a mark, or it is damaged.
  case markRefused(file: String)
  /// Another thread is marking and does not get done.
  case locked(file: String, thread: UInt32)
  case unwritable(file: String, reason: String)
}

extension TraceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let file):
      "no such trace (\(file)): there is no file of this name. Traces are called PROGRAM.PID.genmark and lie in the "
        + "directory where the program was started, unless GENMARK_OUTPUT says otherwise."
    case .unreadable(let file, let reason):
      "cannot read the trace (\(file)): \(reason). Check its permissions, or read it as the user who recorded it."
    case .notRegular(let file, let kind):
      "not a trace (\(file)): it is \(kind). Name a file that the recorder wrote."
    case .empty(let file):
      "not a trace (\(file)): the file is empty. Record the program again."
    case .notATrace(let file, let hint):
      "not a trace (\(file)): it does not begin as one\(hint.map { "; " + $0 } ?? ""). "
        + "Name a file that the recorder wrote, usually PROGRAM.PID.genmark."
    case .notBegun(let file):
      "nothing recorded yet (\(file)): the program was stopped while its recorder was starting, or it is just "
        + "starting. Try again, or record it again."
    case .newerVersion(let file, let major, let known):
      "cannot read the trace (\(file)): its format is version \(major), this genmark reads version \(known). "
        + "Read it with the genmark that recorded it, or a newer one."
    case .olderVersion(let file, let major, let known):
      "cannot read the trace (\(file)): its format is version \(major), this genmark reads version \(known). "
        + "Read it with the genmark that recorded it, or record it again."
    case .foreignMachine(let file, let what):
      "cannot read the trace (\(file)): \(what). Read it on a machine like the one that recorded it."
    case .truncated(let file, let size, let missing):
      "truncated trace (\(file)): the file ends after \(size) bytes and \(missing) is missing. "
        + "Copy it again whole, or record again."
    case .damaged(let file, let offset, let what):
      "damaged trace (\(file), offset \(offset)): \(what). Copy it again, or record again."
    case .tooLarge(let file, let offset):
      "damaged trace (\(file), offset \(offset)): it claims far more records than it holds. "
        + "Copy it again, or record again."
    case .unsteady(let file):
      "cannot read the trace (\(file)): marks are being taken faster than it can be read. Read it again, or after "
        + "the program has ended."
    case .noProcess(let pid):
      "no such process (pid \(pid)): it has ended or never was. Name its trace instead: PROGRAM.\(pid).genmark."
    case .processUnreadable(let pid, let reason):
      "cannot look at the process (pid \(pid)): \(reason). Do it as the user who runs it."
    case .otherUsersProcess(let pid, let user):
      "refused (pid \(pid)): the process belongs to another user (uid \(user)). Do it as that user."
    case .otherUsersFile(let file, let user):
      "refused (\(file)): the trace belongs to another user (uid \(user)), who chose what is opened when it is read. "
        + "Do it as that user, or copy it if you trust it."
    case .notRecorded(let pid):
      "not recorded (pid \(pid)): the process has no trace. Start it with `genmark run -- PROGRAM`, or with "
        + "LD_PRELOAD=$(genmark preload); programs that are statically linked or setuid cannot be recorded."
    case .ended(let file, let pid, let end):
      "cannot mark (\(file)): its program, pid \(pid), \(TraceError.words(for: end)). "
        + "Read the trace with `genmark generations` or `genmark growth`."
    case .otherProcess(let file, let pid, let named):
      "not its trace (\(file)): it was recorded by pid \(pid) and not by pid \(named). Name the right one."
    case .markRefused(let file):
      "cannot mark (\(file)): the trace has no room for another mark or is damaged. "
        + "Raise GENMARK_MAX_MEMORY, or mark less often."
    case .locked(let file, let thread):
      "cannot mark (\(file)): thread \(thread) has been marking for 2 seconds. Let it go on if it is stopped, or kill it."
    case .unwritable(let file, let reason):
      "cannot write to the trace (\(file)): \(reason). Check its permissions and the disk."
    }
  }

  private static func words(for end: ProcessEnd) -> String {
    switch end {
    case .exit(let status): "has ended with exit status \(status)"
    case .signal(let signal): "was ended by signal \(signal)"
    case .exec: "has become another program"
    case .running: "is not to be found here"
    case .unknown: "has ended"
    }
  }
}
