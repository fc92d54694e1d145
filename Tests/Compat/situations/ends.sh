# SPDX-License-Identifier: MIT
# How programs end: the trace says it, is cut to what is used, and has all blocks; out of memory included.
. "$(dirname "$0")/common.sh"
need gcc python3
gcc -std=gnu11 -g -O1 -fno-builtin -o actor "$here/../../Programs/actor.c" || exit 1
end() { "$GENMARK" generations "$1" --json | python3 -c '
import json, sys
e = json.load(sys.stdin)["trace"]["end"]
print(e["kind"], e.get("value"))'; }
check_end() { # NAME, END, WORDS… under genmark run
    local name=$1 want=$2
    shift 2
    "$GENMARK" run -q -o "t/$name.genmark" -- "$@" >/dev/null 2>&1
    holds "$name: $want" test "$(end "t/$name.genmark")" = "$want"
    holds "$name: its blocks are there" test "$(alive "t/$name.genmark" leak_record)" = 50
    holds "$name: the file is short" test "$(stat -c %s "t/$name.genmark")" -lt 2000000
}
fifty='repeat 50 leak mark a end'
check_end exit 'exit 7' ./actor $fifty exit 7
check_end return 'exit 0' ./actor $fifty
check_end abort 'signal 6' ./actor $fifty abort
check_end kill 'signal 9' ./actor $fifty kill
check_end pipe 'exit 3' ./actor $fifty no-such-word
consistent t/*.genmark >consistent.log; holds 'traces hold together' test $? = 0
# Out of memory: a limit on the group of processes where there is one to set, else on address space.
cat >eat.c <<'END'
#include <stdlib.h>
#include <string.h>
extern void genmark_mark(const char *label) __attribute__((weak));
__attribute__((noinline)) static char *eat(void) { char *volatile block = malloc(1 << 20); return block; }
int main(void) { for (int i = 0; i < 700; i++) { char *block = eat(); if (!block) abort(); memset(block, 1, 1 << 20); if (genmark_mark) genmark_mark("meal"); } return 0; }
END
gcc -g -O1 -fno-builtin -o eat eat.c
"$GENMARK" run -q -o t/eat.genmark -- prlimit --as=400000000 ./eat >/dev/null 2>&1
trace=$(ls t/eat*.genmark | tail -n 1)
holds 'out of memory: the trace holds together' consistent "$trace"
holds "out of memory: hundreds of blocks were recorded" test "$(alive "$trace" eat)" -gt 200
# The kernel's own killer, in a group of 100 MiB; `eat` itself stops at 700 MiB, should the group not hold it.
memory=/sys/fs/cgroup/memory limit=memory.limit_in_bytes
[ -e "$memory/$limit" ] || memory=/sys/fs/cgroup limit=memory.max
group=$memory/genmark-test-$$
if [ -e "$memory/cgroup.procs" ] && mkdir "$group" 2>/dev/null && [ -e "$group/$limit" ] &&
    { echo 104857600 >"$group/$limit"; } 2>/dev/null; then
    [ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
    bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" env GENMARK_OUTPUT="$PWD/t/group.genmark" LD_PRELOAD="$PRELOAD" \
        ./eat 2>/dev/null
    holds 'killed for memory: it was (137)' test $? = 137
    holds 'killed for memory: the trace holds together' consistent t/group.genmark
    holds 'killed for memory: blocks were recorded' test "$(alive t/group.genmark eat)" -gt 20
    rmdir "$group"
else
    rmdir "$group" 2>/dev/null
    echo 'skip: no control group with a limit on memory can be made here'
fi
finish
