/// What came to pass from one second to the next, or over a few seconds of a long run.
struct Interval: Sendable {
  /// When it ended, in seconds since the start.
  var number: Int
  /// How many seconds it covers.
  var seconds = 1
  var isWarmUp = false
  var succeeded: UInt64 = 0
  var failed: UInt64 = 0
  var late: UInt64 = 0
  var unsent: UInt64 = 0
  var messages: UInt64 = 0
  /// Of the latency, in the order of ``quantiles``, in microseconds. Where seconds were put
  /// together, the largest of theirs.
  var microseconds = [Double](repeating: 0, count: quantiles.count)
  var openCalls = 0
  /// Processor time of this process, in seconds a second.
  var generatorShare = 0.0

  static let quantiles = [0.5, 0.9, 0.99, 0.999, 1]

  init(number: Int) { self.number = number }

  init(
    number: Int, isWarmUp: Bool = false, summary: Summary, openCalls: Int, generatorShare: Double
  ) {
    self.number = number
    self.isWarmUp = isWarmUp
    succeeded = summary.succeeded
    failed = summary.failed
    late = summary.late
    unsent = summary.unsent
    messages = summary.messages
    microseconds = Self.quantiles.map { summary.latency.microseconds(at: $0) }
    self.openCalls = openCalls
    self.generatorShare = generatorShare
  }

  var p50: Double { microseconds[0] }
  var p99: Double { microseconds[2] }
  var max: Double { microseconds[4] }

  /// A figure that was counted, a second.
  func rate(_ count: UInt64) -> Double { Double(count) / Double(seconds) }

  /// This and what came after it as one.
  func joined(_ next: Interval) -> Interval {
    var result = next
    result.seconds = seconds + next.seconds
    result.succeeded &+= succeeded
    result.failed &+= failed
    result.late &+= late
    result.unsent &+= unsent
    result.messages &+= messages
    result.microseconds = zip(microseconds, next.microseconds).map { Swift.max($0, $1) }
    result.openCalls = Swift.max(openCalls, next.openCalls)
    result.generatorShare =
      (generatorShare * Double(seconds) + next.generatorShare * Double(next.seconds))
      / Double(result.seconds)
    return result
  }
}

/// The intervals of a run, of which there are never more than ``maximumCount``: from then on two
/// and two are put together, and each covers twice as long.
struct Series: Sendable {
  static let maximumCount = 3_600

  private(set) var intervals: [Interval] = []
  private var width = 1

  mutating func append(_ second: Interval) {
    if let last = intervals.last, last.seconds < width {
      intervals[intervals.count - 1] = last.joined(second)
      return
    }
    if intervals.count == Self.maximumCount {
      intervals = stride(from: 0, to: intervals.count, by: 2).map {
        $0 + 1 < intervals.count ? intervals[$0].joined(intervals[$0 + 1]) : intervals[$0]
      }
      width *= 2
    }
    intervals.append(second)
  }
}
