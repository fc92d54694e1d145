// SPDX-License-Identifier: MIT
//
// EscapingTests: hostile text in every kind of output.

import GenmarkReports
import Testing

struct EscapingTests {
  /// What names of functions, labels and paths may hold to hurt.
  static let hostile = "a\u{1b}[31m\n\r\t\0\u{85}\u{202e}\u{200b}<b>&\"'`|*_\\\u{fffd}é漢"

  @Test func plainTextStaysAsItIs() {
    #expect(Escaping.terminal("Cache.insert(_:) é漢 🙂") == "Cache.insert(_:) é漢 🙂")
    #expect(Escaping.terminal("") == "")
  }

  @Test(arguments: [
    ("\u{1b}[2J", "\\x1b[2J"), ("a\nb", "a\\nb"), ("\u{9b}1m", "\\u{9b}1m"), ("\u{7f}", "\\x7f"), ("\r\t", "\\r\\t"),
    ("\u{202e}gpj", "\\u{202e}gpj"), ("\u{2066}", "\\u{2066}"), ("\u{feff}x", "\\u{feff}x"), ("\u{2028}", "\\u{2028}"),
    ("\u{e0041}", "\\u{e0041}"), ("e\u{301}", "e\u{301}"),
  ])
  func terminalShowsWhatItWouldObey(text: String, shown: String) { #expect(Escaping.terminal(text) == shown) }

  @Test func terminalIsOneLineWithoutControls() {
    for value in Array(0...0x9f) + [0x61c, 0x200b, 0x200f, 0x2029, 0x202a, 0x2069, 0xfeff, 0xe000, 0xe007f] {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let shown = Escaping.terminal(String(scalar))
      let isPrintable = (0x20..<0x7f).contains(value) || value == 0xa0
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7f } || isPrintable, "U+\(value)")
    }
  }

  @Test func invalidUTF8BecomesVisible() {
    #expect(Escaping.terminal(String(decoding: [0x61, 0xff, 0x62], as: UTF8.self)) == "a\u{fffd}b")
  }

  @Test func jsonKeepsTheText() {
    #expect(Escaping.json("a\"\\\n\u{1}\u{7f}\u{2028}é") == "a\\\"\\\\\\n\\u0001\\u007f\\u2028é")
    #expect(Escaping.json("\u{9b}1m\u{202e}\u{e0041}") == "\\u009b1m\\u202e\\udb40\\udc41")
  }

  @Test func xmlHasNoMarkupAndNoForbiddenCharacter() {
    #expect(Escaping.xml("<a href=\"x\">&'") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;")
    #expect(Escaping.xml("]]>\u{1}\u{ffff}\n") == "]]&gt;\\x01\\u{ffff}&#10;")
  }

  @Test func htmlHasNoMarkup() {
    #expect(Escaping.html("</script><img onerror='x'>") == "&lt;/script&gt;&lt;img onerror=&#39;x&#39;&gt;")
  }

  @Test func markdownCanNotLeaveItsCell() {
    let out = Escaping.markdown(EscapingTests.hostile)
    for character in "|`<>*_[]\\\n\"'" { #expect(!out.contains(character), "\(character)") }
    #expect(Escaping.markdown("@team :tada: #1 $x$") == "&#64;team &#58;tada&#58; &#35;1 &#36;x&#36;")
  }

  @Test func csvQuotesAndDefusesFormulas() {
    #expect(Escaping.csv("plain") == "plain")
    #expect(Escaping.csv("a,\"b\"") == "\"a,\"\"b\"\"\"")
    #expect(Escaping.csv("=HYPERLINK(1)") == "'=HYPERLINK(1)")
  }

  @Test func githubCommandsEndWhereTheyEnd() {
    #expect(Escaping.githubMessage("50%\n::error::x") == "50%25%0A::error::x")
    #expect(Escaping.githubProperty("a,b:c%") == "a%2Cb%3Ac%25")
  }

  @Test func pathsBecomeURIs() {
    #expect(Escaping.uriPath("src/a b/é#?.c") == "src/a%20b/%C3%A9%23%3F.c")
  }

  @Test func foldedFramesHoldNoSeparator() { #expect(Escaping.folded("a;b\nc") == "a:b\\nc") }

  @Test func longTextIsCutWithAMark() {
    #expect(Escaping.cut("abcdef", to: 6) == "abcdef")
    #expect(Escaping.cut("abcdefg", to: 6) == "abcde…")
    #expect(Escaping.cut(String(repeating: "x", count: 100_000)).count == Escaping.longestName)
  }
}
