# SPDX-License-Identifier: MIT
# Much of something: 10 GiB of heap and blocks over 4 GiB; 2 million live blocks (long: 50 million, where memory allows);
# 200,000 call sites under a limit of 1 MiB (long: 10 million under 64 MiB), merged and counted.
. "$(dirname "$0")/common.sh"
need gcc python3
build big
blocks=2000000 sites=200000 limit=1MiB
if [ "$AMOUNT" = long ]; then
    blocks=50000000 sites=10000000 limit=64MiB
    available=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    [ "$available" -gt 4000 ] || { echo "skip: 50 million blocks need 4 GiB, and $available MiB are available"; blocks=2000000; }
fi
nice() { command nice -n 10 "$@"; }
same virtual ./big virtual
holds 'virtual: holds together' consistent t/virtual.genmark
holds 'virtual: 162 blocks are alive' test "$(alive t/virtual.genmark reserve)" = 162
holds 'virtual: with their sizes' python3 - "$GENMARK" <<'END'
import json, subprocess, sys
report = json.loads(subprocess.run([sys.argv[1], 'generations', 't/virtual.genmark', '--by', 'call-site', '--json'],
                                   capture_output=True, check=True).stdout)
size = sum(c['bytes'] for g in report['generations'] for c in g['callSites'] if any(f['function'] == 'reserve' for f in c['frames']))
assert size == (160 << 26) + (10 << 30) + 2 * 4096, size
END
same blocks ./big blocks $blocks
holds "blocks: $blocks were born" test "$("$GENMARK" marks t/blocks.genmark --json | grep -c "all there")" -ge 1
holds 'blocks: none is left' test "$(alive t/blocks.genmark keep_small)" = 0
holds 'blocks: nothing lost' test "$(losses t/blocks.genmark)" = ''
GENMARK_MAX_MEMORY=$limit same sites ./big sites $sites
holds 'sites: what was merged is said' grep -q stacksMerged <<<"$(losses t/sites.genmark)"
holds "sites: the trace keeps to $limit" test "$(stat -c %b t/sites.genmark)" -le $((${limit%MiB} * 2048 + 64))
holds 'sites: every block is there or was lost by name' python3 - "$GENMARK" $sites <<'END'
import json, subprocess, sys
report = json.loads(subprocess.run([sys.argv[1], 'generations', 't/sites.genmark', '--json'], capture_output=True, check=True).stdout)
there = sum(g['persistentBlocks'] for g in report['generations'])
lost = sum(l['count'] for l in report['trace']['losses'] if l['kind'] == 'blocksMemory')
# Merged with others, but nearly all there.
assert there + lost >= int(sys.argv[2]) and lost < int(sys.argv[2]) / 1000, (there, lost)
END
holds 'traces hold together' consistent t/*.genmark
finish
