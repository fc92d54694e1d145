// SPDX-License-Identifier: MIT

import Foundation
import GenmarkTestSupport
import GenmarkTrace
import Testing

import GenmarkModel

@Suite struct TraceFileTests {
  private func error(_ path: String) -> TraceError? {
    do throws(TraceError) {
      _ = try Recording(trace: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func aFileReadsAsItsBytesDo() throws {
    let directory = try TemporaryDirectory()
    let bytes = TraceBuilder.example().build().bytes
    let file = try directory.write(bytes, to: "a b.genmark")
    let recording = try Recording(trace: file)
    #expect(recording.file == file)
    #expect(recording.cells == (try Recording(traceBytes: bytes, file: file).cells))
  }

  @Test func whatIsNoFileIsRefusedAtOnce() throws {
    let directory = try TemporaryDirectory()
    let pipe = directory.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(error(directory.path + "/none") == .notFound(file: directory.path + "/none"))
    #expect(error("") == .notFound(file: ""))
    #expect(error("a\0b") == .notFound(file: "a\0b"))
    #expect(error(directory.path) == .notRegular(file: directory.path, kind: "a directory"))
    #expect(error(pipe) == .notRegular(file: pipe, kind: "a pipe"))
    #expect(error("/dev/null") == .notRegular(file: "/dev/null", kind: "a device"))
    #expect(error(try directory.write([], to: "empty")) == .empty(file: directory.path + "/empty"))
    #expect(error(String(repeating: "x", count: 5000)).map { "\($0)" }?.contains("no such trace") == true)
  }
}
