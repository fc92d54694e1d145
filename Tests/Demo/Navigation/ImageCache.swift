// SPDX-License-Identifier: MIT
// Keeps the pixels of the images that were shown last, and not more than `limit` of them: memory that
// is kept on purpose, which a report of growth must not mistake for a leak.

final class ImageCache {
  private let limit: Int
  private var images: [(name: String, pixels: [UInt8])] = []

  init(limit: Int) {
    self.limit = limit
    images.reserveCapacity(limit + 1)
  }

  func image(named name: String) -> [UInt8] {
    if let known = images.first(where: { $0.name == name }) {
      return known.pixels
    }
    let pixels = decode(name)
    images.append((name, pixels))
    if images.count > limit {
      images.removeFirst()
    }
    return pixels
  }

  private func decode(_ name: String) -> [UInt8] {
    [UInt8](repeating: name.utf8.first ?? 0, count: 16 * 1024)
  }
}
