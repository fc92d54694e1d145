# SPDX-License-Identifier: MIT
# Threads: 10,000 over a run leave the recorder no larger; many at once; least stacks with alternate signal stacks;
# cancelled ones; ones that leave by a signal handler while they are inside the recorder.
. "$(dirname "$0")/common.sh"
need gcc python3
build threads
same turns ./threads turns 10000
# A table may take its next huge page at any time (2 MiB); 400 bytes kept for each thread would be over the bound.
grown=$(cat grown.recorded) bare_grown=$(cat grown.bare)
holds "turns: resident grows by ${grown:-?} KiB, bare by ${bare_grown:-?}" test "${grown:-99999}" -le $((bare_grown + 3800))
holds "turns: the trace has $(stat -c %s t/turns.genmark) bytes" test "$(stat -c %s t/turns.genmark)" -lt 4000000
holds 'turns: no block is left' test "$(alive t/turns.genmark keep_one)" = 0
crowd=1000
[ "$AMOUNT" = short ] || crowd=8000
./threads crowd $crowd >/dev/null
if [ $? = 0 ]; then
    same crowd ./threads crowd $crowd
    holds 'crowd: each block is there' test "$(alive t/crowd.genmark keep_one)" = $crowd
    holds 'crowd: nothing lost' test "$(losses t/crowd.genmark)" = ''
fi
same tiny ./threads tiny
holds 'tiny: each block is there' test "$(alive t/tiny.genmark keep_one)" = 40
GENMARK_FOLLOW=1 same tiny-followed ./threads tiny
same cancel ./threads cancel 300
holds 'cancel: no block is left' test "$(alive t/cancel.genmark keep_one)" = 0
same gone ./threads gone
holds 'traces hold together' consistent t/*.genmark
finish
