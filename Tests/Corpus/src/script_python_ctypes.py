# SPDX-License-Identifier: MIT
# Python with PYTHONMALLOC=malloc: a C-level leak by way of ctypes (strdup without free), beside Python
# objects that come and go. With "fixed" the copy is freed.
# PYTHONMALLOC=malloc python3 script_python_ctypes.py CYCLES [fixed]
import ctypes
import sys

libc = ctypes.CDLL(None)
libc.strdup.restype = ctypes.c_void_p
libc.strdup.argtypes = [ctypes.c_char_p]
libc.free.argtypes = [ctypes.c_void_p]
libc.free.restype = None

cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 40
fixed = "fixed" in sys.argv[2:]

try:
    mark_function = libc.genmark_mark
    mark_function.argtypes = [ctypes.c_char_p]
    mark_function.restype = None
except AttributeError:
    def mark_function(label):
        pass


def native_name(i):
    p = libc.strdup(b"a native name, %04d" % i)
    return p


def python_work(i):
    d = {k: str(k * i) for k in range(50)}
    return sum(len(v) for v in d.values())


total = 0
for i in range(cycles):
    p = native_name(i)
    total += python_work(i)
    if fixed:
        libc.free(p)
    del p
    mark_function(b"cycle")
print("done", cycles)
