// SPDX-License-Identifier: MIT
//
// HTMLReport: one self-contained page. What it shows is HTMLData's, how it looks and behaves is in page.html, page.css
// and page.js, which are part of the executable.

import GenmarkAnalysis
import GenmarkModel

public enum HTMLReport {
  /// - Parameters:
  ///   - growth: nil where there are no marks to judge by.
  ///   - noGrowth: what to say then.
  public static func text(
    _ recording: Recording, _ trace: TraceSummary, frames: any FrameSource, growth: GrowthReport?, noGrowth: String = ""
  ) -> String {
    var data = HTMLData()
    let document = data.document(
      recording, trace, source: frames, generations: Generations.report(of: recording), growth: growth,
      noGrowth: noGrowth)
    return assemble(document.text)
  }

  /// Puts the parts into the page. Markers are looked for once and from the front, so that data can not bring its own.
  static func assemble(_ json: String) -> String {
    var out = ""
    var rest = text(PackageResources.page_html)[...]
    for (marker, part) in [
      ("/*STYLE*/", text(PackageResources.page_css)), ("/*DATA*/", inScript(json)),
      ("/*SCRIPT*/", text(PackageResources.page_js)),
    ] {
      guard let place = range(of: marker, in: rest) else { continue }
      out += rest[..<place.lowerBound] + part
      rest = rest[place.upperBound...]
    }
    return out + rest
  }

  /// JSON that can not end its script element: `<` only stands in strings, where JSON may write it as an escape.
  static func inScript(_ json: String) -> String {
    var out = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<": out += "\\u003c"
      case ">": out += "\\u003e"
      case "&": out += "\\u0026"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
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
