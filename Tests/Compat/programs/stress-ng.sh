# SPDX-License-Identifier: MIT
# stress-ng: malloc and vm stressors, a fixed number of operations, results verified. Long.
. "$(dirname "$0")/common.sh"
need stress-ng
recorded stress-ng --malloc 2 --malloc-ops 20000 --malloc-bytes 64m --vm 1 --vm-ops 200 --vm-bytes 64m --verify \
    --fork 1 --fork-ops 200 --pthread 1 --pthread-ops 2000 >log 2>&1 && echo "status $?"
grep -ciE 'fail|error' log || true
