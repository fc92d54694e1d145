# SPDX-License-Identifier: MIT
"""Which function of the program a recorded call stack belongs to, by the name that truth.json calls it by.

Judging what was reported is score.py's work; nothing here knows of verdicts or rates.
"""
import os
import re

SWIFT_WRAPPING = re.compile(
    r'^(merged |specialized |partial apply for |partial apply forwarder for '
    r'|(generic|function signature|generic not re-abstracted|generic partial) specialization <.*?>+ of )')
COMPILER_SUFFIX = re.compile(r'\.(part|constprop|isra|cold|lto_priv|actor|destroy|resume)(\.\d+)?.*$')
PARAMETERS = re.compile(r'\((?:[^()]|\([^()]*\))*\)( const)?( &+)?( \[clone.*)?$')
SWIFT_STANDARD_LIBRARY = re.compile(
    r'(static )?(Array|ContiguousArray|ArraySlice|Dictionary|Set|String|Optional|Sequence|Collection'
    r'|Unsafe\w*|Managed\w*|_\w+)\b')
SHARED_SOURCES = ('bench.h', 'Bench.swift')


def without_brackets(text, opening, closing):
    """The text outside of template brackets; `operator<` and `->` are no brackets."""
    kept, depth = [], 0
    for i, c in enumerate(text):
        if c == opening and not text.startswith('operator<', max(0, i - 8)):
            depth += 1
        elif c == closing and depth and text[i - 1] != '-':
            depth -= 1
        elif not depth:
            kept.append(c)
    return ''.join(kept)


def plain(function, swift):
    """The function's name as truth.json writes it: without parameters, template arguments and the compiler's words."""
    if not function:
        return '?'
    if swift:
        name = function
        while (shorter := SWIFT_WRAPPING.sub('', name)) != name:
            name = shorter
        return name
    name = COMPILER_SUFFIX.sub('', function)
    name = name.replace('(anonymous namespace)::', '').replace('[abi:cxx11]', '')
    name = PARAMETERS.sub('', without_brackets(name, '<', '>'))
    return name.strip().split(' ')[-1]


def own_function(frames, sources, wrappers, known):
    """The innermost function that is written in the program, or None.

    Written in the program: its file is one of the program's sources, or the compiler made the frame and truth.json
    knows the name. Standard library code that was inlined into the program does not count, nor do `wrappers`.
    """
    for frame in frames:
        file = os.path.basename(frame.get('file') or '')
        made_by_compiler = file == '<compiler-generated>'
        swift = file.endswith('.swift') or made_by_compiler
        name = plain(frame.get('function'), swift)
        if file in SHARED_SOURCES or not (file in sources or (made_by_compiler and name in known)):
            continue
        if swift and name not in known and SWIFT_STANDARD_LIBRARY.match(name):
            continue
        if name in wrappers or name.split('::')[-1] in wrappers or '__allocating_init' in name or name == '?':
            continue
        return name
    return None


def matches(entry, function, frames, optimised):
    """Whether an entry of truth.json means this call site. In optimised code any frame may bear the name."""
    if entry.get('function') is not None:
        return function == entry['function'] or (
            optimised and entry['function'] in [plain(f.get('function'), True) for f in frames])
    if function is not None:
        return False
    names = [plain(f.get('function'), False) for f in frames]
    modules = [os.path.basename(f.get('module') or '') for f in frames[:8]]
    wanted = entry.get('frame') or entry.get('top')
    if wanted and not (wanted in names or any(m.startswith(wanted) for m in modules)):
        return False
    return not (entry.get('not_frame') and any(entry['not_frame'] in n for n in names))
