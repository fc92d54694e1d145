# SPDX-License-Identifier: MIT
"""`genmark check` on real recordings: exit status, limits, exceptions, suppressions, baselines of other builds."""
import os
import re
import subprocess

from project import HERE, TOP


def over(report):
    return sorted((e['limit'].split()[0], e['value']) for e in report['exceeded'])


def limits_and_exit_statuses(p):
    p.build('rounds')
    p.record('rounds', '20 keep 48 keep 48 spare 10 pass')
    status, report = p.check('t.genmark')
    assert (status, over(report)) == (1, [('max-growth', 10), ('max-growth', 96)]), report
    for words, wanted in (('--max-growth 96B', 0), ('--max-growth 95B', 1), ('--max-total 106B', 0), ('--max-total 105B', 1),
                          ('--max-blocks 2', 0), ('--max-blocks 1', 1), ('--max-growth 1MiB --max-total 1', 1),
                          ('--max-growth 4KiB --max-blocks 0', 1), ('--label nothing', 3), ('--max-growth -1', 3)):
        assert p.run('check', 't.genmark', *words.split()).status == wanted, words
    p.record('rounds', '20 pass')
    assert p.run('check', 't.genmark', '--max-growth', '0B').status == 0


def nothing_recorded_never_passes(p):
    p.build('rounds')
    assert p.run('check', 'none.genmark', '--inconclusive', 'pass').status == 3
    # No marks: the reports say it, since CI shows them and not standard error.
    p.write('unmarked.c', '#include <stdlib.h>\nint main(void) { return malloc(5) == 0; }\n')
    p.build('unmarked', p.path('unmarked.c'))
    p.record('unmarked', '')
    done = p.run('check', 't.genmark', '--inconclusive', 'pass', '--report', 'junit=j.xml', '--report', 'json=j.json')
    assert done.status == 3 and 'no marks' in done.err, done.err
    assert '<error ' in p.read('j.xml') and '"outcome":"inconclusive"' in p.read('j.json')
    # Marks, and not one block.
    p.write('idle.c', '#include <genmark.h>\nint main(void) { for (int i = 0; i < 20; i++) genmark_mark("r"); }\n')
    p.build('idle', p.path('idle.c'), flags='-O1 -g -Wl,-z,now')
    p.record('idle', '')
    if sum(g['bornBlocks'] for g in p.run('generations', 't.genmark', '--json').json['generations']) == 0:
        assert p.run('check', 't.genmark', '--inconclusive', 'pass').status == 2
    # Too few cycles: only as asked for.
    p.record('rounds', '3 keep 10')
    assert p.run('check', 't.genmark').status == 2
    assert p.run('check', 't.genmark', '--inconclusive', 'pass').status in (0, 1)
    # Losses: a trace that had to stop.
    done = p.run('run', '--force', '-o', 'small.genmark', '--', './rounds', '20', 'keep', '8',
                 environment={'GENMARK_MAX_MEMORY': '64KiB'})
    if os.path.exists(p.path('small.genmark')) and 'loss' in p.run('growth', 'small.genmark').out:
        assert p.run('check', 'small.genmark', '--max-growth', '1MiB').status == 2


def budgets_by_pattern(p):
    p.build('rounds')
    p.record('rounds', '20 keep 48 spare 10')
    fingerprint = next(f['fingerprint'] for f in p.check('t.genmark')[1]['findings'] if f['headline']['function'] == 'keep')
    for pattern in ('"function": "^keep$"', '"file": "rounds.c"', '"module": "*rounds"', f'"fingerprint": "{fingerprint}"',
                    '"pattern": "kee*"'):
        p.write('genmark.json', '{ "maxGrowth": "10B", "limits": [ { %s, "maxGrowth": "48B" } ] }' % pattern)
        assert p.check('t.genmark')[0] == 0, pattern
        p.write('genmark.json', '{ "maxGrowth": "10B", "limits": [ { %s, "maxGrowth": "9B" } ] }' % pattern)
        assert p.check('t.genmark')[0] == 1, pattern
    p.write('genmark.json', '{ "maxGrowht": 0 }')
    assert p.run('check', 't.genmark').status == 3
    p.remove('genmark.json')
    p.write('other.json', '{ "maxGrowth": "1KiB" }')
    assert p.check('t.genmark', '--budget', 'other.json')[0] == 0
    assert p.check('t.genmark', '--budget', 'other.json', '--max-growth', '0B')[0] == 1
    assert p.run('check', 't.genmark', '--budget', 'missing.json').status == 3


