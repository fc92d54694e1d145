# SPDX-License-Identifier: MIT
"""Reports and exports of real recordings, read by readers that are not genmark's: the schemas of JUnit and SARIF, protoc's
code for pprof, Python's for CSV, JSON and XML."""
import csv
import gzip
import importlib
import io
import os
import subprocess
import sys
import xml.etree.ElementTree

import schemas
from project import HERE


def recorded(p):
    """A trace in which keep grows by 96 and spare by 10 bytes a round, and its growth; sources below the folder."""
    with open(os.path.join(HERE, 'rounds.c'), encoding='utf-8') as file:
        p.write('src/rounds.c', file.read())
    p.build('rounds', p.path('src/rounds.c'), flags='-O1 -g')
    return p.record('rounds', '20 keep 48 keep 48 spare 10')


def junit_is_what_servers_take(p):
    recorded(p)
    p.write('s.supp', 'leak:^spare$\n')
    for words, wanted in (('', (3, 2, 0, 0)), ('--suppressions s.supp', (3, 1, 0, 1)), ('--max-growth 1KiB', (3, 0, 0, 0)),
                          ('--warm-up 18', (None, 0, 1, None)), ('--max-total 1', (3, 1, 0, 0))):
        p.run('check', 't.genmark', '--report', 'junit=j.xml', *words.split())
        root = xml.etree.ElementTree.parse(p.path('j.xml')).getroot()
        assert root.tag == 'testsuites' and [s.tag for s in root] == ['testsuite']
        suite = root[0]
        cases = suite.findall('testcase')
        counts = tuple(int(suite.get(key)) for key in ('tests', 'failures', 'errors', 'skipped'))
        counted = (len(cases), *(len(suite.findall('testcase/' + tag)) for tag in ('failure', 'error', 'skipped')))
        assert counts == counted, (words, counts, counted)
        assert all(w in (None, c) for w, c in zip(wanted, counts)), (words, counts)
        assert all(case.get('name') and case.get('classname') for case in cases)
        schema = schemas.junit()
        if schema:
            from lxml import etree
            etree.XMLSchema(etree.parse(schema)).assertValid(etree.parse(p.path('j.xml')))


def sarif_is_as_its_schema_says(p):
    recorded(p)
    p.write('s.supp', 'leak:^spare$\n')
    schema = schemas.sarif()
    for words in ('', '--suppressions s.supp', '--max-growth 1KiB', '--warm-up 18', '--max-total 1'):
        p.run('check', 't.genmark', '--report', 'sarif=r.sarif', '--report', 'json=r.json', *words.split())
        document = schemas.json.loads(p.read('r.sarif'))
        if schema:
            import jsonschema
            jsonschema.Draft4Validator(schema).validate(document)
        run, = document['runs']
        rules = {rule['id'] for rule in run['tool']['driver']['rules']}
        for result in run['results']:
            assert result['ruleId'] in rules and result['message']['text']
            for location in result['locations']:
                place = location['physicalLocation']
                # Relative to the sources' root, so that code hosts annotate the line.
                assert place['artifactLocation']['uri'] == 'src/rounds.c', place
                line = p.read('src/rounds.c').splitlines()[place['region']['startLine'] - 1]
                assert 'malloc' in line, line
        if not words:
            assert len(run['results']) == 2 and all(r['level'] == 'error' for r in run['results'])
        assert all('suppressions' in r for r in run['results'] if 'spare' in r['message']['text']) or 's.supp' not in words


def several_reports_say_the_same(p):
    recorded(p)
    done = p.run('check', 't.genmark', '--github', *(w for f in ('junit', 'sarif', 'markdown', 'json')
                                                     for w in ('--report', f'{f}=r.{f}')))
    assert done.status == 1
    annotations = [line for line in done.out.splitlines() if line.startswith('::error ')]
    assert len(annotations) == 2 and all('file=src/rounds.c,line=' in a for a in annotations), done.out
    for fingerprint in (e['fingerprint'] for e in schemas.json.loads(p.read('r.json'))['exceeded']):
        assert all(fingerprint in p.read('r.' + f) for f in ('junit', 'sarif', 'markdown', 'json')) and fingerprint in done.out
    assert '| ❌ over |' in p.read('r.markdown')


def exported(p, form, *words):
    done = subprocess.run([p.genmark, 'export', 't.genmark', '--format', form, *words], cwd=p.folder, capture_output=True,
                          check=True, timeout=300)
    return done.stdout


