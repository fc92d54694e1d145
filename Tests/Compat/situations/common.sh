# SPDX-License-Identifier: MIT
# What the scripts of situations share; run-situations calls each with GENMARK (the command), PRELOAD (the library), AMOUNT
# (short or long) and an empty folder as working directory.
#   need PROGRAM…            ends the script as skipped when one of them is not installed
#   skip WHY                 ends the script as skipped
#   build NAME [FLAG…]       compiles NAME.c of this folder to ./NAME
#   same WHAT COMMAND…       runs a command bare and recorded (into ./t/WHAT.genmark): same status, output and errors; leaves
#                            the status in $bare; both are started by $wrapper, if set
#   holds WHAT COMMAND…      a check: the command must succeed
#   recorded TRACE COMMAND…  runs a command recorded
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failures=0
mkdir -p t

skip() { echo "skip: $*" >&2; exit 77; }
need() {
    local name
    for name in "$@"; do command -v "$name" >/dev/null || skip "no $name here"; done
}
build() {
    local name=$1
    shift
    gcc -std=gnu11 -g -O1 -fno-builtin -Wall -o "$name" "$here/$name.c" "$@" -pthread || { echo "FAIL $name does not build"; exit 1; }
}
holds() {
    local what=$1
    shift
    if "$@" >holds.log 2>&1; then echo "ok   $what"; else
        failures=$((failures + 1))
        echo "FAIL $what: $(tail -n 3 holds.log | tr '\n' ' ' | cut -c 1-400)"
    fi
}
recorded() {
    local trace=$1
    shift
    env GENMARK_OUTPUT="$trace" LD_PRELOAD="$PRELOAD" "$@"
}
same() {
    local what=$1 status
    shift
    # Both under timeout, so that no shell complains of a signal; to pipes, since files may not grow under some limits.
    timeout 120 ${wrapper:-env} "$@" 2>bare.err </dev/null | cat >bare.out
    bare=${PIPESTATUS[0]}
    timeout 120 ${wrapper:-env} env GENMARK_OUTPUT="$PWD/t/$what.genmark" LD_PRELOAD="$PRELOAD" "$@" 2>recorded.all </dev/null |
        cat >recorded.out
    status=${PIPESTATUS[0]}
    grep -v '^genmark:' recorded.all >recorded.err
    holds "$what: ends as bare ($bare)" test "$bare" = "$status"
    holds "$what: prints as bare" cmp bare.out recorded.out
    holds "$what: complains as bare" cmp bare.err recorded.err
}
# Every cell and total of these traces fits, and the command reads them.
consistent() { python3 "$here/consistent.py" --genmark "$GENMARK" "$@"; }
# Blocks alive at the end whose stack has the function.
alive() { # TRACE FUNCTION
    "$GENMARK" generations "$1" --by call-site --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(sum(c["blocks"] for g in report["generations"] for c in g["callSites"]
          if any((f["function"] or "").split("(")[0] == sys.argv[1] for f in c["frames"])))' "$2"
}
losses() { # TRACE: kinds with a count
    "$GENMARK" generations "$1" --json | python3 -c '
import json, sys
print(*sorted(l["kind"] for l in json.load(sys.stdin)["trace"]["losses"] if l["count"]))'
}
finish() { exit $((failures > 0)); }
