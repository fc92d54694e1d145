// SPDX-License-Identifier: MIT
//
// Trend: the few statistics that rate and rank. None of them decides alone; see Verdicts/.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

enum Trend {
  /// Median of the slopes of all pairs of points (Theil 1950, Sen 1968); 0 with fewer than two.
  /// Of more than 512 points, the pairs of every n-th are taken.
  static func theilSen(x: [Double], y: [Double]) -> Double {
    let stride = max(1, y.count / 512)
    let points = Swift.stride(from: 0, to: y.count, by: stride).map { (x: x[$0], y: y[$0]) }
    var slopes: [Double] = []
    slopes.reserveCapacity(points.count * (points.count - 1) / 2)
    for (index, a) in points.enumerated() {
      for b in points[(index + 1)...] where b.x > a.x { slopes.append((b.y - a.y) / (b.x - a.x)) }
    }
    return median(&slopes)
  }

  /// 0 for none.
  static func median(_ values: inout [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    values.sort()
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  /// Mann–Kendall: the chance that independent values fall (`rising` false) or rise at least as much as these do.
  /// Exact without ties up to 10 values, else the normal approximation with its correction for ties. 1 for fewer than 3.
  static func mannKendall(_ values: [Double], rising: Bool) -> Double {
    let n = values.count
    guard n >= 3 else { return 1 }
    var s = 0
    var tied = false
    for i in 0..<n {
      for j in (i + 1)..<n {
        if values[j] == values[i] { tied = true }
        s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0
      }
    }
    let score = rising ? s : -s
    if n <= 10, !tied { return exactTail(n: n, score: score) }
    var variance = Double(n * (n - 1) * (2 * n + 5))
    var counts: [Double: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    for count in counts.values where count > 1 { variance -= Double(count * (count - 1) * (2 * count + 5)) }
    guard variance > 0 else { return 1 }
    return upperTail(Double(score - 1) / (variance / 18).squareRoot())
  }

  /// Chance of a Mann–Kendall score of at least `score` among all orders of n values: counts of inversions.
  private static func exactTail(n: Int, score: Int) -> Double {
    let pairs = n * (n - 1) / 2
    var counts = [1.0]
    for size in 2...n {
      var next = [Double](repeating: 0, count: counts.count + size - 1)
      for (index, count) in counts.enumerated() {
        for shift in 0..<size { next[index + shift] += count }
      }
      counts = next
    }
    // Score = pairs − 2 · inversions.
    let most = (pairs - score) / 2
    guard most >= 0 else { return 0 }
    let total = counts.reduce(0, +)
    return counts.prefix(most + 1).reduce(0, +) / total
  }

  /// Chance that a standard normal value is at least z.
  static func upperTail(_ z: Double) -> Double { 0.5 * erfc(z / 2.0.squareRoot()) }

  /// How growth goes on over the cycles that show it.
  enum Fading: Equatable {
    case steady
    /// Less in the second half, but it may be chance.
    case unclear
    case fading
  }

  /// Whether later cycles grow less than earlier ones. Growth per cycle, in order; none negative.
  ///
  /// R is the mean of the second half over that of the first (the middle left out). R ≥ 0.8 is steady. Below, what decides
  /// is how rare it would be by chance: by rank (Mann–Kendall), and by counts, as a normal approximation to
  /// the binomial, widened by the scatter from one cycle to the next. Under 8 cycles chance can not be told.
  static func fading(_ values: [Double]) -> Fading {
    let half = values.count / 2
    guard half > 0 else { return .steady }
    let first = values.prefix(half).reduce(0, +)
    let second = values.suffix(half).reduce(0, +)
    guard first > 0, second < 0.8 * first else { return .steady }
    var scatter = 0.0
    for (a, b) in zip(values, values.dropFirst()) { scatter += (b - a) * (b - a) / 2 }
    let mean = values.reduce(0, +) / Double(values.count)
    let dispersion = max(1, scatter / Double(values.count - 1) / mean)
    let byCount = upperTail((first - second) / ((first + second) * dispersion).squareRoot())
    let chance = min(byCount, mannKendall(values, rising: false))
    if chance <= 0.005, second < 0.5 * first { return .fading }
    if chance <= 0.01 || values.count < 8 { return .unclear }
    return .steady
  }

  /// Laplace's test: events at these places (0 to 1) of a stretch come evenly (0), early (negative) or late.
  static func laplace(_ places: [Double]) -> Double {
    guard !places.isEmpty else { return 0 }
    let mean = places.reduce(0, +) / Double(places.count)
    return (mean - 0.5) * (12 * Double(places.count)).squareRoot()
  }
}
