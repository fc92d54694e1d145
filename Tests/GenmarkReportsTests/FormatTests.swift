// SPDX-License-Identifier: MIT
//
// FormatTests: what other programs read, read back by readers that are not ours (python3's XML, JSON and gzip).

import Foundation
import GenmarkAnalysis
import GenmarkModel
import GenmarkReports
import Testing

struct FormatTests {
  private func read(_ script: String, _ input: [UInt8]) throws -> String {
    let file = NSTemporaryDirectory() + "genmark-\(UUID().uuidString)"
    try Data(input).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let result = try Validator.python(script, file, input: "")
    #expect(result.error == "")
    return result.output
  }

  private func read(_ script: String, _ input: String) throws -> String { try read(script, Array(input.utf8)) }

  // MARK: - Checks

  private static let junit = """
    import sys, xml.etree.ElementTree as E
    root = E.parse(sys.argv[1]).getroot()
    s = root[0]
    count = lambda tag: len(root.findall('.//' + tag))
    assert root.tag == 'testsuites' and s.tag == 'testsuite'
    assert int(s.get('tests')) == count('testcase') and int(s.get('failures')) == count('failure')
    assert int(s.get('errors')) == count('error') and int(s.get('skipped')) == count('skipped')
    allowed = {'testsuites': 'name time tests failures errors', 'testcase': 'name classname', 'failure': 'type message',
               'testsuite': 'name tests failures errors time skipped', 'error': 'type message',
               'skipped': 'type message', 'system-out': ''}
    for e in root.iter(): assert set(e.attrib) <= set(allowed[e.tag].split()), (e.tag, e.attrib)
    print(s.get('tests'), s.get('failures'), s.get('errors'), s.get('skipped'))
    for c in s: print(c.get('classname'), c.get('name'), [(x.tag, x.get('message')) for x in c])
    """

  @Test func junitCountsAndNames() throws {
    let text = try read(FormatTests.junit, JUnit.text(Sample.check, Sample.trace))
    #expect(text.hasPrefix("3 2 0 1\n"))
    #expect(text.contains(#"genmark.leak Screen<A|B>::init("x") (Screen.cc:12) [0123456789abcdef]"#))
    #expect(text.contains("over max-growth 0B: +96 B a cycle") && text.contains("bounded <cache> (leak:cache*)"))
  }

  @Test func junitMakesInconclusiveAnErrorUnlessTold() throws {
    var check = Sample.check
    check.exceeded = []
    check.outcome = .inconclusive
    check.reasons = ["Only 2 judged cycles."]
    #expect(try read(FormatTests.junit, JUnit.text(check, Sample.trace)).hasPrefix("3 0 1 1\n"))
    check.outcome = .pass
    #expect(try read(FormatTests.junit, JUnit.text(check, Sample.trace)).hasPrefix("3 0 0 2\n"))
  }

