// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import GenmarkCommand

/// The line on standard error that says what takes so long.
struct ProgressTests {
  private static func read(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
  }

  @Test func aLogGetsOneLine() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let progress = Progress(descriptor: ends[1], patience: 0)
    for number in 1...5 { progress.step("looking up names: \(number) call sites") }
    progress.clear()
    #expect(Self.read(ends[0]) == "genmark: looking up names: 1 call sites …\n")
  }

  @Test func whatIsQuickSaysNothing() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let progress = Progress(descriptor: ends[1], patience: .max)
    progress.step("looking up names")
    progress.clear()
    close(ends[1])
    #expect(Self.read(ends[0]) == "")
    close(ends[0])
  }

  @Test func aTerminalGetsALineThatIsWipedAway() throws {
    var ends: (Int32, Int32) = (0, 0)
    try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
    defer {
      close(ends.0)
      close(ends.1)
    }
    let progress = Progress(descriptor: ends.1, patience: 0)
    progress.step("looking up \u{1b}[31mnames")
    progress.clear()
    let text = Self.read(ends.0)
    #expect(text.hasPrefix("\r\u{1b}[Kgenmark: looking up ") && text.hasSuffix("\r\u{1b}[K"))
    #expect(!text.contains("\u{1b}[31m") && !text.contains("\n"))
  }
}
