// SPDX-License-Identifier: MIT
// A navigation stack in UIKit's manner. In every cycle a list and a detail screen are pushed ("push")
// and popped again ("pop"). The list's accessory cells store a closure that captures the cell, so two
// cells with their labels survive each pop; the controllers and all other views go away.
// FIXED: [weak self].

class View {
    private(set) var subviews: [View] = []
    weak var superview: View?
    var frame = (x: 0, y: 0, w: 100, h: 40)

    func addSubview(_ v: View) {
        v.superview = self
        subviews.append(v)
    }

    func count() -> Int { subviews.reduce(1) { $0 + $1.count() } }
}

final class Label: View {
    var text: String
    init(_ text: String) { self.text = text }
}

class Cell: View {
    let title: Label
    init(row: Int) {
        title = Label("r\(row % 10)")
        super.init()
        addSubview(title)
    }
}

final class AccessoryCell: Cell {
    private var onTap: ((Int) -> Int)?
    private var taps = 0

    func arm(step: Int) {
#if FIXED
        onTap = { [weak self] n in
            guard let self else { return 0 }
            self.taps += step * n
            return self.taps
        }
#else
        onTap = { n in
            self.taps += step * n
            return self.taps
        }
#endif
    }

    func tap() -> Int { onTap?(1) ?? 0 }
}

class ViewController {
    let view = View()
    weak var navigation: NavigationController?
    func viewDidLoad() {}
}

final class ListController: ViewController {
    private var cells: [Cell] = []

    override func viewDidLoad() {
        for row in 0..<6 {
            let c = makeCell(row)
            view.addSubview(c)
            cells.append(c)
        }
    }

    private func makeCell(_ row: Int) -> Cell {
        if row % 3 == 1 {
            let a = AccessoryCell(row: row)
            a.arm(step: row)
            benchUse(a.tap())
            return a
        }
        return Cell(row: row)
    }
}

final class DetailController: ViewController {
    override func viewDidLoad() {
        view.addSubview(Label("title"))
        view.addSubview(Label("body"))
    }
}

final class NavigationController {
    private var stack: [ViewController] = []

    func push(_ c: ViewController) {
        c.navigation = self
        c.viewDidLoad()
        stack.append(c)
    }

    func pop() { stack.removeLast() }

    func views() -> Int { stack.reduce(0) { $0 + $1.view.count() } }
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        let nav = NavigationController()
        nav.push(DetailController())
        benchMark("pop")
        for _ in 0..<cycles {
            nav.push(ListController())
            nav.push(DetailController())
            benchUse(nav.views())
            benchMark("push")
            nav.pop()
            nav.pop()
            benchMark("pop")
        }
        benchDone(cycles)
    }
}
