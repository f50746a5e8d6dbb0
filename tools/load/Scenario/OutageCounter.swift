/// Adds up the times in which calls failed and none was answered.
struct OutageCounter: Sendable {
  private var lastAnswer: UInt64?
  private var hasFailed = false
  private var total = 0.0

  /// The total length in seconds of the outages that have ended.
  var seconds: Double { total }

  /// Records the end of a call.
  mutating func record(_ now: UInt64, isAnswer: Bool) {
    let last = lastAnswer ?? now
    guard isAnswer else {
      lastAnswer = last
      hasFailed = true
      return
    }
    let gap = now > last ? Double(now &- last) / 1e9 : 0
    if hasFailed, gap >= AnswerTimeline.shortestOutageSeconds { total += gap }
    hasFailed = false
    lastAnswer = max(last, now)
  }

  /// Ends an outage that lasts until the end of the run.
  mutating func end(_ now: UInt64) { if hasFailed { record(now, isAnswer: true) } }
}