def accepted_findings_and_their_end(p):
    p.build('rounds')
    p.record('rounds', '20 keep 48')
    fingerprint = p.check('t.genmark')[1]['findings'][0]['fingerprint']
    assert p.run('accept', fingerprint).status == 3
    assert p.run('accept', fingerprint, '--reason', 'known', '--until', '2026-02-30').status == 3
    assert p.run('accept', fingerprint, '--reason', 'a "cache"', '--until', '2999-12-31').status == 0
    status, report = p.check('t.genmark')
    assert (status, report['excused'][0]['reason'], report['unused']) == (0, 'a "cache"', []), report
    assert p.run('accept', fingerprint, '--reason', 'old', '--until', '2001-01-01').status == 0
    assert p.read('genmark.json').count(fingerprint) == 1
    status, report = p.check('t.genmark', '--max-growth', '1MiB')
    assert status == 1 and 'expired 2001-01-01' in report['exceeded'][0]['limit'], report
    p.record('rounds', '20 pass')
    status, report = p.check('t.genmark')
    assert (status, report['unused']) == (0, ['fingerprint:' + fingerprint]), report
    p.remove('genmark.json')


def suppressions_of_files_and_of_the_program(p):
    p.build('rounds')
    p.record('rounds', '20 keep 48 spare 10')
    p.write('one.supp', '# a list\nleak:^keep$\n\nrace:whatever\n')
    p.write('two.supp', 'leak:spa*e\nleak:nowhere\n')
    status, report = p.check('t.genmark', '--suppressions', 'one.supp', '--suppressions', 'two.supp')
    assert status == 0 and report['unused'] == ['leak:nowhere'], report
    used = [(s['pattern'], s['file'], s['line'], s['bytesPerCycle'], s['liveBlocks']) for s in report['suppressions']]
    assert used == [('leak:^keep$', 'one.supp', 2, 48, 20), ('leak:spa*e', 'two.supp', 1, 10, 20)], used
    text = p.run('check', 't.genmark', '--suppressions', 'one.supp').out
    assert 'suppressions used' in text and 'one.supp:2' in text, text
    p.write('bad.supp', 'leak:*\n')
    assert p.run('check', 't.genmark', '--suppressions', 'bad.supp').status == 3
    for flags in ('-O0 -g', '-O2 -g', '-O2 -no-pie -fno-pie', '-Os', '-O0 -fcf-protection=none'):
        for kind, wanted in ((1, 0), (2, 0), (3, 1)):
            p.build('own', flags=f'{flags} -DSUPPRESSIONS={kind}')
            p.record('own', '20 keep 48')
            status, report = p.check('t.genmark')
            assert status == wanted, (flags, kind, report)
            if kind == 1:
                assert report['excused'][0]['reason'] == 'kept by design' and report['unused'] == ['leak:no_such_function']
            if kind == 3:
                assert 'can not be told' in report['notes'][0], report['notes']
            assert p.check('t.genmark', '--no-own-suppressions')[0] == 1
    p.build('own', flags='-O2 -g -DSUPPRESSIONS=1')
    p.record('own', '20 keep 48')
    assert p.run('pack', '--force', 't.genmark', '-o', 't.pack').status == 0
    p.remove('own')
    assert p.check('t.pack')[0] == 0


