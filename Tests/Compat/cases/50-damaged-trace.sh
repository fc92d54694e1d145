#!/bin/bash
# SPDX-License-Identifier: MIT
# 50 the analyzer must survive damaged traces
# family: M report
# OUT: 50 ok
# HOLDS: give GENMARK_TRACE=<a good trace> and GENMARK_CLI="<command>" (the file
# name is appended).  For every damaged copy the command ends by itself within
# 20 s, with an exit code below 128 (no signal), uses less than 2 GiB (ulimit)
# and does not report the damaged copy as a clean pass with other numbers.
# Without them the script only checks its own damage functions.
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
if [ -n "$GENMARK_TRACE" ]; then cp "$GENMARK_TRACE" "$t/good"; else
  head -c 5000 /dev/zero | tr '\0' 'A' >"$t/good"; fi
size=$(stat -c %s "$t/good"); fails=0; n=0
try() {  # try <file> <what>
  n=$((n+1))
  [ -n "$GENMARK_CLI" ] || return 0
  ( ulimit -v 2097152; ulimit -f 204800; timeout -k 2 20 $GENMARK_CLI "$1" ) >"$t/out" 2>"$t/err"
  rc=$?
  if [ $rc -ge 124 ]; then echo "rc=$rc on $2"; fails=$((fails+1)); fi
}
cut_at() { head -c "$1" "$t/good" >"$t/bad"; try "$t/bad" "cut at $1"; }
flip() {  # flip <offset> <octal byte>
  cp "$t/good" "$t/bad"
  printf "\\$2" | dd of="$t/bad" bs=1 seek="$1" conv=notrunc status=none
  try "$t/bad" "byte $1 = $2"
}
for c in 0 1 4 7 8 15 16 63 64 100 4095 4096 $((size/2)) $((size-1)); do
  [ "$c" -lt "$size" ] && cut_at "$c"; done
for ((i = 0; i < 256 && i < size; i += 4)); do flip $i 377; done
for ((i = 0; i < 24; i++)); do flip $(( (i * 2654435761) % size )) $((i % 2 ? 0 : 200)); done
cat "$t/good" "$t/good" >"$t/bad"; try "$t/bad" "doubled"
head -c 4096 /dev/zero >>"$t/good"; try "$t/good" "zero tail"
[ $n -ge 90 ] || { echo "only $n variants"; exit 1; }
[ $fails = 0 ] || exit 1
echo "50 ok"
