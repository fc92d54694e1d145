#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens reports of real recordings in a headless Chromium and uses them: marks, units, zoom, search, keys. What the page
shows is compared with what `genmark diff --json` says. Usage: report.py --genmark GENMARK [--timed] [--keep FOLDER]
--timed also measures how long a report with 100,000 call sites takes to appear; slow, and not for shared machines."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

import chromium

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
HOSTILE = "</script><img src=x onerror=alert(1)>"
# The function in screens.c that gets this name.
HARMLESS = "hostile_name_of_37_characters_in_all_"
TOTAL = "tree.bytes[0]"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--genmark", required=True)
parser.add_argument("--timed", action="store_true")
parser.add_argument("--keep")
parser.add_argument("--only", default="")
arguments = parser.parse_args()
genmark = os.path.abspath(arguments.genmark)
folder = arguments.keep or tempfile.mkdtemp(prefix="genmark-report-")
os.makedirs(folder, exist_ok=True)


def file(name):
    return os.path.join(folder, name)


def command(*words):
    done = subprocess.run([genmark, *words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"genmark {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def record(source, name, *words):
    """Builds a program of this folder, records it, and writes its report."""
    subprocess.run(["cc", "-O1", "-g", "-fno-optimize-sibling-calls", "-I", os.path.join(TOP, "CShims/API/include"),
                    os.path.join(HERE, source), "-o", file(name)], check=True)
    with open(file(name), "r+b") as program:
        image = program.read().replace(HARMLESS.encode(), HOSTILE.encode())
        program.seek(0)
        program.write(image)
    trace = file(name + ".genmark")
    if os.path.exists(trace):
        os.remove(trace)
    command("run", "-o", trace, "--", file(name), *words)
    command("report", trace, "-o", file(name + ".html"))
    return trace, file(name + ".html")


def diff(trace, a, b, alive):
    """Bytes and blocks that `genmark diff` counts."""
    report = json.loads(command("diff", trace, f"{a}..{b}", "--alive-at", alive, "--json"))
    return [sum(site[key] for site in report["callSites"]) for key in ("bytes", "blocks")]


def choose(page, name, value):
    """As a user does who picks an option."""
    page.run(f"(() => {{ const e = document.getElementById('{name}'); e.value = '{value}';"
             " e.dispatchEvent(new Event('change', { bubbles: true })); })()")


def search(page, text):
    page.click_on("#search")
    page.run("document.getElementById('search').select()")
    if text:
        page.type(text)
    else:
        page.run("(() => { const e = document.getElementById('search'); e.value = ''; e.dispatchEvent(new Event('input')); })()")
    page.wait(f"tree.search === {json.dumps(text.lower())}")
    page.run("new Promise(requestAnimationFrame)")


def name_of(expression):
    return f"({expression} === 0 ? 'all' : frameName(tree.frame[{expression}]))"


# Tests: each gets the page, opened anew --------------------------------------------------------------------------------

def opens_without_complaint(page, trace):
    assert page.complaints == [], page.complaints
    assert len(page.requested) == 1, page.requested
    assert page.run("document.getElementById('program').textContent") == "screens"
    assert "grow" in page.run("document.querySelector('.verdict').textContent")
    assert page.run("document.querySelectorAll('#generation-table tbody tr').length") == 13
    assert page.run("document.querySelectorAll('#chart polyline').length") == 2


def fits_its_window(page, trace):
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for width in (1280, 800, 480):
        page.look(width)
        page.run("new Promise(r => setTimeout(r, 50))")
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), width


def marks_choose_what_is_counted(page, trace):
    ends = {0: "start", 13: "end"}
    for a, b, c in ((0, 13, 13), (1, 11, 12), (3, 4, 4), (3, 4, 12), (0, 1, 1), (5, 9, 13)):
        choose(page, "from", a)
        choose(page, "to", b)
        choose(page, "alive", c)
        wanted = diff(trace, ends.get(a, a), ends.get(b, b), str(ends.get(c, c)))
        assert [page.run(TOTAL), page.run("tree.blocks[0]")] == wanted, (a, b, c, wanted, page.run(TOTAL))
        assert f"in {wanted[1]:,} block" in page.run("document.getElementById('total').textContent")


def marks_in_the_wrong_order_are_told(page, trace):
    choose(page, "from", 9)
    choose(page, "to", 3)
    assert page.run(TOTAL) == 0
    assert "before B" in page.run("document.getElementById('total').textContent")


def a_generation_can_be_chosen_from_the_table(page, trace):
    page.click_on("#generation-table tbody tr:nth-child(6) button")
    assert page.run("[choice.from, choice.to]") == [5, 6]
    assert page.run("document.getElementById('from').value") == "5"


def units_change_the_widths(page, trace):
    before = page.run("document.querySelector('#sites tbody .share').style.width")
    page.click_on(".segmented label:nth-of-type(2)")
    assert page.run("choice.unit") == "blocks"
    assert page.run("document.querySelector('#sites tbody .share').style.width") != before
    assert "block" in page.run("amount(tree.blocks[0])")


def keys_walk_and_zoom(page, trace):
    page.click_on("#search")
    for _ in range(20):
        page.press("Tab")
        if page.run("document.activeElement.id") == "icicle-canvas":
            break
    assert page.run("document.activeElement.id") == "icicle-canvas"
    page.press("Home")
    while page.run(name_of("icicle.selected")) != "visit":
        before = page.run("icicle.selected")
        page.press("ArrowDown")
        assert page.run("icicle.selected") != before, "no function visit below"
    page.press("ArrowDown")
    largest = page.run("icicle.selected")
    page.press("ArrowRight")
    second = page.run("icicle.selected")
    assert second != largest and page.run(f"tree.parent[{second}] === tree.parent[{largest}]")
    assert page.run(f"weights()[{largest}] >= weights()[{second}]")
    page.press("Enter")
    assert page.run("icicle.zoom") == second
    assert page.run(f"boxOf({second}).w === icicle.width")
    assert page.run(name_of(str(second))) in page.run("document.getElementById('zoom-path').textContent")
    page.press("Escape")
    assert page.run(name_of("icicle.zoom")) == "visit"
    page.click_on("#reset")
    assert page.run("icicle.zoom") == 0


def a_click_zooms(page, trace):
    place = page.run("(() => { const n = sites.merged[callSites()[0].site], b = boxOf(tree.parent[n]); return [tree.parent[n], b.x + b.w / 2, b.row * ROW + 8]; })()")
    page.click_on("#icicle-canvas", place[1], place[2])
    assert page.run("icicle.zoom") == place[0]
    assert page.run("document.getElementById('details').textContent").startswith(page.run(name_of("icicle.zoom")))


def search_finds_and_counts(page, trace):
    choose(page, "from", 0)
    choose(page, "to", 13)
    search(page, "KEEP_SMALL")
    wanted = page.run("(() => { let n = 0; for (let i = 1; i < tree.count; i++) if (frameName(tree.frame[i]) === 'keep_small') n += tree.bytes[i]; return n; })()")
    assert wanted > 0 and page.run("found().bytes") == wanted
    assert page.run("document.getElementById('matched').textContent").startswith("1 call site found")
    assert page.run("document.querySelectorAll('#sites tbody tr').length") == 1
    search(page, "no such function")
    assert page.run("document.getElementById('matched').textContent").startswith("0 call sites found")
    search(page, "")
    assert page.run("document.getElementById('matched').textContent") == ""
    assert page.run("document.querySelectorAll('#sites tbody tr').length") > 1


def slash_goes_to_the_search(page, trace):
    page.press("/")
    assert page.run("document.activeElement.id") == "search"
    assert page.run("document.activeElement.value") == ""


def call_sites_open_their_frames(page, trace):
    page.click_on("#sites tbody tr button")
    frames = page.run("[...document.querySelectorAll('#sites .opened .stack li')].map(e => e.textContent)")
    assert frames and "screens.c:" in "".join(frames), frames
    assert page.run("document.querySelector('#sites tbody tr button').getAttribute('aria-expanded')") == "true"
    page.click_on("#sites .opened button")
    assert page.run("document.activeElement.id") == "icicle-canvas"
    page.click_on("#sites tbody tr button")
    assert page.run("document.querySelectorAll('#sites .opened').length") == 0


def findings_show_stacks_and_survivors(page, trace):
    assert page.run("document.querySelectorAll('#finding-list > .finding').length") == len(
        json.loads(command("growth", trace, "--json"))["findings"])
    text = page.run("document.querySelector('#finding-list .finding').textContent")
    assert "leak" in text and "certain" in text and "screens.c:" in text, text
    assert page.run("document.querySelectorAll('#finding-list .finding .heat').length") > 20
    assert page.run("document.querySelector('#finding-list .finding .stack').children.length") >= 3


def hostile_names_stay_text(page, trace):
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    choose(page, "from", 0)
    assert page.run("document.images.length") == 0
    assert page.run(f"data.strings.includes({json.dumps(HOSTILE)})")
    assert page.run(f"[...document.querySelectorAll('.name')].some(e => e.textContent === {json.dumps(HOSTILE)})")
    assert page.run(f"data.generations.some(g => g.label === {json.dumps(HOSTILE)})")
    assert page.complaints == [], page.complaints


def nothing_can_run_that_slips_in(page, trace):
    page.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.pwned = 1\">')")
    page.run("new Promise(r => setTimeout(r, 100))")
    assert page.run("typeof window.pwned") == "undefined"


