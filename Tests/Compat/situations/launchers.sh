# SPDX-License-Identifier: MIT
# Scripts, shells, env, time and their like under `genmark run`: what they become or start is recorded, under the name that was asked
# for; which one was chosen is said; marks by that name, and by any pid on the way, go to it.
. "$(dirname "$0")/common.sh"
need gcc python3 timeout
gcc -std=gnu11 -g -O1 -fno-builtin -o actor "$here/../../Programs/actor.c" || exit 1
script() { cat >"$1"; chmod +x "$1"; }
script starts.sh <<<'#!/bin/sh
mkdir -p made
./actor repeat 30 leak mark a end exit 3
rm -r made'
script becomes.sh <<<'#!/usr/bin/env bash
ls >/dev/null
exec ./actor repeat 30 leak mark a end exit 3'
script nested.sh <<<'#!/bin/bash
x=$(cat /proc/self/comm | tr a b)
nice env FOO=1 sh -c "./starts.sh; exit \$?"'
script nothing.sh <<<'#!/bin/bash
for i in 1 2 3; do x[$i]=$i; done'
program() { "$GENMARK" generations "$1" --json | python3 -c '
import json, os, sys
r = json.load(sys.stdin)
print(os.path.basename(r["trace"]["program"]), len(r["generations"]) - 1)'; }
check() { # WHAT, STATUS, CHOSEN, WORDS…
    local what=$1 status=$2 chosen=$3
    shift 3
    rm -f ./*.genmark
    "$GENMARK" run -o a.genmark -- "$@" >run.out 2>run.err
    holds "$what: ends as the program" test $? = "$status"
    holds "$what: $chosen has the name" test "$(program a.genmark)" = "$chosen"
    holds "$what: nothing else is left" test "$(ls ./*.genmark)" = ./a.genmark
}
check 'starts' 0 'actor 30' ./starts.sh
holds 'starts: it is said' grep -q "'./starts.sh' starts programs: 'actor' .*also: mkdir" run.err
check 'becomes' 3 'actor 30' ./becomes.sh
check 'nested' 0 'actor 30' ./nested.sh
check 'nothing' 0 'bash 0' ./nothing.sh
holds 'nothing: nothing is said' test ! -s run.err
check 'env' 3 'actor 30' env A=b ./actor repeat 30 leak mark a end exit 3
check 'shell' 5 'actor 0' sh -c './actor leak leak exit 4; exit 5'
check 'timeout' 0 'actor 1' timeout 50 ./actor leak mark x
check 'killed' 137 'actor 0' nice ./actor leak kill
check 'itself' 6 'actor 0' ./actor leak exit 6
rm -f ./*.genmark
"$GENMARK" run -q -- ./starts.sh
holds 'without a name: one trace, with its own' test "$(ls ./*.genmark | sed 's/[0-9]\+/N/')" = ./actor.N.genmark
rm -f ./*.genmark
"$GENMARK" run -q --follow -o a.genmark -- ./starts.sh
holds 'followed: all are kept' test "$(ls ./*.genmark | wc -l)" -ge 4

# Marks while it runs; the script has run another program before.
script waits.sh <<<'#!/bin/bash
ls >/dev/null
./actor leak say ready wait exit 2'
for way in './waits.sh' 'env ./actor leak say ready wait exit 2'; do
    rm -f ./*.genmark in out
    mkfifo in
    "$GENMARK" run -q -o a.genmark -- $way <in >out &
    run=$!
    exec 7>in
    for _ in $(seq 300); do grep -q ready out && break; sleep 0.1; done
    own=$(pgrep -P $run)
    for name in a.genmark $run $own; do
        holds "$way: mark $name" "$GENMARK" mark "$name" here
    done
    echo >&7
    exec 7>&-
    wait $run
    holds "$way: ends as the program" test $? = 2
    holds "$way: all three marks are the program's" test "$(program a.genmark)" = 'actor 3'
done
"$GENMARK" run -q -o every.genmark --every 20ms -- sh -c 'sleep 0.2; ./actor leak say ready wait; exit 0' < <(sleep 3) >out
holds 'every: marks are the program'"'"'s' test "$(program every.genmark | sed 's/ [0-9]*//')" = actor
finish
