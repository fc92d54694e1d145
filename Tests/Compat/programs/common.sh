# SPDX-License-Identifier: MIT
# What the scripts of real programs share; run-programs calls each once bare and once recorded and compares what it prints.
#   need PROGRAM…     ends the script as skipped when one of them is not installed
#   recorded WORDS…   runs a command, under the recorder in the second call
#   $work             an empty folder, the working directory
set -euo pipefail

need() {
    local name
    for name in "$@"; do
        command -v "$name" >/dev/null || { echo "no $name here" >&2; exit 77; }
    done
}

recorded() { env ${PRELOAD:+LD_PRELOAD="$PRELOAD"} "$@"; }

# Waits until a command succeeds; a service that never comes up is an error.
await() {
    local tries
    for tries in $(seq 300); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    echo "never came up: $*" >&2
    return 1
}