def text_can_be_read(page, trace):
    """Contrast of 4.5 (WCAG 2 AA) between text and what is behind it, in both schemes."""
    ratio = """((a, b) => { const light = c => { const v = c.map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
        const of = n => { const e = document.createElement('i'); e.style.color = `var(${n})`; document.body.append(e);
        const c = getComputedStyle(e).color.match(/[0-9.]+/g).slice(0, 3).map(Number); e.remove(); return light(c); };
        const [x, y] = [of(a), of(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); })"""
    for dark in (False, True):
        page.look(dark=dark)
        pairs = [("--ink", "--card"), ("--faint", "--card"), ("--faint", "--page"), ("--accent", "--card"), ("--card", "--accent"),
                 ("--grows", "--grows-paper"), ("--unsure", "--unsure-paper"), ("--faint", "--inset"), ("--hit-ink", "--hit"),
                 ("--heap", "--card"), ("--rss", "--card"), ("--level", "--card")]
        pairs += [("--ink", f"--{kind}-{i}") for kind in ("own", "library", "folded") for i in (1, 2, 3)]
        for text, paper in pairs:
            value = page.run(f"{ratio}('{text}', '{paper}')")
            assert value >= 4.5, (dark, text, paper, value)


TESTS = [opens_without_complaint, fits_its_window, marks_choose_what_is_counted, marks_in_the_wrong_order_are_told,
         a_generation_can_be_chosen_from_the_table, units_change_the_widths, keys_walk_and_zoom, a_click_zooms,
         search_finds_and_counts, slash_goes_to_the_search, call_sites_open_their_frames,
         findings_show_stacks_and_survivors, hostile_names_stay_text, nothing_can_run_that_slips_in, text_can_be_read]


