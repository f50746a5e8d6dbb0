import QuiverWire

/// The result of a run, or of a second of one.
struct Summary: Sendable, Codable {
  /// From the due time of a call to its end; successful calls only.
  var latency = Histogram()
  /// From sending a call to its end; successful calls only.
  var service = Histogram()
  /// From the due time of a call to sending it, of calls of an open loop.
  var lag = Histogram()
  var succeeded: UInt64 = 0
  /// By status code.
  var failures: [UInt32: UInt64] = [:]
  /// Calls that were sent later than the threshold after their due time.
  var late: UInt64 = 0
  /// Calls that were not sent, because too many were open.
  var unsent: UInt64 = 0
  /// Sent, and without an answer at the end of the run; they are failures.
  var unanswered: UInt64 = 0
  /// Messages of reply streams.
  var messages: UInt64 = 0
  /// How long it went on, warm-up left out.
  var seconds: Double = 0
  /// Processor time of this process.
  var generatorSeconds: Double = 0
  /// The total length of the times in which calls were sent and none was answered.
  var outageSeconds: Double = 0

  var failed: UInt64 { failures.values.reduce(unanswered, &+) }
  var ended: UInt64 { succeeded &+ failed }
  var errorShare: Double { ended == 0 ? 0 : Double(failed) / Double(ended) }
  /// Whether more calls failed than succeeded.
  var mostlyFailed: Bool { failed > succeeded }
  var rate: Double { seconds > 0 ? Double(succeeded) / seconds : 0 }
  /// Share of what was meant to be sent that went out late or not at all.
  var lateShare: Double {
    let meant = ended &+ unsent
    return meant == 0 ? 0 : Double(late &+ unsent) / Double(meant)
  }

  mutating func merge(_ other: Summary) {
    latency.merge(other.latency)
    service.merge(other.service)
    lag.merge(other.lag)
    succeeded &+= other.succeeded
    failures.merge(other.failures, uniquingKeysWith: &+)
    late &+= other.late
    unsent &+= other.unsent
    unanswered &+= other.unanswered
    messages &+= other.messages
    outageSeconds = max(outageSeconds, other.outageSeconds)
  }

  /// A quantile of the latency in which a failed call is infinitely late, in microseconds.
  func latencyMicroseconds(at quantile: Double) -> Double {
    guard ended > 0, failed > 0 else { return latency.microseconds(at: quantile) }
    let rank = (quantile * Double(ended)).rounded(.up)
    guard rank <= Double(succeeded), quantile < 1 else { return .infinity }
    return latency.microseconds(at: min(1, rank / Double(succeeded)))
  }

  /// Counts a failure; codes that are not known count as UNKNOWN, so that there are 17 at most.
  mutating func fail(_ code: StatusCode) {
    failures[(code.isKnown ? code : .unknown).rawValue, default: 0] &+= 1
  }
}
