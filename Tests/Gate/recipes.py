# SPDX-License-Identifier: MIT
"""The README's recipes for CI, as they stand there: their commands are run in a small CMake project, once with a program
that grows and once with one that does not."""
import os
import re
import shutil
import subprocess

import yaml

from project import HERE, TOP


def block(heading):
    """The indented block after a heading of the README."""
    with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as file:
        after = file.read().split(f'### {heading}\n', 1)[1].split('\n## ')[0].split('\n### ')[0]
    lines = re.search(r'(?:^    .*\n|^\n)+', after[after.index('\n    '):].lstrip('\n'), re.MULTILINE)[0].splitlines()
    return '\n'.join(line[4:] for line in lines).strip() + '\n'


def project(p, grows):
    """A project as the recipes have it: an app that marks its rounds, built by CMake into build/."""
    shutil.copy(os.path.join(HERE, 'rounds.c'), p.path('rounds.c'))
    p.write('app.c', '#define main rounds\n#include "rounds.c"\n#undef main\n'
                     'int main(int argc, char **argv) { char *words[] = {"app", argc > 1 ? argv[1] : "30", "%s", "48", 0}; '
                     'return rounds(4, words); }\n' % ('keep' if grows else 'pass'))
    include = os.path.join(TOP, 'CShims/API/include')
    p.write('CMakeLists.txt', 'cmake_minimum_required(VERSION 3.20)\nproject(app C)\nenable_testing()\n'
                              f'add_executable(app app.c)\ntarget_include_directories(app PRIVATE {include})\n')


def environment(p):
    """genmark on the PATH, as after make install."""
    return {**os.environ, 'PATH': os.path.dirname(p.genmark) + ':' + os.environ['PATH'],
            'GITHUB_STEP_SUMMARY': p.path('summary.md')}


def shell(p, script):
    return subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', script], cwd=p.folder, env=environment(p),
                          capture_output=True, text=True, timeout=300, check=False)


def github_actions(p):
    workflow = yaml.safe_load(block('GitHub Actions'))
    steps = workflow['jobs']['growth']['steps']
    for grows in (True, False):
        project(p, grows)
        p.remove('growth.genmark', 'summary.md')
        statuses = {}
        for step in steps:
            if 'run' not in step or (any(statuses.values()) and step.get('if') != 'always()'):
                continue
            done = shell(p, step['run'])
            statuses[step.get('name', step['run'])] = done.returncode
            assert done.returncode in (0, 1), (step, done.stderr)
            if step.get('name') == 'Check':
                assert ('::error file=rounds.c,line=' in done.out if hasattr(done, 'out') else
                        '::error file=rounds.c,line=' in done.stdout) == grows, done.stdout
        assert any(statuses.values()) == grows, statuses
        assert ('❌' in p.read('summary.md')) == grows
        uploaded = [s['with']['sarif_file'] for s in steps if 'upload-sarif' in s.get('uses', '')]
        assert uploaded and all(os.path.exists(p.path(name)) for name in uploaded)


def gitlab_ci(p):
    job = yaml.safe_load(block('GitLab CI'))['growth']
    for grows in (True, False):
        project(p, grows)
        p.remove('growth.genmark')
        done = shell(p, '\n'.join(job['script']))
        assert done.returncode == (1 if grows else 0), done.stderr
        assert os.path.exists(p.path(job['artifacts']['reports']['junit']))
        assert all(os.path.exists(p.path(name)) for name in job['artifacts']['paths'])


def cmake_and_ctest(p):
    for grows in (True, False):
        project(p, grows)
        shutil.rmtree(p.path('build'), ignore_errors=True)
        with open(p.path('CMakeLists.txt'), 'a', encoding='utf-8') as file:
            file.write(block('CMake and CTest'))
        built = shell(p, 'cmake -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build')
        assert built.returncode == 0, built.stderr
        done = shell(p, 'ctest --test-dir build --output-on-failure')
        assert (done.returncode != 0) == grows, done.stdout
        assert '100% tests passed, 0 tests failed out of 2' in done.stdout or grows, done.stdout
        assert '1 tests failed out of 2' in done.stdout or not grows, done.stdout


TESTS = [github_actions, gitlab_ci, cmake_and_ctest]
