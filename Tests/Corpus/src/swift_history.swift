// SPDX-License-Identifier: MIT
// An undo history of closures. FIXED: only the newest ten are kept.

final class Edit {
    let text: String
    init(text: String) { self.text = text }
}

final class History {
    private var undo: [() -> Int] = []

    func remember(_ edit: Edit) {
        undo.append { edit.text.utf8.count }
#if FIXED
        if undo.count > 10 { undo.removeFirst() }
#endif
    }

    var newest: Int { undo.last?() ?? 0 }
}

func type(_ i: Int, into history: History) {
    let edit = Edit(text: "the paragraph with the number \(i)")
    history.remember(edit)
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        let history = History()
        for i in 0..<cycles {
            for k in 0..<2 { type(2 * i + k, into: history) }
            benchUse(history.newest)
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
