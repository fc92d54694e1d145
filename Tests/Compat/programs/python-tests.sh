# SPDX-License-Identifier: MIT
# Python's own tests of the modules that a recorder could disturb. Long.
. "$(dirname "$0")/common.sh"
need python3
python3 -c 'import test.test_json' 2>/dev/null || { echo 'no test package of python3 here' >&2; exit 77; }
modules=(test_threading test_threading_local test_thread test_queue test_subprocess test_signal test_threadsignals test_fork1
    test_wait3 test_wait4 test_popen test_posix test_os test_mmap test_ctypes test_struct test_array test_bytes test_str
    test_list test_dict test_set test_deque test_heapq test_sort test_re test_json test_pickle test_copy test_gc test_weakref
    test_generators test_coroutines test_asyncgen test_contextlib test_exceptions test_traceback test_zlib test_bz2 test_lzma
    test_hashlib test_decimal test_fractions test_io test_tempfile test_select test_selectors test_sys test_locale test_xml_etree)
PYTHONMALLOC=malloc recorded python3 -m test --timeout 300 "${modules[@]}" >log 2>&1 || true
grep -E '^(test_[a-z0-9_]+ failed|[0-9]+ tests? (OK|failed)|Result: |    test_)' log | sed -E 's/ in [0-9].*//; s/ \(.*\)//' | sort