  @Test func sarifNamesTheLine() throws {
    let document = SARIF.document(Sample.check, Sample.trace, root: SourceRoot("/src"), version: "1.2.3").text
    let text = try read(
      """
      import json, sys
      d = json.load(open(sys.argv[1]))
      assert d['version'] == '2.1.0' and len(d['runs']) == 1
      rules = {r['id'] for r in d['runs'][0]['tool']['driver']['rules']}
      for r in d['runs'][0]['results']:
        assert r['ruleId'] in rules and r['message']['text'] and r['level'] in ('error', 'note')
        p = [l['physicalLocation'] for l in r['locations']]
        print(r['level'], [(x['artifactLocation'].get('uri'), x['region']['startLine']) for x in p],
              'suppressions' in r, r.get('partialFingerprints'))
      """, document)
    #expect(
      text == """
        error [('Screen.cc', 12)] False {'genmark/v1': '0123456789abcdef'}
        note [] True {'genmark/v1': 'fedcba9876543210'}
        error [] False None

        """)
  }

  @Test func pathsOutsideTheRootStayWhole() {
    let root = SourceRoot("/src/app")
    #expect(root.relative("/src/app/a/b.c") == "a/b.c")
    #expect(root.relative("/src/apple/b.c") == nil)
    #expect(root.relative("/src/app/../b.c") == nil)
    #expect(root.relative("a.c") == "a.c")
    #expect(root.relative("<compiler-generated>") == nil)
  }

  @Test func markdownKeepsTextInItsCells() {
    let text = Markdown.text(Sample.check, Sample.trace)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.count == 4)
    #expect(rows.allSatisfy { $0.count(where: { $0 == "|" }) == 8 })
    #expect(text.contains("Screen&#60;A&#124;B&#62;&#58;&#58;init(&#34;x&#34;)"))
    #expect(text.hasPrefix("## genmark: ❌ 2 limits exceeded\n"))
  }

  @Test func annotationsPointAtTheLine() {
    let text = GitHubAnnotations.text(Sample.check, root: SourceRoot("/src"))
    #expect(
      text == """
        ::error file=Screen.cc,line=12,title=genmark::leak: +1 block, +96 B a cycle in Screen<A|B>::init("x") \
        (Screen.cc:12); over max-growth 0B: +96 B a cycle [0123456789abcdef]
        ::error title=genmark::in all over max-total 0B: +96 B a cycle

        """)
  }

  // MARK: - Exports

  private static let stacks = StackSamples(
    name: "app: alive",
    samples: [
      StackSample(
        frames: [
          Sample.allocator,
          Frame(function: "Inner", module: "/opt/app", offset: 4660, file: "/src/i.h", line: 1, inlined: true),
          Sample.screen, Sample.main,
        ], amount: Amount(blocks: 2, bytes: 192)),
      StackSample(frames: [Sample.unknown, Sample.main], amount: Amount(blocks: 1, bytes: 0)),
      StackSample(frames: [Sample.main], amount: Amount(blocks: -1, bytes: -8)),
      StackSample(frames: [], amount: Amount(blocks: 1, bytes: 1)),
    ], startedAt: Nanoseconds(1_700_000_000_000_000_000), duration: Nanoseconds(5))

  @Test func foldedStacksGoFromTheOutside() {
    #expect(Folded.text(FormatTests.stacks) == "main;Screen<A|B>::init(\"x\");Inner;malloc 192\n")
    #expect(Folded.text(FormatTests.stacks, blocks: true).contains("main;lib x.so+0xff 1\n"))
  }

  @Test func speedscopeAddsUp() throws {
    let text = try read(
      """
      import json, sys
      d = json.load(open(sys.argv[1]))
      frames = d['shared']['frames']
      for p in d['profiles']:
        assert p['type'] == 'sampled' and len(p['samples']) == len(p['weights'])
        assert sum(p['weights']) == p['endValue'] - p['startValue']
        print(p['name'], p['unit'], p['endValue'], [[frames[i]['name'] for i in s] for s in p['samples']])
      """, Speedscope.document(FormatTests.stacks, version: "1").text)
    #expect(text.contains(#"bytes bytes 192 [['main', 'Screen<A|B>::init("x")', 'Inner', 'malloc']]"#))
    #expect(text.contains("blocks none 3"))
  }

  /// A reader of protobuf of its own, which knows profile.proto by field numbers only.
  @Test func pprofReadsBack() throws {
    let modules = [Module(path: "/opt/app", bias: 0x40_0000, start: 0x40_0000, end: 0x50_0000, buildID: [0xab, 1])]
    let text = try read(
      """
      import gzip, sys
      def varint(b, i):
        v = s = 0
        while True:
          v |= (b[i] & 127) << s; s += 7; i += 1
          if b[i - 1] < 128: return v, i
      def fields(b):
        i, out = 0, []
        while i < len(b):
          key, i = varint(b, i)
          if key & 7 == 0: v, i = varint(b, i)
          else:
            assert key & 7 == 2
            n, i = varint(b, i); v = b[i:i + n]; i += n; assert len(v) == n
          out.append((key >> 3, v))
        return out
      def packed(b):
        i, out = 0, []
        while i < len(b): v, i = varint(b, i); out.append(v)
        return out
      p = fields(gzip.open(sys.argv[1]).read())
      strings = [v.decode() for k, v in p if k == 6]
      assert strings[0] == ''
      functions = {dict(f)[1]: strings[dict(f)[2]] for f in (fields(v) for k, v in p if k == 5)}
      mappings = [dict(fields(v)) for k, v in p if k == 3]
      mappings = {m[1]: (strings[m[5]], m.get(2), strings[m.get(6, 0)]) for m in mappings}
      locations = {}
      for f in (fields(v) for k, v in p if k == 4):
        d = dict(f)
        lines = [dict(fields(v)) for k, v in f if k == 4]
        locations[d[1]] = ([(functions[l[1]], l.get(2)) for l in lines], mappings[d[2]][0], d[3])
      print([strings[dict(fields(v))[1]] for k, v in p if k == 1])
      for s in (dict(fields(v)) for k, v in p if k == 2):
        print([locations[i] for i in packed(s[1])], packed(s[2]))
      print(sorted(mappings.values(), key=str)[1] if len(mappings) > 1 else mappings, dict(p)[9], dict(p)[10])
      """, Pprof.bytes(FormatTests.stacks, modules: modules))
    #expect(text.contains("['inuse_objects', 'inuse_space']"))
    #expect(text.contains("([('Inner', 1), ('Screen<A|B>::init(\"x\")', 12)], '/opt/app', 4198964)"))
    #expect(text.contains("[2, 192]") && text.contains("[1, 0]"))
    #expect(text.contains("('/opt/app', 4194304, 'ab01')") && text.contains("1700000000000000000 5"))
  }

  @Test func emptyExportsAreStillFiles() throws {
    let none = StackSamples(name: "", samples: [], startedAt: Nanoseconds(0), duration: Nanoseconds(0))
    #expect(Folded.text(none) == "")
    #expect(
      try read("import gzip, sys; print(len(gzip.open(sys.argv[1]).read()) > 0)", Pprof.bytes(none, modules: []))
        == "True\n")
  }

  @Test func csvHasAsManyFieldsInEveryLine() throws {
    let text = try read(
      "import csv, sys\nfor r in csv.reader(open(sys.argv[1], newline='')): print(len(r), r[2])",
      CSV.text(FormatTests.stacks, program: "/opt/app"))
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("7 ") })
    #expect(text.contains("7 Inner"))
  }
}
