// SPDX-License-Identifier: MIT
//
// HTMLReport: one self-contained page. What it shows is HTMLData's, how it looks and behaves is in page.html, page.css and
// the scripts beside them, which are part of the executable.

import GenmarkAnalysis
import GenmarkModel

public enum HTMLReport {
  /// Findings that a page shows at most.
  public static let mostFindings = 500

  /// - Parameters:
  ///   - trace: asked after all names were looked up, which adds notes to it.
  ///   - growth: nil where there are no marks to judge by.
  ///   - noGrowth: what to say then.
  ///   - from: mark after which blocks are born that the call tree shows at first; nil is the last of warm-up.
  ///   - to: mark up to which they are born; nil is the last judged one.
  /// - Complexity: O(call sites · depth + births), names included.
  public static func text(
    _ recording: Recording, _ trace: @autoclosure () -> TraceSummary, frames: any FrameSource, growth: GrowthReport?,
    noGrowth: String = "", from: MarkPoint? = nil, to: MarkPoint? = nil
  ) -> String {
    var data = HTMLData(recording)
    let document = data.document(trace, source: frames, growth: growth, noGrowth: noGrowth, choice: (from, to))
    return assemble(document.text)
  }

  /// Puts the parts into the page. Markers are looked for once and from the front, so that data can not bring its own.
  static func assemble(_ json: String) -> String {
    let scripts = [
      PackageResources.format_js, PackageResources.overview_js, PackageResources.findings_js,
      PackageResources.calltree_js, PackageResources.icicle_js, PackageResources.page_js,
    ]
    // Only elements with this number may run, so that nothing that slips in as markup can.
    let nonce = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
    var out = ""
    var rest = text(PackageResources.page_html)[...]
    for (marker, part) in [
      ("{nonce}", nonce), ("{nonce}", nonce), ("{nonce}", nonce), ("{style}", text(PackageResources.page_css)),
      ("{data}", inScript(json)), ("{nonce}", nonce), ("{script}", scripts.map { text($0) }.joined(separator: "\n")),
    ] {
      guard let place = range(of: marker, in: rest) else { continue }
      out += rest[..<place.lowerBound] + part
      rest = rest[place.upperBound...]
    }
    return out + rest
  }

  /// JSON that can not end its script element: these characters only stand in strings, where JSON may write them as
  /// escapes. Line ends of JavaScript are escaped too (`Escaping.json` does it, but not every JSON is from there).
  static func inScript(_ json: String) -> String {
    var out: [UInt8] = []
    let bytes = Array(json.utf8)
    out.reserveCapacity(bytes.count + 1024)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "<"): out += Array("\\u003c".utf8)
      case UInt8(ascii: ">"): out += Array("\\u003e".utf8)
      case UInt8(ascii: "&"): out += Array("\\u0026".utf8)
      // U+2028 and U+2029 are e2 80 a8 and e2 80 a9.
      case 0xe2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xfe == 0xa8:
        out += Array((bytes[index + 2] == 0xa8 ? "\\u2028" : "\\u2029").utf8)
        index += 2
      default: out.append(bytes[index])
      }
      index += 1
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func range(of marker: String, in text: Substring) -> Range<Substring.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(marker) { return start..<text.index(start, offsetBy: marker.count) }
      start = text.index(after: start)
    }
    return nil
  }
}
