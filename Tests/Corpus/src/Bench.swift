// SPDX-License-Identifier: MIT
// LeakBench: what every Swift program shares.
import Glibc

typealias BenchMarkFunction = @convention(c) (UnsafePointer<CChar>) -> Void

private let benchMarkFunction: BenchMarkFunction? = {
    guard let p = dlsym(nil, "genmark_mark") else { return nil }
    return unsafeBitCast(p, to: BenchMarkFunction.self)
}()

func benchMark(_ label: StaticString) {
    guard let f = benchMarkFunction else { return }
    label.withUTF8Buffer { b in
        b.withMemoryRebound(to: CChar.self) { f($0.baseAddress!) }
    }
}

func benchCycles() -> Int {
    guard CommandLine.argc > 1, let a = CommandLine.unsafeArgv[1] else { return 40 }
    let n = Int(atoi(a))
    return n > 0 ? n : 40
}

nonisolated(unsafe) var benchSink = 0

func benchUse(_ n: Int) { benchSink = benchSink &+ n }

func benchDone(_ n: Int) {
    if benchSink == Int.min { fputs("sink\n", stderr) }
    fputs("done \(n)\n", stdout)
    fflush(stdout)
}
