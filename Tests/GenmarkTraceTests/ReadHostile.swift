// SPDX-License-Identifier: MIT

import GenmarkModel
import GenmarkTestSupport
import GenmarkTrace

/// True when the bytes were read. Must never trap, hang or take more memory than the reader promises.
func readHostile(_ bytes: [UInt8]) -> Bool {
  do throws(TraceError) {
    exercise(try Recording(traceBytes: bytes, file: "hostile.genmark"))
    return true
  } catch {
    return "\(error)".isEmpty
  }
}
