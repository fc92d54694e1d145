# SPDX-License-Identifier: MIT
# Programs that give up system calls by seccomp: the recorder makes none that is not allowed, and goes on with what it has. What it
# then could not record is counted.
. "$(dirname "$0")/common.sh"
need gcc python3
build sandbox
for what in none strict heap maps trap refuse usual twice threads failing; do
    same $what ./sandbox $what
    [ "$bare" = 0 ] || { echo "skip: $what ends with $bare here"; continue; }
    trace=t/$what.genmark
    holds "$what: the trace holds together" consistent "$trace"
    holds "$what: all blocks are there" test "$(alive "$trace" confined)" = 6000
    holds "$what: nothing is lost" test "$(losses "$trace")" = ''
    holds "$what: every mark is there" test "$("$GENMARK" marks "$trace" --json | grep -o '"mark":' | wc -l)" = 20
    holds "$what: the file is short" test "$(stat -c %s "$trace")" -lt 8000000
done
holds 'usual: 20,000 further call stacks' test "$(alive t/usual.genmark walk)" = 20000
holds 'threads: their blocks' test "$(alive t/threads.genmark of_thread)" = 400
GENMARK_RUN=1 same exec ./sandbox exec
holds 'exec: the first program is recorded' test "$(alive t/exec.genmark confined)" = 6000
holds 'exec: the next is not asked to make system calls that its filter may kill for' test "$(find t -name 'exec*' | wc -l)" = 1
finish
