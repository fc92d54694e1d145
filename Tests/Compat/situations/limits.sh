# SPDX-License-Identifier: MIT
# Little left of something: file size, address space, data, descriptors, disk, directory, /proc. The program is
# never disturbed; what could not be recorded is said.
. "$(dirname "$0")/common.sh"
need gcc python3
build limits

# Either all of it was recorded, or the trace says what was lost; either way it holds together.
told() { # TRACE
    local found lost
    consistent "$1" || return 1
    found=$(alive "$1" limited) lost=$(losses "$1")
    [ "$found" = 3000 ] || [ -n "$lost" ] || "$GENMARK" generations "$1" 2>&1 | grep -qi 'stopped' ||
        { echo "$found blocks of 3000 and not a word"; return 1; }
}
# As `same`, with a trace that tells.
degrades() { # WHAT WORDS…
    local what=$1
    shift
    same "$what" ./limits "$@"
    if [ "$bare" != 77 ] && [ -e "t/$what.genmark" ]; then holds "$what: all is recorded or the loss is said" told "t/$what.genmark"; fi
}
all() { holds "$1: all is recorded" test "$(alive "t/$1.genmark" limited)" = 3000; }

degrades plain plain && all plain
for size in 0 4096 65536 200000 1000000; do degrades fsize-$size limit fsize $size; done
degrades nofile limit nofile 1 && all nofile
degrades stack limit stack 65536 && all stack
for mib in 64 512; do
    degrades as-$mib limit as $((mib << 20))
    degrades data-$mib limit data $((mib << 20))
done
# The same limits before the start.
need prlimit
for limit in fsize=0 fsize=65536 fsize=1000000 as=60000000 as=500000000 data=20000000 data=400000000 nofile=4 stack=100000; do
    wrapper="prlimit --$limit" degrades "started-$limit" plain
done
degrades close close && all close
degrades gone gone && all gone
degrades exec-fails exec-fails

mkdir -p readonly && chmod 555 readonly
if [ "$(id -u)" = 0 ]; then
    degrades root root && all root
    rmdir root 2>/dev/null
    mkdir -p small && mount -t tmpfs -o size=1m tmpfs small 2>/dev/null && mounted=1
    if [ "${mounted:-}" = 1 ]; then
        trap 'umount -l "$PWD/small"' EXIT
        record_small() { recorded "$PWD/small/a.genmark" "$@" 2>/dev/null; }
        fill_disk() { head -c 2000000 /dev/zero >small/full 2>/dev/null; true; }
        holds 'disk of 1 MiB: the program runs' test "$(record_small ./limits plain)" = 'plain 3000'
        holds 'disk of 1 MiB: all is recorded or the loss is said' told small/a.genmark
        rm -f small/*
        holds 'disk that fills up: the program runs' test "$(record_small ./limits disk small/full)" = 'disk 3000'
        holds 'disk that fills up: all is recorded or the loss is said' told small/a.genmark
        rm -f small/*; fill_disk
        holds 'full disk: the program runs' test "$(record_small ./limits plain)" = 'plain 3000'
        holds 'full disk: nothing is left on it' test ! -e small/a.genmark
        rm -f small/*
        mount -o remount,ro small
        holds 'read-only: the program runs' test "$(record_small ./limits plain)" = 'plain 3000'
    else
        echo 'skip: no tmpfs can be mounted here'
    fi
else
    holds 'read-only: the program runs' test "$(GENMARK_OUTPUT=$PWD/readonly/a.genmark LD_PRELOAD=$PRELOAD ./limits plain 2>/dev/null)" = 'plain 3000'
    echo 'skip: chroot and a full disk need root'
fi
finish
