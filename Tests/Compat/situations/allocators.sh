# SPDX-License-Identifier: MIT
# Other allocators preloaded behind the recorder: they keep working, and every block is recorded, to the byte where the
# allocator's size classes allow to tell, by all threads.
. "$(dirname "$0")/common.sh"
need gcc python3
build allocators
library() { ldconfig -p | sed -n "s|.*=> \(.*/$1\)\$|\1|p" | head -n 1; }
kinds='by_malloc by_calloc by_realloc by_reallocarray by_memalign by_aligned_alloc by_posix_memalign by_valloc by_growth'
ours=$PRELOAD
for name in none libjemalloc.so.2 libtcmalloc_minimal.so.4 libtcmalloc.so.4 libmimalloc.so.2 libmimalloc.so.2.0; do
    behind=
    if [ "$name" != none ]; then
        behind=$(library "$name")
        [ -n "$behind" ] || { echo "skip: no $name here"; continue; }
    fi
    wrapper="env ${behind:+LD_PRELOAD=$behind}" PRELOAD=$ours${behind:+:$behind}
    same "$name" ./allocators
    trace=t/$name.genmark
    holds "$name: holds together" consistent "$trace"
    holds "$name: nothing lost" test "$(losses "$trace")" = ''
    "$GENMARK" generations "$trace" --by call-site --json >report.json
    holds "$name: 100 blocks of each function, with their sizes" python3 - "$name" $kinds <<'END'
import json, sys
name, kinds = sys.argv[1], sys.argv[2:]
report = json.load(open('report.json'))
want = {k: (100, sum(64 + i for i in range(100))) for k in kinds}
want['by_aligned_alloc'] = (100, sum((64 + i + 63) // 64 * 64 for i in range(100)))
for kind in kinds:
    found = [(c['blocks'], c['bytes']) for g in report['generations'] for c in g['callSites']
             if any(f['function'] == kind for f in c['frames'])]
    total = tuple(map(sum, zip(*found))) if found else (0, 0)
    if total != want[kind]:
        sys.exit(f'{kind}: {total}, must be {want[kind]}')
END
done
# Linked into the program; and two at once, one linked and one preloaded behind us.
jemalloc=$(library libjemalloc.so.2) mimalloc=$(library 'libmimalloc.so.2')
if [ -n "$jemalloc" ]; then
    gcc -std=gnu11 -g -O1 -fno-builtin -pthread -o linked "$here/allocators.c" "$jemalloc" || exit 1
    PRELOAD=$ours same linked ./linked
    holds 'linked: holds together' consistent t/linked.genmark
    holds 'linked: nothing lost' test "$(losses t/linked.genmark)" = ''
    holds 'linked: 100 blocks' test "$(alive t/linked.genmark by_malloc)" = 100
    if [ -n "$mimalloc" ]; then
        wrapper="env LD_PRELOAD=$mimalloc" PRELOAD=$ours:$mimalloc same two ./linked
        holds 'two: holds together' consistent t/two.genmark
        holds 'two: 100 blocks' test "$(alive t/two.genmark by_calloc)" = 100
    fi
fi
# glibc's own checking allocator.
debug=$(library libc_malloc_debug.so.0)
if [ -n "$debug" ]; then
    wrapper="env LD_PRELOAD=$debug GLIBC_TUNABLES=glibc.malloc.check=3" PRELOAD=$ours:$debug same checking ./allocators
    holds 'checking: holds together' consistent t/checking.genmark
    holds 'checking: 100 blocks' test "$(alive t/checking.genmark by_growth)" = 100
fi
finish
