/// The tenths of a second in which calls were answered, to find the time without any answer.
struct AnswerTimeline: Sendable {
  static let slotNanoseconds: UInt64 = 100_000_000
  /// A shorter time without an answer is no outage.
  static let shortestOutageSeconds = 1.0
  /// An outage is longer than the mean time between calls, and than the median call, by this
  /// factor.
  static let outageFactor = 10.0

  /// The time of the first slot.
  var start: UInt64 = .max
  /// One bit a slot.
  private var words: [UInt64] = []

  /// Records an answer.
  mutating func record(_ now: UInt64) {
    guard now >= start else { return }
    let slot = Int((now &- start) / Self.slotNanoseconds)
    while words.count <= slot / 64 { words.append(0) }
    words[slot / 64] |= 1 << UInt64(slot % 64)
  }

  /// Adds the answers of another timeline with the same start.
  mutating func merge(_ other: AnswerTimeline) {
    start = min(start, other.start)
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }

  /// The total length of the times without an answer until `end` that are at least `shortest`
  /// seconds long.
  func outageSeconds(until end: UInt64, shortest: Double) -> Double {
    guard end > start else { return 0 }
    let count = Int((end &- start) / Self.slotNanoseconds)
    let slot = Double(Self.slotNanoseconds) / 1e9
    var total = 0.0
    var empty = 0
    func isAnswered(_ index: Int) -> Bool {
      index / 64 < words.count && words[index / 64] & 1 << UInt64(index % 64) != 0
    }
    for index in 0...count {
      if index < count, !isAnswered(index) {
        empty += 1
        continue
      }
      if Double(empty) * slot >= shortest { total += Double(empty) * slot }
      empty = 0
    }
    return total
  }

  /// The shortest outage of a run, in seconds.
  ///
  /// - Parameters:
  ///   - rate: calls a second of an open loop; nil in a closed loop.
  ///   - medianMicroseconds: of the successful calls.
  static func shortestOutage(rate: Double?, medianMicroseconds: Double) -> Double {
    max(
      shortestOutageSeconds, outageFactor / (rate ?? .infinity),
      outageFactor * medianMicroseconds / 1e6)
  }
}
