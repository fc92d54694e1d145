# SPDX-License-Identifier: MIT
"""Compares what a tool says of a program with its truth.

What is compared is a list of Site, so that any tool's report can be judged; recording is record.py's work.
"""
import collections

from names import matches, own_function, plain
from truth import is_known

GROWS = ('leak', 'stepwise')

# A call site that is said to grow, or (verdict inconclusive) of which that is said to be open. Rates are per cycle, None
# where the tool gives none; further: cycles that would settle it.
Site = collections.namedtuple('Site', 'function frames verdict blocks bytes further')


class Score:
    """What one program's report was worth."""

    def __init__(self, program, errors=()):
        self.program, self.errors = program, list(errors)
        self.sites, self.found, self.exact, self.alarms, self.open = len(program['growing']), 0, 0, 0, 0

    @property
    def hard(self):
        return self.program.get('hard') or any(e.get('hard') for e in self.program['growing'])


def site(program, sources, frames, verdict, blocks=None, size=None, further=None):
    """A Site under the function's name of the truth. Frames: innermost first, with function, file and module."""
    known = {e.get('function') for kind in ('growing', 'not_growing', 'either') for e in program[kind]}
    return Site(own_function(frames, sources, program['wrappers'], known), frames, verdict, blocks, size, further)


def sites_of_growth(program, report, sources):
    """Sites of a `genmark growth --json`."""
    sites = []
    for finding in report['findings']:
        for c in finding['callSites']:
            verdict = c.get('verdict', finding['verdict'])
            if verdict in GROWS or verdict == 'inconclusive':
                sites.append(site(program, sources, c['frames'], verdict, c['blocksPerCycle'], c['bytesPerCycle'],
                                  finding['furtherCycles']))
    return sites


def is_optimised(program):
    """The optimiser may give a block to the caller: then only the sum is judged."""
    return program['name'].endswith('.release')


def rate_is_exact(program, entries, hits):
    """Whether the hits' blocks and bytes per cycle are what the entries (of one function) say, in words if not."""
    optimised = is_optimised(program)
    either = [h for h in hits if any(matches(e, h.function, h.frames, optimised) for e in program['either'])]
    extra = sum(e.get('blocks_per_cycle') or 0 for e in program['either']
                if any(matches(e, h.function, h.frames, optimised) for h in hits))
    blocks, size = sum(h.blocks for h in hits), sum(h.bytes for h in hits)
    counts, sizes = [e.get('blocks_per_cycle') for e in entries], [e.get('bytes_per_cycle') for e in entries]
    approximate = max((e.get('approx') or 0) for e in entries)
    right = True
    if all(c is not None for c in counts):
        right = abs(blocks - sum(counts)) <= approximate * sum(counts) + 0.02 + extra or bool(either) or optimised
    if all(s is not None for s in sizes) and not any(e.get('amortised') for e in entries):
        tolerance = approximate * sum(sizes) + 0.02 * max(1, sum(sizes))
        right = right and (abs(size - sum(sizes)) <= tolerance or bool(either))
    return right, f'{blocks:.3g} blocks {size:.4g} B a cycle, truth {counts} and {sizes}'


def verdict_is_right(entries, hits, thinned):
    """In every cycle is a leak, in some a stepwise growth; where amounts are chance, either. So also where thinning has left
    no mark between the cycles that grow and those that do not."""
    if any(e.get('approx') or e.get('amortised') or e.get('blocks_per_cycle') is None for e in entries):
        return True
    if thinned and all(e['blocks_per_cycle'] >= 1 for e in entries):
        return True
    steps = any((e.get('period') or 1) > 1 or 0 < e['blocks_per_cycle'] < 1 for e in entries)
    return any(h.verdict == ('stepwise' if steps else 'leak') for h in hits)


def judge(program, sites, cycles, rates=True, findings=None, thinned=False):
    """Recall and false alarms; with `rates`, exact figures and verdicts too; with a number of findings, that as well."""
    score = Score(program)
    optimised = is_optimised(program)
    grows = [s for s in sites if s.verdict in GROWS]
    expected = {}
    for e in program['growing']:
        expected.setdefault((e.get('function'), e.get('frame'), e.get('top')), []).append(e)
    score.sites = len(expected)
    for key, entries in expected.items():
        hits = [s for s in grows if any(matches(e, s.function, s.frames, optimised) for e in entries)]
        name = next((k for k in key if k), '?')
        if not all(is_known(cycles, program, e) for e in entries):
            judge_open(score, cycles, name, entries, sites, hits)
        elif not hits:
            score.errors.append(f'missed {name}')
        else:
            score.found += 1
            judge_hits(score, name, entries, hits, rates, thinned)
    judge_sum(score, grows, rates and is_known(cycles, program))
    judge_alarms(score, grows, cycles)
    wanted = program['findings']
    if findings is not None and wanted is not None and not optimised and findings > wanted:
        score.errors.append(f'{findings} findings for {wanted}')
    return score


def judge_open(score, cycles, name, entries, sites, hits):
    """Too few cycles to know: found is right, and so is inconclusive with the number of cycles that would do."""
    optimised = is_optimised(score.program)
    said = [s for s in sites if s.further and any(matches(e, s.function, s.frames, optimised) for e in entries)]
    # Of what comes once in so many cycles, shorter runs may show nothing at all.
    if hits or said or any(cycles <= e.get('period', 0) for e in entries):
        score.open += 1
        score.sites -= 1
    else:
        score.errors.append(f'{name} is neither found nor said to be open')


def judge_hits(score, name, entries, hits, rates, thinned):
    exact, words = rate_is_exact(score.program, entries, hits) if rates else (True, '')
    if rates and not is_optimised(score.program) and not verdict_is_right(entries, hits, thinned):
        exact, words = False, 'verdict ' + ', '.join(sorted({h.verdict for h in hits}))
    score.exact += bool(exact)
    if not exact:
        score.errors.append(f'{name}: {words}')


def judge_sum(score, grows, rates):
    """Of optimised programs the sum over all functions must be right."""
    program, counts = score.program, [e.get('blocks_per_cycle') for e in score.program['growing']]
    if not rates or not is_optimised(program) or not counts or None in counts or program['either']:
        return
    blocks = sum(s.blocks for s in grows)
    if abs(blocks - sum(counts)) > 0.02:
        score.exact = 0
        score.errors.append(f'in all {blocks:.3g} blocks a cycle, truth {sum(counts):.3g}')


def judge_alarms(score, grows, cycles):
    program, optimised = score.program, is_optimised(score.program)
    unknown = [e for e in program['not_growing'] if not is_known(cycles, e)]
    for s in grows:
        if any(matches(e, s.function, s.frames, optimised) for e in program['growing'] + program['either']):
            continue
        if not is_known(cycles, program) or any(matches(e, s.function, s.frames, optimised) for e in unknown):
            score.open += 1
            continue
        score.alarms += 1
        name = s.function or (plain(s.frames[0].get('function'), False) if s.frames else '?')
        score.errors.append(f'false alarm {name}' + (f' (+{s.blocks:.3g} blocks)' if s.blocks is not None else ''))
