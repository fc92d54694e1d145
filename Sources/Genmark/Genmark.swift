// SPDX-License-Identifier: MIT
//
// Genmark: what a Swift program can tell genmark about itself. Each call looks for the recorder that is preloaded
// into the program and does nothing when there is none, so the calls may stay in a program that is shipped. The C
// functions behind it are in CShims/API/include/genmark.h. This version records marks; scopes, expectations and
// ignored objects are taken and not yet recorded.

import CGenmark

/// Takes a mark: ends a generation of the heap and begins the next.
///
/// Use one label for one point of a repeated action: the marks of a label are its cycles. Safe on any thread; takes some
/// microseconds when the program is recorded.
///
/// - Parameter label: A trace keeps its first 1,024 bytes of UTF-8, up to a zero byte, and at most 4,096 different labels.
public func mark(_ label: String) {
  label.withCString(genmark_mark)
}

/// Runs `body` as a named piece of work of the calling thread: a screen, a request. Scopes nest.
///
/// - Throws: What `body` throws; the scope ends then too.
public func withScope<Result, Failure: Error>(
  _ name: String, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  name.withCString(genmark_scope_begin)
  defer { genmark_scope_end() }
  return try body()
}

/// Says that `object` is about to be released for the last time. When it still lives after `grace`, the report names it.
///
/// - Parameters:
///   - object: Not retained.
///   - label: What the report calls it.
///   - grace: How long it may still live, in whole milliseconds; 0 to about 49 days.
public func expectFreed(_ object: AnyObject, _ label: String, grace: Duration = .milliseconds(1000)) {
  let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  label.withCString { genmark_expect_freed(address, $0, wholeMilliseconds(grace)) }
}

/// A duration as C takes it, held to what 32 bits can say.
private func wholeMilliseconds(_ duration: Duration) -> UInt32 {
  let (seconds, attoseconds) = duration.components
  if seconds > Int64(UInt32.max) / 1000 { return .max }
  if seconds < 0 { return 0 }
  return UInt32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
}

/// Leaves `object` out of all growth: something that is kept on purpose. Not retained.
public func ignore(_ object: AnyObject) {
  genmark_ignore(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
}
