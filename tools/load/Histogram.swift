/// Counts times like HdrHistogram: every value from 1 µs to 100 s with three significant digits, in
/// bounded memory.
///
/// The layout is HdrHistogram's: buckets that double in width, 2,048 steps in the first and 1,024
/// in each further one. Source: G. Tene, HdrHistogram, "Histogram internals".
struct Histogram: Sendable, Equatable {
  /// In units of a microsecond.
  static let highestMicroseconds: UInt64 = 100_000_000
  private static let halfCountBits: UInt64 = 10
  private static let halfCount = 1 << Int(halfCountBits)
  private static let bucketCount = 17

  /// Empty until something is counted.
  private(set) var counts: [UInt64] = []
  private(set) var count: UInt64 = 0
  /// Exact, in nanoseconds.
  private(set) var maxNanoseconds: UInt64 = 0
  private(set) var minNanoseconds: UInt64 = .max
  private(set) var sumNanoseconds: Double = 0

  /// Counts a time; one below a microsecond counts as one, and one above 100 s as 100 s.
  mutating func record(nanoseconds: UInt64) {
    if counts.isEmpty { makeRoom() }
    counts[Self.index(ofNanoseconds: nanoseconds)] &+= 1
    count &+= 1
    maxNanoseconds = max(maxNanoseconds, nanoseconds)
    minNanoseconds = min(minNanoseconds, nanoseconds)
    sumNanoseconds += Double(nanoseconds)
  }

  /// Adds the counts of another histogram.
  mutating func merge(_ other: Histogram) {
    guard other.count > 0 else { return }
    if counts.isEmpty { makeRoom() }
    for index in other.used where other.counts[index] != 0 {
      counts[index] &+= other.counts[index]
    }
    count &+= other.count
    maxNanoseconds = max(maxNanoseconds, other.maxNanoseconds)
    minNanoseconds = min(minNanoseconds, other.minNanoseconds)
    sumNanoseconds += other.sumNanoseconds
  }

  /// Whether at least ten samples lie beyond a quantile, so that another run would find about the
  /// same; the maximum is always known.
  func supports(_ quantile: Double) -> Bool {
    guard count > 0 else { return false }
    return quantile >= 1 || Double(count) * (1 - quantile) >= Self.samplesBeyond - 1e-6
  }

  private static let samplesBeyond = 10.0

  /// What was counted since an earlier state of the same histogram; extremes are not known then.
  func since(_ earlier: Histogram) -> Histogram {
    var result = Histogram()
    guard count > earlier.count else { return result }
    result.makeRoom()
    for index in used {
      let difference = counts[index] &- (earlier.counts.isEmpty ? 0 : earlier.counts[index])
      guard difference != 0 else { continue }
      result.counts[index] = difference
      let value = Self.highestValue(at: index) &* 1_000
      result.maxNanoseconds = max(result.maxNanoseconds, value)
      result.minNanoseconds = min(result.minNanoseconds, value)
    }
    result.count = count &- earlier.count
    result.sumNanoseconds = sumNanoseconds - earlier.sumNanoseconds
    return result
  }

  private mutating func makeRoom() {
    counts = [UInt64](repeating: 0, count: (Self.bucketCount + 1) * Self.halfCount)
  }

  /// The range of indexes with counts.
  private var used: Range<Int> {
    guard count > 0 else { return 0..<0 }
    return Self.index(ofNanoseconds: minNanoseconds)..<Self.index(ofNanoseconds: maxNanoseconds) + 1
  }

  var meanMicroseconds: Double { count == 0 ? 0 : sumNanoseconds / Double(count) / 1_000 }

  /// The value that `quantile` of all times do not exceed, in microseconds; 0 if nothing was
  /// counted. 1 is the exact maximum.
  func microseconds(at quantile: Double) -> Double {
    guard count > 0 else { return 0 }
    guard quantile < 1 else { return Double(maxNanoseconds) / 1_000 }
    let wanted = max(1, UInt64((quantile * Double(count)).rounded(.up)))
    var seen: UInt64 = 0
    for index in used where counts[index] != 0 {
      seen &+= counts[index]
      if seen >= wanted {
        return min(Double(Self.highestValue(at: index)), Double(maxNanoseconds) / 1_000)
      }
    }
    return Double(maxNanoseconds) / 1_000
  }

