# SPDX-License-Identifier: MIT
# Rights: setuid programs run untouched; traces are their owner's alone and never written through a link or over a file;
# traces and processes of another user are refused.
. "$(dirname "$0")/common.sh"
need gcc python3 setpriv
build privilege
mode() { stat -c %a "$1"; }
recorded "$PWD/t/own.genmark" ./privilege >/dev/null
holds 'a trace is its owner'"'"'s alone' test "$(mode t/own.genmark)" = 600
(umask 000; recorded "$PWD/t/open.genmark" ./privilege >/dev/null)
holds 'a trace is its owner'"'"'s alone, whatever the umask' test "$(mode t/open.genmark)" = 600
echo precious >t/precious
ln -s "$PWD/t/precious" t/link.genmark
ln -s "$PWD/t/nothing" t/dangling.genmark
for name in link dangling; do recorded "$PWD/t/$name.genmark" ./privilege >/dev/null 2>&1; done
holds 'nothing is written through a link' test "$(cat t/precious)" = precious
holds 'nothing is made through a link' test ! -e t/nothing
echo mine >t/there.genmark
recorded "$PWD/t/there.genmark" ./privilege >/dev/null 2>&1
holds 'no file is written over' test "$(cat t/there.genmark)" = mine
[ "$(id -u)" = 0 ] || { echo 'skip: other users need root'; finish; }
chmod 711 . ; mkdir -m 1777 shared; chmod 755 privilege
as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
cp privilege "$PWD/shared/raised"
chmod 4755 shared/raised
cp "$PRELOAD" shared/libgenmark.so && chmod 755 shared/libgenmark.so
cp "$(realpath "$GENMARK")" shared/genmark && chmod 755 shared/genmark
holds 'setuid: runs as bare, unrecorded' test "$(as_other env GENMARK_OUTPUT="$PWD/shared/raised.genmark" LD_PRELOAD="$PWD/shared/libgenmark.so" shared/raised 2>/dev/null)" = 'secure 0'
holds 'setuid: no trace' test ! -e shared/raised.genmark
# Where the library is in the system's own folders, the loader takes it into setuid programs too.
system=/usr/lib/libgenmark-test-$$.so
if cp "$PRELOAD" "$system" 2>/dev/null && chmod 4755 "$system"; then
    holds 'setuid with the library in a system folder: runs as bare' test "$(cd shared && as_other env GENMARK_OUTPUT="$PWD/raised.genmark" LD_PRELOAD="${system##*/}" ./raised 2>&1)" = 'secure 0'
    holds 'setuid with the library in a system folder: no trace' test ! -e shared/raised.genmark
    rm -f "$system"
fi
# Another user's trace, as recorders make it; another user's process, even where its trace was opened to all.
cp t/own.genmark shared/theirs.genmark; chmod 600 shared/theirs.genmark
as_other sh -c 'LD_PRELOAD=$1/shared/libgenmark.so GENMARK_OUTPUT=$1/shared/nobody.genmark exec "$1/privilege"' sh "$PWD" >/dev/null
holds 'another user records for himself' test "$(stat -c '%a %u' shared/nobody.genmark)" = '600 65534'
for verb in generations growth marks check; do
    holds "$verb: another user's trace is refused" test "$(as_other shared/genmark $verb shared/theirs.genmark >refused 2>&1; echo $?)" = 3
    holds "$verb: it says why" grep -qiE 'owner|belongs|user|permission' refused
done
# One that is open to all, of a user who is neither the reader nor root; then root's, one's own copy, and root as the reader.
cp t/own.genmark shared/open.genmark; chmod 644 shared/open.genmark; chown 12345 shared/open.genmark
holds "an open trace of another user is refused" test "$(as_other shared/genmark growth shared/open.genmark >refused 2>&1; echo $?)" = 3
holds 'it says why' grep -q 'belongs to another user (uid 12345)' refused
holds "root reads it" "$GENMARK" generations shared/open.genmark
cp shared/open.genmark shared/roots.genmark; chmod 644 shared/roots.genmark
holds "root's is read" as_other shared/genmark generations shared/roots.genmark
as_other cp shared/open.genmark shared/copy.genmark
holds "a copy is the reader's" as_other shared/genmark generations shared/copy.genmark
recorded "$PWD/shared/sleep.genmark" sleep 60 &
sleeper=$!
sleep 0.5
chmod 666 shared/sleep.genmark
real=$(pgrep -P $sleeper -x sleep || echo $sleeper)
holds "mark: another user's process is refused" test "$(as_other shared/genmark mark "$real" >refused 2>&1; echo $?)" = 3
holds 'mark: it says why' grep -qiE 'owner|belongs|user|permission' refused
kill "$real" "$sleeper" 2>/dev/null
finish
