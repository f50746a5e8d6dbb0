import QuiverWire

/// What a run, or a second of one, came to.
struct Summary: Sendable {
  /// From the moment when a call was meant to be sent to its end, calls that failed or ran out of
  /// time among them.
  var latency = Histogram()
  /// From the moment when it was sent.
  var service = Histogram()
  var succeeded: UInt64 = 0
  /// By status code.
  var failures: [UInt32: UInt64] = [:]
  /// Sent more than a millisecond after they were meant to be.
  var late: UInt64 = 0
  /// Never sent, since too many were open already.
  var unsent: UInt64 = 0
  /// Sent, and without an answer when the run gave up waiting: failures, whose latency is at least
  /// the time that they had waited by then.
  var unanswered: UInt64 = 0
  /// Messages of reply streams.
  var messages: UInt64 = 0
  /// How long it went on, warm-up left out.
  var seconds: Double = 0
  /// Processor time of this process.
  var generatorSeconds: Double = 0

  var failed: UInt64 { failures.values.reduce(unanswered, &+) }
  var ended: UInt64 { succeeded &+ failed }
  var errorShare: Double { ended == 0 ? 0 : Double(failed) / Double(ended) }
  var rate: Double { seconds > 0 ? Double(succeeded) / seconds : 0 }
  /// Share of what was meant to be sent that went out late or not at all.
  var lateShare: Double {
    let meant = ended &+ unsent
    return meant == 0 ? 0 : Double(late &+ unsent) / Double(meant)
  }

  mutating func merge(_ other: Summary) {
    latency.merge(other.latency)
    service.merge(other.service)
    succeeded &+= other.succeeded
    failures.merge(other.failures, uniquingKeysWith: &+)
    late &+= other.late
    unsent &+= other.unsent
    unanswered &+= other.unanswered
    messages &+= other.messages
  }

  mutating func fail(_ code: StatusCode) { failures[code.rawValue, default: 0] &+= 1 }
}
