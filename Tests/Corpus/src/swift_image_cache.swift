// SPDX-License-Identifier: MIT
// Thumbnails in a dictionary that nobody empties. FIXED: the oldest goes when there are more than eight.

final class Thumbnail {
    let name: Int
    let pixels: UnsafeMutablePointer<UInt8>
    init(name: Int) {
        self.name = name
        pixels = .allocate(capacity: 4096)
        pixels.initialize(repeating: 7, count: 4096)
    }
    deinit { pixels.deallocate() }
}

final class ThumbnailCache {
    private var byName: [Int: Thumbnail] = [:]
    private var order: [Int] = []

    func thumbnail(_ name: Int) -> Thumbnail {
        if let known = byName[name] { return known }
        let made = make(name)
        byName[name] = made
        order.append(name)
#if FIXED
        if order.count > 8 { byName[order.removeFirst()] = nil }
#endif
        return made
    }

    private func make(_ name: Int) -> Thumbnail { Thumbnail(name: name) }
}

@main struct Main {
    static func main() {
        let cycles = benchCycles()
        let cache = ThumbnailCache()
        for i in 0..<cycles {
            for k in 0..<3 { benchUse(Int(cache.thumbnail(2 * i + k).pixels[9])) }
            benchMark("cycle")
        }
        benchDone(cycles)
    }
}
