// SPDX-License-Identifier: MIT
// Observer tokens of a notification centre that are never removed: the centre keeps the blocks and the
// blocks keep the controllers. FIXED: deinit cannot run while the block holds the controller, so
// close() removes the token.

final class Token: Hashable {
    let id: Int
    init(_ id: Int) { self.id = id }
    static func == (a: Token, b: Token) -> Bool { a.id == b.id }
    func hash(into h: inout Hasher) { h.combine(id) }
}

final class Observation {
    let name: String
    let token: Token
    let block: (Int) -> Void
    init(name: String, token: Token, block: @escaping (Int) -> Void) {
        self.name = name
        self.token = token
        self.block = block
    }
}

final class NoticeCenter {
    nonisolated(unsafe) static let shared = NoticeCenter()
    private var observations: [Observation] = []
    private var next = 0

    func addObserver(_ name: String, using block: @escaping (Int) -> Void) -> Token {
        next += 1
        let t = Token(next)
        observations.append(Observation(name: name, token: t, block: block))
        return t
    }

    func remove(_ t: Token) { observations.removeAll { $0.token == t } }

    func post(_ name: String, _ v: Int) { for o in observations where o.name == name { o.block(v) } }
}

final class Keyboard {
    var height = 0
}

final class EditorController {
    private var token: Token?
    private var keyboard: Keyboard? = Keyboard()
    private(set) var offset = 0

    func open() {
        token = NoticeCenter.shared.addObserver("keyboard") { h in
            self.keyboard?.height = h
            self.offset = h / 2
        }
    }

    func close() {
#if FIXED
        if let t = token { NoticeCenter.shared.remove(t) }
#endif
        token = nil
    }
}

func editSession(_ i: Int) -> Int {
    let e = EditorController()
    e.open()
    NoticeCenter.shared.post("keyboard", 200 + i)
    e.close()
    return e.offset
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        for i in 0..<cycles {
            benchUse(editSession(i))
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