def large_report_appears_at_once(page):
    """100,000 call sites: painted within 2 s of being asked for, and a change of marks within 1 s."""
    trace, report = record("stacks.c", "stacks")
    page.open(report, seconds=120)
    sites = page.run("(() => { let n = 0; for (let i = 0; i < siteCount; i++) if (sites.blocks[i] > 0) n++; return n; })()")
    paint = page.run("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
    change = page.run("(() => { const t = performance.now(); choice.from = 0; update(); return performance.now() - t; })()")
    look = page.run("(() => { const t = performance.now(); look('left'); status(); siteTable(); paintIcicle(); return performance.now() - t; })()")
    print(f"  {sites:,} call sites, {os.path.getsize(report) / 1e6:.1f} MB: first paint {paint:.0f} ms, "
          f"change of marks {change:.0f} ms, search {look:.0f} ms")
    assert sites >= 100000, sites
    assert 0 <= paint < 2000, paint
    assert change < 1000, change
    assert page.complaints == [], page.complaints


def main():
    if chromium.path() is None:
        print("no Chromium here (Debian: apt-get install chromium): reports are not tested in a browser")
        print("passed 0, failed 0")
        return 0
    passed = failed = 0
    trace, report = record("screens.c", "screens", "12", HOSTILE)
    with chromium.Browser() as page:
        for test in [test for test in TESTS + [large_report_appears_at_once] * arguments.timed if arguments.only in test.__name__]:
            try:
                page.look()
                if test is large_report_appears_at_once:
                    test(page)
                else:
                    page.open(report)
                    test(page, trace)
                passed += 1
                print(f"ok   {test.__name__}")
            except (AssertionError, chromium.BrowserError, RuntimeError) as error:
                failed += 1
                line = traceback.extract_tb(error.__traceback__)[-1]
                print(f"FAIL {test.__name__}: {type(error).__name__} {error} ({line.lineno}: {line.line})")
    print(f"passed {passed}, failed {failed}")
    return 1 if failed else 0


try:
    sys.exit(main())
finally:
    if not arguments.keep:
        shutil.rmtree(folder, ignore_errors=True)
