// SPDX-License-Identifier: MIT
//
// libgenmark.so, as the loader sees it: what it gives to a program, and what it takes. It must be built (make).

import Foundation
import Testing

@Suite("libgenmark.so")
struct RecorderLibraryTests {
  private let library = Repository.products.appendingPathComponent("libgenmark.so").path

  /// Symbols of the dynamic table, without versions.
  private func symbols(_ option: String) throws -> Set<String> {
    let rows = try Repository.output(of: "nm", "-D", option, library).split(separator: "\n")
    return Set(
      rows.compactMap { row in
        row.split(separator: " ").last.map { String($0.split(separator: "@")[0]) }
      })
  }

  @Test("exports the names of libgenmark.map and no other")
  func exports() throws {
    let map = try Repository.text(of: "CShims/Interpose/libgenmark.map")
    let withoutComments = map.replacing(/\/\*(?s:.*?)\*\//, with: "")
    let global = try #require(withoutComments.firstMatch(of: /global:(?s:(.*?))local:/)).1
    let listed = Set(global.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    #expect(listed.contains("malloc") && listed.contains("genmark_mark"))
    #expect(try symbols("--defined-only") == listed)
  }

  @Test("needs libc alone")
  func needed() throws {
    let dynamic = try Repository.output(of: "readelf", "-dW", library)
    let needed = dynamic.matches(of: /NEEDED.*\[(.*)\]/).map { String($0.1) }
    #expect(needed.allSatisfy { $0.hasPrefix("libc.so") || $0.hasPrefix("ld-linux") }, "needs \(needed)")
  }

  @Test("imports nothing that allocates, locks or looks at the locale")
  func forbiddenImports() throws {
    let forbidden: Set = [
      "__tls_get_addr", "printf", "fprintf", "snprintf", "vsnprintf", "__snprintf_chk", "__vsnprintf_chk",
      "__fprintf_chk", "fopen", "fwrite", "fflush", "strerror", "strerror_r", "localtime", "localtime_r", "setlocale",
      "getenv", "secure_getenv", "pthread_getattr_np", "backtrace", "atexit", "__cxa_atexit", "signal",
    ]
    let found = try symbols("--undefined-only").intersection(forbidden)
    #expect(found.isEmpty, "imports \(found.sorted())")
  }

  @Test("leaves the program's unwinder alone")
  func unwinder() throws {
    let all = try symbols("--defined-only").filter {
      $0.hasPrefix("_Unwind_") || $0.hasPrefix("unw_") || $0 == "backtrace"
    }
    #expect(all.isEmpty, "exports \(all.sorted())")
  }
}
