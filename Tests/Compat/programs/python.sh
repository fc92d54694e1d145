# SPDX-License-Identifier: MIT
# python3 with malloc for everything: threads, ctypes, subprocess, multiprocessing, signals, regular expressions. Short.
. "$(dirname "$0")/common.sh"
need python3
PYTHONMALLOC=malloc recorded python3 -c '
import concurrent.futures, ctypes, decimal, json, multiprocessing, os, re, signal, subprocess, threading, zlib
def square(n): return n * n
def main():
    document = {"items": [{"id": i, "tags": [f"t{i % 7}", None, 1.5]} for i in range(3000)]}
    text = json.dumps(document)
    print(len(text), len(json.loads(text)["items"]), len(re.findall(r"t\d", text)), len(zlib.compress(text.encode())) > 0)
    with concurrent.futures.ThreadPoolExecutor(4) as pool: print(sum(pool.map(square, range(2000))))
    with multiprocessing.get_context("fork").Pool(2) as pool: print(sum(pool.map(square, range(200))))
    seen = []
    signal.signal(signal.SIGUSR1, lambda s, f: seen.append(s)); os.kill(os.getpid(), signal.SIGUSR1); print(len(seen))
    libc = ctypes.CDLL(None); libc.strdup.restype = ctypes.c_void_p; block = libc.strdup(b"abc")
    print(ctypes.string_at(block)); libc.free(ctypes.c_void_p(block))
    print(subprocess.run(["sh", "-c", "echo child; exit 3"], capture_output=True, text=True))
    print(decimal.Decimal(2) ** 80)
    try: [0] * (1 << 62)
    except MemoryError as e: print("MemoryError")
if __name__ == "__main__": main()
'
