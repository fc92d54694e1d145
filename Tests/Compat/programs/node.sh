# SPDX-License-Identifier: MIT
# node: machine code without unwind tables, worker threads, children, promises. Short.
# Losses: stacksBroken: machine code without unwind tables
. "$(dirname "$0")/common.sh"
need node
recorded node -e '
const { Worker, isMainThread } = require("worker_threads");
const hot = n => { let a = []; for (let i = 0; i < n; i++) a.push({ i, s: "x" + i }); return a.filter(o => o.i % 3).length };
let sum = 0; for (let r = 0; r < 200; r++) sum += hot(500);
console.log(sum, Buffer.alloc(1 << 20).length, JSON.stringify({ a: [1, 2, 3] }));
console.log(require("child_process").execFileSync("/bin/echo", ["child"]).toString().trim());
const w = new Worker("require(\"worker_threads\").parentPort.postMessage([...Array(10000).keys()].length)", { eval: true });
w.on("message", m => console.log("worker", m)); w.on("exit", c => console.log("exit", c));
'