def wanted(p, words):
    """Blocks and bytes by innermost own function, as diff and growth have them."""
    if '--growing' in words:
        sites = [s for f in p.run('growth', 't.genmark', '--json').json['findings'] for s in f['callSites']]
    else:
        sites = p.run('diff', 't.genmark', *words, '--json').json['callSites']
    sums = {}
    for site in sites:
        name = next((f['function'] for f in site['frames'] if f['function'] in ('keep', 'spare')), None)
        blocks, size = sums.get(name, (0, 0))
        sums[name] = (blocks + site['blocks'], size + site['bytes'])
    return {name: amount for name, amount in sums.items() if name}


def folded(p, words):
    sums = {}
    for unit in ('blocks', 'bytes'):
        for line in exported(p, 'folded', '--unit', unit, *words).decode().splitlines():
            stack, _, value = line.rpartition(' ')
            frames = stack.split(';')
            assert value.isdigit() and all(frames), line
            for name in ('keep', 'spare'):
                if name in frames:
                    sums.setdefault(name, []).append(int(value))
    return {name: tuple(amount) for name, amount in sums.items()}


def speedscope(p, words):
    document = schemas.json.loads(exported(p, 'speedscope', *words))
    frames = document['shared']['frames']
    assert document['$schema'] == 'https://www.speedscope.app/file-format-schema.json' and all(f['name'] for f in frames)
    sums = {}
    for profile in document['profiles']:
        assert profile['type'] == 'sampled' and profile['unit'] in ('bytes', 'none', 'microseconds', 'milliseconds')
        assert len(profile['samples']) == len(profile['weights'])
        assert profile['endValue'] - profile['startValue'] == sum(profile['weights'])
        for stack, weight in zip(profile['samples'], profile['weights']):
            names = [frames[index]['name'] for index in stack]
            for name in set(names) & {'keep', 'spare'}:
                sums.setdefault(name, {}).setdefault(profile['name'], 0)
                sums[name][profile['name']] += weight
    return {name: (s['blocks'], s['bytes']) for name, s in sums.items()}


def pprof(p, words):
    subprocess.run(['protoc', '-I', HERE, '--python_out', p.folder, 'profile.proto'], check=True)
    sys.path.insert(0, p.folder)
    try:
        module = importlib.import_module('profile_pb2')
    finally:
        sys.path.remove(p.folder)
    profile = module.Profile()
    profile.ParseFromString(gzip.decompress(exported(p, 'pprof', *words)))
    assert profile.IsInitialized() and not profile.UnknownFields()
    text = profile.string_table
    assert text[0] == '' and [text[t.type] for t in profile.sample_type] == ['inuse_objects', 'inuse_space']
    functions = {f.id: text[f.name] for f in profile.function}
    locations = {location.id: location for location in profile.location}
    mappings = {m.id: m for m in profile.mapping}
    assert 0 not in functions and 0 not in locations and 0 not in mappings
    sums = {}
    for sample in profile.sample:
        names = {functions[line.function_id] for i in sample.location_id for line in locations[i].line}
        for location in (locations[i] for i in sample.location_id):
            mapping = mappings.get(location.mapping_id)
            assert mapping is None or mapping.memory_start <= location.address < mapping.memory_limit
        for name in names & {'keep', 'spare'}:
            before = sums.get(name, (0, 0))
            sums[name] = (before[0] + sample.value[0], before[1] + sample.value[1])
    return sums


def table(p, words):
    sums = {}
    for row in csv.DictReader(io.StringIO(exported(p, 'csv', *words).decode(), newline='')):
        if row['function'] in ('keep', 'spare'):
            assert row['file'].endswith('rounds.c') and int(row['line']) > 0 and row['function'] in row['stack']
            before = sums.get(row['function'], (0, 0))
            sums[row['function']] = (before[0] + int(row['blocks']), before[1] + int(row['bytes']))
    return sums


def document(p, words):
    report = schemas.json.loads(exported(p, 'json', *words))
    assert report['schema'] == ('genmark.growth/1' if '--growing' in words else 'genmark.diff/1')
    return None


def exports_hold_what_diff_and_growth_say(p):
    """A generation, what two marks lie around, what is alive now, what grows."""
    recorded(p)
    for words in (['5..6'], ['3..15'], ['start..end'], ['--growing']):
        truth = wanted(p, words)
        assert set(truth) == {'keep', 'spare'}
        for reader in (folded, speedscope, pprof, table, document):
            found = reader(p, words)
            assert found is None or found == truth, (reader.__name__, words, found, truth)


TESTS = [junit_is_what_servers_take, sarif_is_as_its_schema_says, several_reports_say_the_same,
         exports_hold_what_diff_and_growth_say]
