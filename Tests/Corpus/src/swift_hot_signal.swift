// SPDX-License-Identifier: MIT
// A hot subject (a clock that never completes) retains every subscription that map() makes on it; the
// screens themselves go away. A cold signal, which runs its producer per subscription and completes,
// leaves nothing behind. FIXED: the screen disposes of its subscription.

protocol Disposable: AnyObject { func dispose() }

final class Subscriber<Value> {
    let onNext: (Value) -> Void
    init(_ onNext: @escaping (Value) -> Void) { self.onNext = onNext }
}

final class Subject<Value> {
    private var subscribers: [Subscriber<Value>] = []

    func subscribe(_ onNext: @escaping (Value) -> Void) -> Disposable {
        let s = Subscriber(onNext)
        subscribers.append(s)
        return Removal(self, s)
    }

    func send(_ v: Value) { for s in subscribers { s.onNext(v) } }

    func remove(_ s: Subscriber<Value>) { subscribers.removeAll { $0 === s } }

    func map<New>(_ f: @escaping (Value) -> New) -> MappedSubject<Value, New> { MappedSubject(self, f) }
}

final class Removal<Value>: Disposable {
    private weak var subject: Subject<Value>?
    private weak var subscriber: Subscriber<Value>?
    init(_ subject: Subject<Value>, _ subscriber: Subscriber<Value>) {
        self.subject = subject
        self.subscriber = subscriber
    }
    func dispose() { if let s = subscriber { subject?.remove(s) } }
}

final class MappedSubject<Old, New> {
    private let target = Subject<New>()
    private var upstream: Disposable?
    init(_ source: Subject<Old>, _ f: @escaping (Old) -> New) {
        let t = target
        upstream = source.subscribe { v in t.send(f(v)) }
    }
    func subscribe(_ onNext: @escaping (New) -> Void) { _ = target.subscribe(onNext) }
    func dispose() { upstream?.dispose() }
}

final class ColdSignal<Value> {
    private let produce: ((Value) -> Void) -> Void
    init(_ produce: @escaping ((Value) -> Void) -> Void) { self.produce = produce }
    func map<New>(_ f: @escaping (Value) -> New) -> ColdSignal<New> {
        let p = produce
        return ColdSignal<New> { emit in p { v in emit(f(v)) } }
    }
    func start(_ onNext: (Value) -> Void) { produce(onNext) }
}

nonisolated(unsafe) let clock = Subject<Int>()

final class ClockScreen {
    private(set) var shown = ""
    private var mapped: MappedSubject<Int, String>?

    func appear() {
        let m = clock.map { "\($0) s" }
        m.subscribe { [weak self] text in self?.shown = text }
        mapped = m
    }

    func disappear() {
#if FIXED
        mapped?.dispose()
#endif
        mapped = nil
    }

    func loadOnce(_ n: Int) -> Int {
        var sum = 0
        ColdSignal<Int> { emit in for k in 0..<3 { emit(n + k) } }
            .map { $0 * 2 }
            .start { sum += $0 }
        return sum
    }
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        for i in 0..<cycles {
            do {
                let s = ClockScreen()
                s.appear()
                clock.send(i)
                benchUse(s.shown.utf8.count + s.loadOnce(i))
                s.disappear()
            }
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
