# SPDX-License-Identifier: MIT
# The first allocation comes from a library's constructor and under a lock of libc: the recorder's start takes none of these.
. "$(dirname "$0")/common.sh"
need python3 gcc
for lock in 1 2; do
    gcc -std=gnu11 -g -O1 -fno-builtin -Wall -shared -fPIC -DLIBRARY=$lock -o "libearly$lock.so" "$here/early.c" || { echo 'FAIL the library does not build'; exit 1; }
    build early -L. "-learly$lock" "-Wl,-rpath,$PWD"
    same "early$lock" ./early
    holds "early$lock: no loss" test -z "$(losses "t/early$lock.genmark")"
    holds "early$lock holds together" consistent "t/early$lock.genmark"
done
finish
