// SPDX-License-Identifier: MIT
//
// HTMLReportTests: the page in a real browser, if there is one: it opens without an error, does what its controls say,
// and hostile names stay text.

import Foundation
import GenmarkAnalysis
import GenmarkModel
import GenmarkTestSupport
import Testing

@testable import GenmarkReports

struct HTMLReportTests {
  static let hostile = "</script><img src=x onerror=window.pwned=1>\u{202e}`'\"&lt;"

  /// The builder takes `>` for a call, so that names can not hold it.
  static let hostileName = "</script <img src=x onerror=window.pwned=1 // `'\"&lt;"

  private func page(_ builder: RecordingBuilder) throws -> String {
    let recording = builder.recording
    let growth = try Growth.report(of: recording, frames: builder.frames, options: GrowthOptions(all: true))
    return HTMLReport.text(recording, TraceSummary(recording), frames: builder.frames, growth: growth)
  }

  private var builder: RecordingBuilder {
    RecordingBuilder(marks: 8, label: HTMLReportTests.hostile)
      .site(
        "main > push > \(HTMLReportTests.hostileName) > [malloc]", survivors: [0, 1, 1, 1, 1, 1, 1, 1, 1], bytes: 100
      )
      .site("main > setup > [malloc]", survivors: [3], bytes: 1000)
  }

  /// Runs a script in the page after it is up; gives what it returns, and what the console said.
  private func result(of script: String, in page: String) throws -> (value: String, errors: String) {
    let folder = try TemporaryDirectory()
    let hook = "<script>window.onerror = m => document.documentElement.setAttribute('data-error', m)</script>"
    let set = "document.documentElement.setAttribute"
    let probe = "<script>\(set)('data-result', JSON.stringify((() => { \(script) })()))</script>"
    let probed = page.replacingOccurrences(of: "<head>", with: "<head>" + hook)
      .replacingOccurrences(of: "</body>", with: probe + "</body>")
    let file = try folder.write(Array(probed.utf8), to: "page.html")
    let shown = try Validator.python(
      """
      import re, html, subprocess, sys
      options = '--headless=new --no-sandbox --disable-gpu --virtual-time-budget=10000 --dump-dom'.split()
      r = subprocess.run([sys.argv[2]] + options + ['--user-data-dir=' + sys.argv[3], 'file://' + sys.argv[1]],
                         capture_output=True, text=True, timeout=120)
      root = re.search(r'<html[^>]*>', r.stdout).group(0)
      value = re.search(r'data-result="([^"]*)"', root)
      error = re.search(r'data-error="([^"]*)"', root)
      print(html.unescape(value.group(1)) if value else 'no result')
      print(html.unescape(error.group(1)) if error else '')
      """, file, Browser.path ?? "", folder.path + "/profile", input: "")
    let lines = shown.output.split(separator: "\n", omittingEmptySubsequences: false)
    return (String(lines.first ?? ""), (lines.dropFirst().first.map(String.init) ?? "") + shown.error)
  }

  @Test(.enabled(if: Browser.path != nil, "no Chromium"))
  func thePageShowsWhatThereIs() throws {
    let shown = try result(
      of: """
        const canvas = document.getElementById('flame');
        const count = selector => document.querySelectorAll(selector).length;
        return [count('#findings details'), count('#generations tbody tr'),
          count('#chart polyline'), canvas.dataset.total, +canvas.dataset.boxes,
          document.getElementById('verdict').textContent.slice(0, 15)];
        """, in: page(builder))
    #expect(shown.errors == "")
    #expect(shown.value == #"[1,9,2,"3800",7,"1 finding grows"]"#)
  }

  @Test(.enabled(if: Browser.path != nil, "no Chromium"))
  func controlsDoWhatTheySay() throws {
    let shown = try result(
      of: """
        const canvas = document.getElementById('flame'), out = [];
        const set = (id, value, event) => {
          document.getElementById(id).value = value;
          document.getElementById(id).dispatchEvent(new Event(event));
        };
        const key = name => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        set('from', '2', 'change'); out.push(canvas.dataset.total);
        set('to', '4', 'change'); out.push(canvas.dataset.total);
        document.querySelector('input[value=blocks]').click(); out.push(canvas.dataset.total);
        set('from', '0', 'change'); set('to', '9', 'change');
        key('ArrowDown'); key('ArrowDown'); key('Enter'); out.push(canvas.dataset.zoom);
        key('Escape'); out.push(canvas.dataset.zoom);
        document.getElementById('reset').click(); out.push(canvas.dataset.zoom);
        set('search', 'SETUP', 'input'); out.push(document.getElementById('matched').textContent);
        out.push(document.querySelectorAll('#sites tbody tr').length);
        document.querySelector('#sites tbody tr').click(); out.push(document.querySelectorAll('#sites ol li').length);
        return out;
        """, in: page(builder))
    #expect(shown.errors == "")
    #expect(shown.value == #"["700","200","2","push","main","all","3 blocks match, 27.3 %",1,3]"#)
  }

  @Test(.enabled(if: Browser.path != nil, "no Chromium"))
  func hostileNamesStayText() throws {
    let shown = try result(
      of: """
        document.querySelectorAll('details').forEach(d => { d.open = true; d.dispatchEvent(new Event('toggle')); });
        return [typeof window.pwned, document.images.length, document.querySelector('#findings code').textContent ===
          \(JSONValue.string(HTMLReportTests.hostileName).text.replacingOccurrences(of: "</", with: "<\\/")),
          document.querySelectorAll('#generations td')[1].textContent.slice(0, 20)];
        """, in: page(builder))
    #expect(shown.errors == "")
    #expect(shown.value == #"["undefined",0,true,"</script><img src=x "]"#)
  }

  @Test func dataCanNotLeaveItsElement() throws {
    let page = try page(builder)
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<img"))
    #expect(HTMLReport.inScript("\"</script><!--&\"") == "\"\\u003c/script\\u003e\\u003c!--\\u0026\"")
  }

  @Test func markersInDataAreData() {
    let page = HTMLReport.assemble("\"/*SCRIPT*/ /*DATA*/ /*STYLE*/\"")
    #expect(page.contains("\"/*SCRIPT*/ /*DATA*/ /*STYLE*/\"</script>"))
    #expect(page.hasSuffix("</html>\n") && page.contains("function zoomTo"))
  }

  @Test func aRecordingWithoutMarksHasAPage() {
    let recording = Sample.recording
    let page = HTMLReport.text(
      recording, Sample.trace, frames: NamedFrames(), growth: nil, noGrowth: "No marks, nothing to judge.")
    #expect(page.contains("No marks, nothing to judge."))
  }
}

enum Browser {
  static let path: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
