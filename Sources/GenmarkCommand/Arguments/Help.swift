// SPDX-License-Identifier: MIT
//
// Help: the texts of `genmark help` and `genmark VERB --help`, made from the verbs and their options.

import GenmarkReports

enum Help {
  static let width = 100

  static func text<V: Verb>(of verb: V.Type, hasColour: Bool) -> String {
    let style = Style(hasColour: hasColour)
    var out = "genmark \(V.name): \(V.summary)\n\n"
    out += style.text("Usage", .heading) + "\n  genmark \(V.name) \(V.usage)\n\n"
    out += V.explanation + "\n\n" + style.text("Options", .heading) + "\n"
    let rows =
      V.options.map { ($0.names.joined(separator: ", ") + ($0.placeholder.map { " " + $0 } ?? ""), $0.help) }
      + [("-h, --help", "Show this.")]
    let column = min(30, (rows.map { $0.0.count }.max() ?? 0) + 4)
    for (left, right) in rows {
      var line = "  " + left
      let lines = wrap(right, to: width - column)
      if line.count + 2 > column {
        out += line + "\n"
        line = ""
      }
      for (index, part) in lines.enumerated() {
        let start = index == 0 ? line : ""
        out += start + String(repeating: " ", count: column - start.count) + part + "\n"
      }
    }
    return out + "\n" + style.text("Example", .heading) + "\n" + indented(V.example) + "\n"
  }

  static func overview(of verbs: [AnyVerb], hasColour: Bool) -> String {
    let style = Style(hasColour: hasColour)
    var out = "genmark: which call sites of a program keep growing, by how much a cycle, and how sure that is\n\n"
    out += style.text("Usage", .heading) + "\n  genmark VERB [options] …\n\n" + style.text("Verbs", .heading) + "\n"
    let column = (verbs.map(\.name.count).max() ?? 0) + 4
    for verb in verbs {
      out += "  " + verb.name + String(repeating: " ", count: column - verb.name.count - 2) + verb.summary + "\n"
    }
    out += "\n" + style.text("First steps", .heading) + "\n"
    out += indented(
      """
      genmark run -o app.genmark --every 1s -- ./app    record ./app, a mark each second
      genmark growth app.genmark                        what keeps growing
      genmark VERB --help                               all about a verb
      """)
    out += "\n\nExit status: 0 done or within budget, 1 growth over budget, 2 inconclusive, "
    out += "3 the trace or the call is wrong.\n"
    return out + "`genmark run` ends as its program does.\n"
  }

  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
  }
}
