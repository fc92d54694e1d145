# SPDX-License-Identifier: MIT
# SIGKILL at random moments, also during the start: every trace reads and holds together. 100 of them; long: 1,000.
. "$(dirname "$0")/common.sh"
need python3 gcc
build churn -ldl
count=100
[ "$AMOUNT" = short ] || count=1000
python3 - "$count" "$PRELOAD" <<'END' || { echo 'FAIL the killing itself'; exit 1; }
import os, random, signal, subprocess, sys, time
count, preload = int(sys.argv[1]), sys.argv[2]
random.seed(20)
for i in range(count):
    environment = dict(os.environ, LD_PRELOAD=preload, GENMARK_OUTPUT=f'{os.getcwd()}/t/{i}.genmark')
    program = subprocess.Popen(['./churn'], env=environment, stdout=subprocess.PIPE)
    if i % 4 == 0:
        time.sleep(random.random() * 0.02)
    else:
        program.stdout.readline()
        time.sleep(random.random() ** 3 * 0.25)
    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdout.close()
END
# A kill before the header is whole leaves an empty file at most: that one says so.
whole=() begun=0
for trace in t/*.genmark; do
    if [ "$(head -c 7 "$trace")" = GENMARK ]; then whole+=("$trace"); else begun=$((begun + 1)); fi
done
echo "${#whole[@]} traces, $begun killed before there was one"
holds 'most were recorded' test "${#whole[@]}" -gt $((count * 8 / 10))
holds "$((${#whole[@]})) killed traces hold together" consistent "${whole[@]}"
finish
