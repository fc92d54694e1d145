# SPDX-License-Identifier: MIT
# Rust: panics that are caught, that end a thread, and in which something is dropped; its allocator's aligned and zeroed forms.
. "$(dirname "$0")/common.sh"
need rustc python3
cat >panics.rs <<'END'
use std::alloc::{alloc_zeroed, dealloc, realloc, Layout};
use std::panic;
struct Guard(#[allow(dead_code)] Vec<u8>);
#[inline(never)] fn guarded(depth: u32) -> u32 {
    let _guard = Guard(vec![1; 300]);
    if depth == 0 { panic!("at the bottom of {}", String::from("it")) }
    guarded(depth - 1) + 1
}
#[inline(never)] fn kept_after(n: usize) -> Box<[u8]> { vec![7; n].into_boxed_slice() }
#[inline(never)] fn kept_aligned() -> *mut u8 {
    let layout = Layout::from_size_align(200, 128).unwrap();
    unsafe {
        let p = realloc(alloc_zeroed(layout), layout, 400);
        assert!(p as usize % 128 == 0 && *p.add(199) == 0);
        p
    }
}
fn main() {
    panic::set_hook(Box::new(|_| {}));
    let mut caught = 0;
    for i in 0..50 {
        if panic::catch_unwind(|| guarded(i % 20)).is_err() { caught += 1 }
        std::mem::forget(kept_after(21));
        if std::thread::spawn(move || guarded(i % 5)).join().is_err() { caught += 1 }
    }
    for _ in 0..10 { kept_aligned(); }
    unsafe { let l = Layout::from_size_align(64, 64).unwrap(); dealloc(alloc_zeroed(l), l) }
    println!("{caught} caught");
}
END
rustc -g -C debug-assertions=off -o panics panics.rs 2>rustc.log || { cat rustc.log; exit 1; }
same panics ./panics
named() { # FUNCTION: blocks and bytes alive below a function of that name, however its path is written
    "$GENMARK" generations t/panics.genmark --by call-site --json | python3 -c '
import json, re, sys
sites = [c for g in json.load(sys.stdin)["generations"] for c in g["callSites"]
         if any(re.search(r"(^|:)" + sys.argv[1] + r"\b", f["function"] or "") for f in c["frames"])]
print(sum(c["blocks"] for c in sites), sum(c["bytes"] for c in sites))' "$1"
}
holds 'kept after panics: 50 blocks of 21' test "$(named kept_after)" = '50 1050'
holds 'aligned, grown: 10 blocks of 400' test "$(named kept_aligned)" = '10 4000'
holds 'dropped in panics: nothing is left' test "$(named guarded)" = '0 0'
holds 'nothing lost' test "$(losses t/panics.genmark)" = ''
holds 'holds together' consistent t/panics.genmark
finish