def other_builds_have_the_same_findings(p):
    """Traces, packs and reports as baselines, of builds with other addresses, lines, names and optimisation."""
    os.mkdir(p.path('before'))
    p.build('before/rounds')
    p.record('before/rounds', '20 keep 48 spare 10', 'old.genmark')
    assert p.run('pack', '--force', 'old.genmark', '-o', 'old.pack').status == 0
    assert p.run('check', 'old.genmark', '--report', 'json=old.json').status == 1
    with open(os.path.join(HERE, 'rounds.c'), encoding='utf-8') as file:
        source = file.read()
    p.write('moved.c', '\n' * 40 + '#include <math.h>\nint unused_before(int a) { return a * 3; }\n' + source)
    builds = [(dict(source=p.path('moved.c')), 'moved lines and a renamed file')]
    builds += [(dict(flags=f), f) for f in ('-O0 -g', '-O2 -g', '-O3 -g', '-Os -g', '-O1 -g -no-pie -fno-pie', '-O2 -g -fPIC')]
    for options, what in builds:
        for name in ('rounds', 'rounds-2.1'):
            p.build(name, **options)
            p.record(name, '25 keep 48 spare 10')
            for baseline in ('old.genmark', 'old.pack', 'old.json'):
                status, report = p.check('t.genmark', '--baseline', baseline)
                assert (status, len(report['excused'])) == (0, 2), (what, name, baseline, report['exceeded'])
    p.build('rounds')
    p.record('rounds', '20 keep 50 spare 10')
    for baseline in ('old.genmark', 'old.json'):
        assert over(p.check('t.genmark', '--baseline', baseline)[1]) == [('max-growth', 2)]
        assert p.check('t.genmark', '--baseline', baseline, '--slack', '2B')[0] == 0
        assert p.check('t.genmark', '--baseline', baseline, '--slack', '1B')[0] == 1
    p.record('rounds', '20 keep 48 spare 10 spare 10')
    assert p.check('t.genmark', '--baseline', 'old.json')[0] == 1
    # What differs among baselines is noise: 48 and 52 allow 56, and no more.
    p.record('rounds', '20 keep 52 spare 10', 'second.genmark')
    for size, wanted in ((56, 0), (58, 1)):
        p.record('rounds', f'20 keep {size} spare 10')
        assert p.check('t.genmark', '--baseline', 'old.json', '--baseline', 'second.genmark')[0] == wanted, size
    # A baseline whose program is gone has no names: then all is new, and that is said.
    p.remove('before/rounds')
    status, report = p.check('t.genmark', '--baseline', 'old.genmark')
    assert status == 1 and any('baseline old.genmark' in note for note in report['notes']), report['notes']
    p.write('no.json', '{ "schema": "genmark.marks/1" }')
    done = p.run('check', 't.genmark', '--baseline', 'no.json')
    assert done.status == 3 and re.match(r'genmark: no\.json:1: ', done.err), done.err


def a_stricter_option_never_lowers_the_status(p):
    p.build('rounds')
    for words in ('20 keep 48 spare 10', '20 keep 1', '4 keep 8', '20 pass', '6 keep 100'):
        p.record('rounds', words)
        for others in ([], ['--inconclusive', 'pass'], ['--max-total', '40B'], ['--settling', '0']):
            for option, values in (('--max-growth', ['1KiB', '48B', '10B', '0B']), ('--max-blocks', ['9', '1', '0']),
                                   ('--max-total', ['1MiB', '58B', '48B', '0B'])):
                if option in others:
                    continue
                statuses = [p.run('check', 't.genmark', option, value, *others).status for value in values]
                assert statuses == sorted(statuses), (words, others, option, statuses)


def the_command_runs_where_no_toolchain_is(p):
    """Installed, stripped, and without a Swift library among those that it needs."""
    done = subprocess.run(['make', '-s', 'install', f'DESTDIR={p.folder}', 'PREFIX=/usr', 'BUILD=' + os.path.dirname(p.genmark),
                           '-o', 'all', '-o', 'command', '-o', 'library'], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    command = p.path('usr/bin/genmark')
    needed = subprocess.run(['readelf', '-d', command], capture_output=True, text=True, check=True).stdout
    assert 'swift' not in needed.lower() and 'dispatch' not in needed, needed
    assert os.path.getsize(command) < 15 << 20
    p.genmark = command
    p.build('rounds')
    p.record('rounds', '20 keep 48')
    assert p.check('t.genmark')[0] == 1


TESTS = [the_command_runs_where_no_toolchain_is, limits_and_exit_statuses, nothing_recorded_never_passes,
         budgets_by_pattern, accepted_findings_and_their_end,
         suppressions_of_files_and_of_the_program, other_builds_have_the_same_findings,
         a_stricter_option_never_lowers_the_status]
