#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile text in every output: terminal codes, markup, line ends, bytes that are not UTF-8, overrides of the direction of
writing, 100,000 characters; in names of functions, source files, libraries, programs and traces, and in labels.

    text.py GENMARK LIBRARY        in an empty folder; a line "ok   WHAT" or "FAIL WHAT: WHY" for each output

Every output is read back by a reader that is not ours (json, xml, html, csv, gzip of Python) or held against its syntax.
"""
import csv
import gzip
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

GENMARK, LIBRARY = sys.argv[1:3]
LONG = 100_000
EVIL = ['evil</script><script>alert(1)</script>', 'evil\x1b]0;title\x07\x1b[2J', 'evil"quote\\,;semi\'`|*_', 'evil\nnewline ::error::x',
        'evil\u202ebackwards\u2066\u200b', '=cmd|evil()', 'evil]]>&amp;<!--', '::warning::evil', '../../../evil', 'evil' + '\u0301' * LONG, 'L' * LONG]
RAW = b'evil\xff\xfe\xc3'                # not UTF-8
FOLDER = 'src<b>\x1b[31m\u202e"'
SOURCE = FOLDER + '/a\n::error::\'&`|.c'
PLUGIN = 'lib<i>\x1b[2J\n\u202e;,.so'
PROGRAM = 'app<u>\x1b[35m\n"\u202e'
CYCLES = 8
failed = 0


def quoted(name):
    """As a string of C; hexadecimal digits that follow an escape would be taken for its own."""
    data = name if isinstance(name, bytes) else name.encode()
    return '"' + ''.join(chr(b) if 0x20 <= b < 0x7f and b not in (0x22, 0x5c, 0x3f) else f'\\{b:03o}' for b in data) + '"'


def build():
    """A program whose every name is hostile; each round leaks a block at each of them."""
    os.mkdir(FOLDER)
    code = ['#include <dlfcn.h>', '#include <stdlib.h>', 'extern void genmark_mark(const char *) __attribute__((weak));', 'void *volatile kept;']
    names = [*EVIL, RAW]
    for i, name in enumerate(names):
        code.append(f'void *f{i}(size_t) __asm__({quoted(name)});')
        code.append(f'__attribute__((noinline)) void *f{i}(size_t n) {{ void *p = malloc(n); kept = p; return p; }}')
    labels = ', '.join(quoted(label) for label in [*names, b'plain'])
    code.append(f'static const char *const labels[] = {{{labels}}};')
    code.append('int main(int c, char **v) { (void)c; void *(*plug)(size_t) = 0; void *l = dlopen(v[1], RTLD_NOW);')
    code.append('if (!l) return 3; *(void **)&plug = dlsym(l, "plug_leak");')
    code.append(f'for (int r = 0; r < {CYCLES}; r++) {{')
    code += [f'f{i}({16 * (i + 2)}); ' for i in range(len(names))]
    code.append('plug(1000); if (genmark_mark) { for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++) genmark_mark(labels[i]); } }')
    code.append('return 0; }')
    with open(SOURCE, 'w', encoding='utf-8') as file:
        file.write('\n'.join(code))
    with open('plug.c', 'w', encoding='utf-8') as file:
        file.write('#include <stdlib.h>\nvoid *plug_kept; void *plug_leak(size_t n) { return plug_kept = malloc(n); }\n')
    flags = ['clang', '-g', '-O1', '-fno-builtin', '-fno-optimize-sibling-calls']
    subprocess.run([*flags, '-shared', '-fPIC', '-o', PLUGIN, 'plug.c'], check=True)
    subprocess.run([*flags, '-o', PROGRAM, SOURCE, '-ldl'], check=True)
    trace = os.path.join('t', 'trace\x1b[31m\n<b>.genmark')
    subprocess.run(['./' + PROGRAM, './' + PLUGIN], check=True, env=dict(os.environ, LD_PRELOAD=LIBRARY, GENMARK_OUTPUT=os.path.abspath(trace)))
    return trace


def genmark(*words, statuses=(0, 1, 2)):
    done = subprocess.run([GENMARK, *words], capture_output=True, check=False)
    assert done.returncode in statuses, f'status {done.returncode}: {done.stderr[:300]!r}'
    plain(done.stderr.decode('utf-8'), 'standard error')
    return done.stdout.decode('utf-8')


def plain(text, what):
    """No character that a terminal obeys or hides, but the line end."""
    for character in set(text):
        assert character == '\n' or unicodedata.category(character) not in ('Cc', 'Cf', 'Zl', 'Zp', 'Co', 'Cs'), \
            f'{what} holds {character!r}'
    return text


def terminal(*words):
    text = plain(genmark(*words), ' '.join(words[:1]))
    longest = max(map(len, text.split('\n')))
    assert longest < 5000, f'a line of {longest} characters'
    return text


def as_json(*words):
    text = plain(genmark(*words), 'JSON')
    report = json.loads(text)
    names = set()

    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get('function'), str):
                names.add(value['function'])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)
    walk(report)
    assert all(len(name) <= 1024 for name in names), 'a name is not cut'
    return names


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.data, self.inside = {}, set(), '', False

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes |= {name for name, _ in attrs}
        self.inside = ('type', 'application/json') in attrs

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.data += data if self.inside else ''


def check(what, body):
    global failed
    try:
        body()
        print(f'ok   {what}')
    except (AssertionError, ValueError, KeyError, IndexError, xml.etree.ElementTree.ParseError, csv.Error, OSError) as error:
        failed = 1
        print(f'FAIL {what}: {str(error)[:300]!r}')


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return file.read()


def html_page(trace):
    genmark('report', trace, '-o', 'page.html', '--label', 'plain')
    page = Page()
    text = read('page.html')
    page.feed(text)
    json.loads(page.data)
    assert page.tags['script'] == 2, page.tags
    assert not any(tag in page.tags for tag in ('b', 'i', 'u', 'img')) and not any(a.startswith('on') for a in page.attributes), page.tags
    plain(text.replace('\t', ''), 'HTML')


def junit():
    text = plain(read('j.xml'), 'JUnit')
    root = xml.etree.ElementTree.fromstring(text)
    assert {e.tag for e in root.iter()} <= {'testsuites', 'testsuite', 'testcase', 'failure', 'error', 'skipped', 'system-out'}
    assert len(root.findall('.//testcase')) > len(EVIL)


def sarif():
    run = json.loads(plain(read('s.sarif'), 'SARIF'))['runs'][0]
    assert len(run['results']) > len(EVIL)
    for result in run['results']:
        for location in result['locations']:
            uri = location['physicalLocation']['artifactLocation']['uri']
            assert re.fullmatch(r"[A-Za-z0-9._~/+@%:-]*", uri), uri


def markdown():
    text = plain(read('m.md'), 'Markdown')
    rows = [line for line in text.split('\n') if line.startswith('|')]
    assert len(rows) > len(EVIL) and len({row.count('|') for row in rows}) == 1, [row[:80] for row in rows]
    outside = re.sub(r'</?(code|br|sub|details|summary)/?>', '', text)
    assert '<' not in outside, outside[:300]


def github(trace):
    lines = genmark('check', trace, '--github', '--json', '--label', 'plain')     # commands go to standard error
    del lines
    done = subprocess.run([GENMARK, 'check', trace, '--github', '--label', 'plain'], capture_output=True, check=False)
    text = plain(done.stdout.decode('utf-8'), 'annotations')
    commands = [line for line in text.split('\n') if line.startswith('::')]
    assert len(commands) > len(EVIL)
    for line in commands:
        assert re.match(r'::(error|warning|notice) ([a-zA-Z]+=[^,:]*,?)*::\S', line), line[:200]
        assert 'title=genmark' in line, line[:200]


def folded(trace):
    lines = plain(genmark('export', trace, '--format', 'folded'), 'folded').rstrip('\n').split('\n')
    for line in lines:
        assert re.fullmatch(r'.+ \d+', line), line[:200]
    assert len(lines) > len(EVIL)


def speedscope(trace):
    document = json.loads(plain(genmark('export', trace, '--format', 'speedscope'), 'speedscope'))
    assert len(document['shared']['frames']) > len(EVIL)


def pprof(trace):
    genmark('export', trace, '--format', 'pprof', '-o', 'p.pb.gz')
    with open('p.pb.gz', 'rb') as file:
        data = file.read()
    data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
    at, texts = 0, []

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = number()
        if key & 7 == 0:
            number()
        else:
            assert key & 7 == 2, 'an unknown wire type'
            size = number()
            if key >> 3 == 6:       # string_table
                texts.append(data[at:at + size].decode('utf-8'))
            at += size
    assert at == len(data) and len(texts) > len(EVIL) and texts[0] == ''
    for text in texts:
        plain(text, 'pprof')


def as_csv(trace):
    text = genmark('export', trace, '--format', 'csv')
    plain(text.replace('\r\n', '\n'), 'CSV')
    rows = list(csv.reader(io.StringIO(text), strict=True))
    assert len(rows) > len(EVIL) and len({len(row) for row in rows}) == 1
    for row in rows[1:]:
        for field in row:
            assert not field.startswith(('=', '+', '@')) and not re.match(r'-[^0-9]', field), field[:80]


def messages(trace):
    """What is said of hostile words and files."""
    evil = 'x\x1b[31m\n<b>\u202e'
    for name, text in (('bad.json', '{"maxGrowth": "' + evil.replace('\n', '') + '"}'), ('bad.supp', evil + '\n'), ('long.json', '[' * LONG)):
        with open(name + evil, 'w', encoding='utf-8') as file:
            file.write(text)
    for words in (['check', trace, '--budget', 'bad.json' + evil], ['check', trace, '--budget', 'long.json' + evil],
                  ['check', trace, '--suppressions', 'bad.supp' + evil], ['growth', trace, '--label', evil], ['diff', trace, evil + '..end'],
                  [evil], ['growth', '--' + evil], ['growth', 'no' + evil], ['explain', trace, evil], ['mark', evil], ['help', evil],
                  ['diff', trace, 'L' * LONG]):
        done = subprocess.run([GENMARK, *words], capture_output=True, check=False)
        said = plain(done.stderr.decode('utf-8'), f'the complaint of {words[0]!r}')
        assert done.returncode == 3 and len(said) < 8000 and said.count('\n') <= 8, (words[0][:9], done.returncode, len(said), said[:200])


def main():
    trace = build()
    names = as_json('generations', trace, '--by', 'call-site', '--json')
    check('hostile names are recorded and named', lambda: [[].index(n) for n in EVIL[:-2] if n not in names] or None)
    growth = json.loads(genmark('growth', trace, '--label', 'plain', '--json'))
    print_of = growth['findings'][0]['fingerprint']
    for verb in (['generations'], ['generations', '--by', 'call-site'], ['marks'], ['diff', 'start..end'], ['diff', 'start..end', '--by', 'tree'],
                 ['diff', 'start..end', '--by', 'module'], ['growth', '--label', 'plain'], ['growth', '--label', 'plain', '--all'],
                 ['check', '--label', 'plain'], ['explain', print_of, '--label', 'plain']):
        words = [verb[0], trace, *verb[1:]]
        check('terminal: ' + ' '.join(verb[:1] + [w for w in verb[1:] if w != print_of]), lambda words=words: terminal(*words))
        check('JSON: ' + ' '.join(verb[:1] + [w for w in verb[1:] if w != print_of]), lambda words=words: as_json(*words, '--json'))
    genmark('check', trace, '--label', 'plain', '--report', 'junit=j.xml', '--report', 'sarif=s.sarif', '--report', 'markdown=m.md',
            '--report', 'json=c.json')
    check('report: json', lambda: json.loads(plain(read('c.json'), 'JSON')))
    check('report: junit', junit)
    check('report: sarif', sarif)
    check('report: markdown', markdown)
    check('annotations of GitHub', lambda: github(trace))
    check('page of HTML', lambda: html_page(trace))
    for name, body in (('folded', folded), ('speedscope', speedscope), ('pprof', pprof), ('csv', as_csv)):
        check('export: ' + name, lambda body=body: body(trace))
    check('messages', lambda: messages(trace))
    return failed


if __name__ == '__main__':
    sys.exit(main())