  /// The number of times above `microseconds`, to the resolution of the steps.
  func count(above microseconds: UInt64) -> UInt64 {
    let first = Self.index(of: min(max(microseconds, 1), Self.highestMicroseconds)) + 1
    return used.reduce(0) { $1 < first ? $0 : $0 &+ counts[$1] }
  }

  private static func index(ofNanoseconds nanoseconds: UInt64) -> Int {
    index(of: min(max((nanoseconds &+ 500) / 1_000, 1), highestMicroseconds))
  }

  /// The index of a value.
  static func index(of microseconds: UInt64) -> Int {
    let bits = UInt64(64 - (microseconds | 2_047).leadingZeroBitCount)
    let bucket = bits - 11
    let step = Int(microseconds >> bucket)
    return Int(bucket) * halfCount + step
  }

  /// The largest value of an index, in microseconds.
  static func highestValue(at index: Int) -> UInt64 {
    let bucket = max(0, index / halfCount - 1)
    let step = UInt64(index - bucket * halfCount)
    return ((step + 1) << UInt64(bucket)) - 1
  }
}

extension Histogram {
  /// The distribution in HdrHistogram's text format (`.hgrm`) for its plotter: value in
  /// milliseconds, percentile, cumulative count, 1/(1-percentile).
  var hgrm: String {
    var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
    var seen: UInt64 = 0
    for index in used where counts[index] != 0 {
      seen &+= counts[index]
      let quantile = Double(seen) / Double(count)
      let value = Fixed.text(
        min(Double(Self.highestValue(at: index)), Double(maxNanoseconds) / 1_000) / 1_000, 3)
      let inverse = seen == count ? "" : Fixed.text(1 / (1 - quantile), 2)
      text += Fixed.right(value, 12) + " " + Fixed.text(quantile, 12) + " "
      text += Fixed.right("\(seen)", 10) + (inverse.isEmpty ? "" : " " + Fixed.right(inverse, 14))
      text += "\n"
    }
    text += "#[Mean    = \(Fixed.right(Fixed.text(meanMicroseconds / 1_000, 3), 12))]\n"
    text += "#[Max     = \(Fixed.right(Fixed.text(Double(maxNanoseconds) / 1e6, 3), 12)),"
    text += " Total count    = \(Fixed.right("\(count)", 12))]\n"
    text +=
      "#[Buckets = \(Fixed.right("\(Self.bucketCount)", 12)), SubBuckets     =         2048]\n"
    return text
  }
}

extension Histogram: Codable {
  private enum CodingKeys: String, CodingKey {
    case pairs, count, max, min, sum
  }

  /// Index and count of each step that has counts.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let pairs = used.filter { counts[$0] != 0 }.flatMap { [UInt64($0), counts[$0]] }
    try container.encode(pairs, forKey: .pairs)
    try container.encode(count, forKey: .count)
    try container.encode(maxNanoseconds, forKey: .max)
    try container.encode(count == 0 ? 0 : minNanoseconds, forKey: .min)
    try container.encode(sumNanoseconds, forKey: .sum)
  }

  /// Throws for counts that no histogram has.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    let pairs = try container.decode([UInt64].self, forKey: .pairs)
    guard !pairs.isEmpty else { return }
    makeRoom()
    for start in stride(from: 0, to: pairs.count, by: 2) {
      guard start + 1 < pairs.count, pairs[start] < UInt64(counts.count) else {
        throw Self.malformed(container)
      }
      counts[Int(pairs[start])] = pairs[start + 1]
      let (sum, overflow) = count.addingReportingOverflow(pairs[start + 1])
      guard !overflow else { throw Self.malformed(container) }
      count = sum
    }
    maxNanoseconds = try container.decode(UInt64.self, forKey: .max)
    minNanoseconds = try container.decode(UInt64.self, forKey: .min)
    sumNanoseconds = try container.decode(Double.self, forKey: .sum)
    let isWhole = try container.decode(UInt64.self, forKey: .count) == count
    guard isWhole, minNanoseconds <= maxNanoseconds,
      counts[used].reduce(0, &+) == count
    else { throw Self.malformed(container) }
  }

  private static func malformed(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) -> DecodingError {
    .dataCorruptedError(forKey: .pairs, in: container, debugDescription: "no histogram")
  }
}
