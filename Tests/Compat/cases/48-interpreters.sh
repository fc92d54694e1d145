#!/bin/bash
# SPDX-License-Identifier: MIT
# 48 interpreters: Python and Node (JIT frames without unwind tables, many
#    threads, own arenas, fork + exec from a threaded process, signal handlers)
# family: L languages
# OUT: 48 ok
# HOLDS: same stdout and exit codes with and without the preload; the trace is
# readable; unknown frames do not stop the report; overhead bounded (60 s here).
# A missing interpreter is skipped.
run() { env ${CASE_PRELOAD:+LD_PRELOAD="$CASE_PRELOAD"} "$@"; }
py=$(command -v /usr/bin/python3 || command -v python3)
if [ -n "$py" ]; then
  got=$(run "$py" -c '
import ctypes, os, signal, subprocess, threading
hits = []
signal.signal(signal.SIGUSR1, lambda s, f: hits.append(bytearray(1000)))
libc = ctypes.CDLL(None); libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
kept = [libc.malloc(4096) for _ in range(10)]
ts = [threading.Thread(target=lambda: [bytearray(5000) for _ in range(200)]) for _ in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
os.kill(os.getpid(), signal.SIGUSR1)
out = subprocess.run(["/bin/echo", "child"], capture_output=True, text=True).stdout
print("py", all(kept), len(hits), out.strip())') || exit 1
  [ "$got" = "py True 1 child" ] || { echo "python gave: $got"; exit 1; }
fi
if command -v node >/dev/null; then
  got=$(run node -e '
const f = n => { let a = []; for (let i = 0; i < n; i++) a.push(Buffer.alloc(2000)); return a.length };
let s = 0; for (let r = 0; r < 50; r++) s += f(50);
console.log("js", s, require("child_process").execFileSync("/bin/echo", ["child"]).toString().trim())') || exit 1
  [ "$got" = "js 2500 child" ] || { echo "node gave: $got"; exit 1; }
fi
echo "48 ok"
