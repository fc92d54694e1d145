# SPDX-License-Identifier: MIT
# SIGKILL at random moments, also during the start and a fork, to a program with threads, marks and children: every trace
# reads and holds together. 100 kills; long: 1,000.
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
    environment = dict(os.environ, LD_PRELOAD=preload, GENMARK_OUTPUT=f'{os.getcwd()}/t/{i}.%p.genmark', GENMARK_FOLLOW='1')
    program = subprocess.Popen(['./churn'], env=environment, stdout=subprocess.PIPE, start_new_session=True)
    if i % 4 == 0:
        time.sleep(random.random() * 0.02)
    else:
        program.stdout.readline()
        time.sleep(random.random() ** 3 * 0.25)
    os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
END
# A kill before the first word of the header is stored leaves a file of which the command says so.
printf 'GENMARK\0' >magic
whole=() begun=0
for trace in t/*.genmark; do
    if cmp -s -n 8 magic "$trace"; then whole+=("$trace"); continue; fi
    begun=$((begun + 1))
    said=$("$GENMARK" generations "$trace" 2>&1)
    [ $? = 3 ] && [[ $said == *"nothing recorded yet"* || $said == *"is empty"* ]] || { echo "FAIL $trace: $said"; failures=$((failures + 1)); }
done
echo "$count kills: ${#whole[@]} traces of programs and their children, $begun killed before there was one"
holds 'most were recorded' test "${#whole[@]}" -gt $((count * 8 / 10))
holds "$count kills: ${#whole[@]} traces hold together" consistent "${whole[@]}"
finish
