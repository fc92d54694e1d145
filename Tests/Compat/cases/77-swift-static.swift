// SPDX-License-Identifier: MIT
// 77 Swift with its standard library linked in: its frames are the program's own file's then
// family: L languages
// CC: swiftc
// FLAGS: -O -g -static-stdlib
// OUT: 77 ok freed=5
// HOLDS: exit 0, same stdout.  Frames are demangled (not $s...), the allocation
// site is the Swift function, not swift_slowAlloc / swift_allocObject.
// LIVE site=makeCycle() blocks=10 bytes=320 (two Node objects x 5, 32 bytes each)
// LIVE site=makeClosure() blocks>=1 (the context of an escaping closure in a cycle)
// ABSENT site=makeTree() (its 5 objects are released by ARC)
#if canImport(Glibc)
import Glibc
#endif
final class Node {
    var next: Node?
    var payload = 7
}
final class Holder {
    var call: (() -> Int)?
}
var freed = 0
final class Tree {
    var left: Tree?
    deinit { freed += 1 }
}
@inline(never) func makeCycle() {
    let a = Node(), b = Node()
    a.next = b
    b.next = a
}
@inline(never) func makeClosure() {
    let h = Holder()
    h.call = { h.call == nil ? 0 : 1 }
    _ = h.call!()
}
@inline(never) func makeTree() {
    var t: Tree?
    for _ in 0..<5 {
        let n = Tree()
        n.left = t
        t = n
    }
}
for _ in 0..<5 { makeCycle() }
makeClosure()
makeTree()
print("77 ok freed=\(freed)")
