// SPDX-License-Identifier: MIT
//
// TraceMapping: a trace mapped shared, for writing. Nothing is read through it but words of the header; reading goes
// through TraceImage.

internal import CMark
internal import CTraceFormat
internal import GenmarkModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Unmaps when it goes.
final class TraceMapping {
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let opened: TraceFile
  private var name: String { opened.file }

  /// - Throws: `.unwritable` when the file can not be mapped.
  init(_ file: TraceFile) throws(TraceError) {
    guard file.size >= UInt64(GM_HEADER_SIZE), file.size <= UInt64(Int.max) else {
      throw .truncated(file: file.file, size: file.size, missing: "the rest of the header")
    }
    let mapped = mmap(nil, Int(file.size), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else {
      throw .unwritable(file: file.file, reason: systemMessage(errno))
    }
    base = mapped
    size = Int(file.size)
    opened = file
  }

  deinit { munmap(base, size) }

  /// For CMark.
  var file: gm_file { gm_file(base: base.assumingMemoryBound(to: UInt8.self), size: UInt64(size)) }

  var generation: UnsafeMutablePointer<UInt32> { word(\.generation) }
  var endKind: UnsafeMutablePointer<UInt32> { word(\.end_kind) }

  /// False when someone has cut the file behind our back, so that touching it would end us. Its program cuts it too, when
  /// it ends, but never below what is used, and says so first (header.limit).
  var isWhole: Bool {
    guard let size = opened.currentSize, size >= UInt64(GM_HEADER_SIZE),
      let header = try? TraceHeader(TraceImage(opened))
    else { return false }
    return size >= header.raw.used
  }

  /// Of the file now.
  var currentSize: UInt64 { opened.currentSize ?? 0 }

  /// Waits until the trace's lock could be had, and lets go of it: CMark waits for ever for an owner that lives, and the
  /// word may be that of a stopped program, or of one that was killed and whose thread id now is another's.
  /// - Throws: `.locked` after 2 seconds.
  func waitForLock() throws(TraceError) {
    var file = file
    var nap = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    for _ in 0..<TraceMapping.napsForLock {
      if gm_try_lock(&file, gm_thread_id()) {
        gm_unlock(&file)
        return
      }
      // CMark takes the place of an owner that is gone.
      let owner = gm_load_u32(word(\.lock))
      if owner != 0, kill(pid_t(bitPattern: owner), 0) != 0, errno == ESRCH { return }
      nanosleep(&nap, nil)
    }
    throw .locked(file: name, thread: gm_load_u32(word(\.lock)))
  }
  private static let napsForLock = 2000

  /// Writes the end of the program unless one is there. Under the trace's lock.
  func writeEnd(_ end: ProcessEnd, at now: UInt64, startedAt: UInt64) {
    guard gm_load_acquire_u32(endKind) == UInt32(GM_END_NONE) else { return }
    let kind: Int
    let value: Int32
    switch end {
    case .exit(let status): (kind, value) = (GM_END_EXIT, status)
    case .signal(let signal): (kind, value) = (GM_END_SIGNAL, signal)
    case .exec: (kind, value) = (GM_END_EXEC, 0)
    case .running, .unknown: return
    }
    let valueWord: UnsafeMutablePointer<Int32> = word(\.end_value)
    let timeWord: UnsafeMutablePointer<UInt64> = word(\.end_ns)
    valueWord.pointee = value
    timeWord.pointee = now > startedAt ? now - startedAt : 0
    // Release: who sees the kind sees value and time.
    gm_store_release_u32(endKind, UInt32(kind))
  }

  /// Tells other markers that there is no room behind `size`, before the file is cut there. Under the trace's lock.
  func limit(to size: UInt64) {
    let limitWord: UnsafeMutablePointer<UInt64> = word(\.limit)
    let populatedWord: UnsafeMutablePointer<UInt64> = word(\.populated)
    limitWord.pointee = size
    populatedWord.pointee = min(populatedWord.pointee, size)
  }

  private func word<Word>(_ field: KeyPath<gm_header, Word>) -> UnsafeMutablePointer<Word> {
    // Every field that is asked for is a stored one, whose offset is known; the first page is always mapped.
    (base + (MemoryLayout<gm_header>.offset(of: field) ?? 0)).assumingMemoryBound(to: Word.self)
  }
}
