// SPDX-License-Identifier: MIT
// A family whose children hold their parent strongly. FIXED: they hold it weakly.

final class Parent {
    let name: String
    var children: [Child] = []
    init(name: String) { self.name = name }

    func addChild(age: Int) {
        let c = Child(age: age)
        c.parent = self
        children.append(c)
    }
}

final class Child {
    let age: Int
#if FIXED
    weak var parent: Parent?
#else
    var parent: Parent?
#endif
    init(age: Int) { self.age = age }
}

func openFamily(_ i: Int) -> Parent {
    let p = Parent(name: "the family with the number \(i)")
    p.children.reserveCapacity(4)
    for a in 0..<3 { p.addChild(age: a + i) }
    return p
}

final class Visitor {
    let n: Int
    init(_ n: Int) { self.n = n }
    func visit(_ p: Parent) -> Int { p.children.count + p.name.utf8.count + n }
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        for i in 0..<cycles {
            let p = openFamily(i)
            benchUse(Visitor(i).visit(p))
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
