/// The figures of one second, or of a few seconds of a long run.
struct Interval: Sendable {
  /// Its end in seconds since the start.
  var number: Int
  /// The number of seconds that it covers.
  var seconds = 1
  var isWarmUp = false
  var succeeded: UInt64 = 0
  var failed: UInt64 = 0
  var late: UInt64 = 0
  var unsent: UInt64 = 0
  var messages: UInt64 = 0
  /// A latency in microseconds. Joined seconds have the largest value.
  var p50 = 0.0
  var p90 = 0.0
  var p99 = 0.0
  var p999 = 0.0
  var max = 0.0
  var openCalls = 0
  /// Failures by status code.
  var failures: [UInt32: UInt64] = [:]
  /// How late the generator sent: the p99 in microseconds. 0 in a closed loop.
  var lag = 0.0
  /// The processor time of this process, in seconds per second.
  var generatorShare = 0.0

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
    p50 = summary.latency.microseconds(at: 0.5)
    p90 = summary.latency.microseconds(at: 0.9)
    p99 = summary.latency.microseconds(at: 0.99)
    p999 = summary.latency.microseconds(at: 0.999)
    max = summary.latency.microseconds(at: 1)
    failures = summary.failures
    lag = summary.lag.microseconds(at: 0.99)
    self.openCalls = openCalls
    self.generatorShare = generatorShare
  }

  /// A count per second.
  func rate(_ count: UInt64) -> Double { Double(count) / Double(seconds) }

  /// This interval and the next one joined.
  func joined(_ next: Interval) -> Interval {
    var result = next
    result.seconds = seconds + next.seconds
    result.succeeded &+= succeeded
    result.failed &+= failed
    result.late &+= late
    result.unsent &+= unsent
    result.messages &+= messages
    result.failures.merge(failures, uniquingKeysWith: &+)
    result.lag = Swift.max(lag, next.lag)
    result.p50 = Swift.max(p50, next.p50)
    result.p90 = Swift.max(p90, next.p90)
    result.p99 = Swift.max(p99, next.p99)
    result.p999 = Swift.max(p999, next.p999)
    result.max = Swift.max(max, next.max)
    result.openCalls = Swift.max(openCalls, next.openCalls)
    result.generatorShare =
      (generatorShare * Double(seconds) + next.generatorShare * Double(next.seconds))
      / Double(result.seconds)
    return result
  }
}

/// The intervals of a run, at most ``maximumCount``: above that, pairs are joined, and each covers
/// twice as long.
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
