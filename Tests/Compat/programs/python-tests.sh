# SPDX-License-Identifier: MIT
# Python's own tests of the modules that a recorder could disturb, a process for each module. Long.
# Losses: stacksCut: tests of recursion go deeper than what is kept of a stack
. "$(dirname "$0")/common.sh"
# The interpreter that has its tests: Debian's in libpython3.11-testsuite, others bring them.
python=
for python in python3 /usr/bin/python3 none; do
    if "$python" -c 'import test.test_json' 2>/dev/null; then break; fi
done
[ "$python" != none ] || { echo 'no test package of python3 here (Debian: libpython3.11-testsuite)' >&2; exit 77; }
modules=(test_threading test_threading_local test_thread test_queue test_subprocess test_signal test_threadsignals test_fork1
    test_wait3 test_wait4 test_popen test_posix test_os test_mmap test_ctypes test_multiprocessing_main_handling
    test_multiprocessing_fork test_concurrent_futures test_faulthandler test_pty test_poll test_select test_sys test_locale
    test_struct test_array test_bytes test_unicode test_list test_dict test_set test_deque test_heapq test_sort test_re test_json
    test_copy test_gc test_weakref test_generators test_coroutines test_asyncgen test_contextlib test_exceptions test_traceback
    test_itertools test_functools test_codecs test_memoryview test_zlib test_bz2 test_hashlib test_fractions)
export PYTHONMALLOC=malloc
# One that fails is tried twice more: some wait for the clock, and the machine may be busy.
attempt() {
    local tries part=()
    # All of it takes minutes; the rest is the same on managers and threads.
    [ "$1" != test_multiprocessing_fork ] || part=(-m '*WithProcessesTestProcess*' -m '*WithProcessesTestQueue*'
        -m '*WithProcessesTestLock*' -m '*WithProcessesTestValue*' -m '*WithProcessesTestArray*' -m '*TestHeap*')
    for tries in 1 2 3; do
        if recorded "$python" -m test --timeout 600 "$1" "${part[@]}" >log 2>&1; then
            grep -oE 'Result: .*|Tests result: .*' log | tail -n 1
            return
        fi
    done
    echo "fails: $(grep -E '^(FAIL|ERROR): ' log | sort | head -n 5 | tr '\n' ' ')"
}
for module in "${modules[@]}"; do echo "$module: $(attempt "$module")"; done
echo "${#modules[@]} modules"
