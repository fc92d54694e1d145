// SPDX-License-Identifier: MIT
import GenmarkModel
import Testing

struct PathBytesTests {
  @Test(arguments: [
    Array("plain/päth 日本 \u{1F600}".utf8), [], [0x2f], [0xff], [0x61, 0xff, 0xfe, 0x62], [0xc3], [0xe6, 0x97],
    [0xf0, 0x9f, 0x98],
    [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], Array("\u{10FF80}\u{10FFFF}".utf8),
    Array("e\u{301}/\u{301}".utf8),
  ])
  func everyNameComesBack(_ name: [UInt8]) {
    #expect(String(pathBytes: name).pathBytes == name)
    #expect(
      String(pathBytes: name).withPathBytes { Array(UnsafeBufferPointer(start: $0, count: name.count + 1)) }
        == name.map { CChar(bitPattern: $0) } + [0])
  }

  @Test func randomNamesComeBack() {
    var random = SystemRandomNumberGenerator()
    for length in 0..<300 {
      let name = (0..<length).map { _ in UInt8.random(in: 1...255, using: &random) }
      #expect(String(pathBytes: name).pathBytes == name)
    }
  }

  @Test func textStaysText() {
    #expect(String(pathBytes: Array("päth".utf8)) == "päth")
    #expect("päth".pathBytes == Array("päth".utf8))
  }
}
