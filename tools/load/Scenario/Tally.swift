import QuiverWire
import Synchronization

/// Counts the results of one role's calls of one method. Any thread may use it.
///
/// Results are added to the current second, which ``turn()`` closes, so that closing a second
/// copies nothing earlier.
final class Tally: Sendable {
  let role: String
  let method: String
  private let isCounting: Gate
  private let lateNanoseconds: UInt64
  private let state = Mutex(State())

  private struct State {
    var now = Counts()
    var all = Counts()
    var openCalls = 0
    var mostOpen = 0
    /// Calls without a reply: the number with the same times.
    var waiting: [Times: Int] = [:]
    /// Outcomes other than statuses, with their number.
    var notes: [String: UInt64] = [:]
    /// The text of the first failure.
    var firstFailure: String?
    /// The text of the first failure with each status code.
    var firstFailures: [UInt32: String] = [:]
    var outage = OutageCounter()
  }

  private struct Times: Hashable {
    let intended: UInt64
    let sent: UInt64
  }

  /// The counts of some time.
  struct Counts: Sendable {
    var summary = Summary()
    var firstMessages = Histogram?.none
    var gaps = Histogram?.none
    /// From the scorer's reply to the subscriber's message, and from the scorer's sending.
    var sinceAnswer = Histogram?.none
    var sinceSending = Histogram?.none

    mutating func merge(_ other: Counts) {
      summary.merge(other.summary)
      Self.merge(&firstMessages, other.firstMessages)
      Self.merge(&gaps, other.gaps)
      Self.merge(&sinceAnswer, other.sinceAnswer)
      Self.merge(&sinceSending, other.sinceSending)
    }

    private static func merge(_ one: inout Histogram?, _ other: Histogram?) {
      guard let other else { return }
      one = one ?? Histogram()
      one?.merge(other)
    }

    mutating func countLate(intended: UInt64, sent: UInt64, lateNanoseconds: UInt64) {
      if sent != intended { summary.lag.record(nanoseconds: sent &- intended) }
      if sent &- intended > lateNanoseconds { summary.late &+= 1 }
    }

    mutating func succeed(intended: UInt64, sent: UInt64, now: UInt64) {
      summary.latency.record(nanoseconds: now &- intended)
      summary.service.record(nanoseconds: now &- sent)
      summary.succeeded &+= 1
    }

    static func record(_ histogram: inout Histogram?, _ nanoseconds: UInt64) {
      if histogram == nil { histogram = Histogram() }
      histogram?.record(nanoseconds: nanoseconds)
    }
  }

  /// All counts.
  struct Result: Sendable {
    let role: String
    let method: String
    var counts: Counts
    var mostOpen: Int
    var notes: [String: UInt64]
    var firstFailure: String?
    var firstFailures: [UInt32: String]
    var series = Series()
  }

  /// Whether calls count. A call counts by its due time: not if it was due during the warm-up, or
  /// while the run waits for the last replies.
  final class Gate: Sendable {
    private let start = Atomic(UInt64.max)
    private let end = Atomic(UInt64.max)

    func open(from time: UInt64 = 0) {
      end.store(.max, ordering: .relaxed)
      start.store(time, ordering: .relaxed)
    }

    /// Calls that are due from now on do not count.
    func rest(from time: UInt64) { end.store(time, ordering: .relaxed) }

    func close() { start.store(.max, ordering: .relaxed) }

    var lets: Bool { start.load(ordering: .relaxed) != .max }

    func lets(_ intended: UInt64) -> Bool {
      intended >= start.load(ordering: .relaxed) && !isLate(intended)
    }

    func isLate(_ intended: UInt64) -> Bool { intended >= end.load(ordering: .relaxed) }
  }

  /// - Parameter lateSeconds: a call of an open loop that is sent later than this after its due
  /// time counts as late.
  init(role: String, method: String, counting: Gate, lateSeconds: Double = 0.01) {
    self.role = role
    self.method = method
    lateNanoseconds = LoadRun.nanoseconds(lateSeconds)
    isCounting = counting
  }

  /// A stream or a connection, which may stay open, has begun.
  func began() { state.withLock { Self.opened(&$0) } }

  /// A call has begun, and the run waits for its reply.
  func began(intended: UInt64, sent: UInt64) {
    state.withLock { state in
      Self.opened(&state)
      state.waiting[Times(intended: intended, sent: sent), default: 0] += 1
    }
  }

  private static func opened(_ state: inout State) {
    state.openCalls += 1
    state.mostOpen = max(state.mostOpen, state.openCalls)
  }

  /// A stream or a connection has ended without a count.
  func left() { state.withLock { $0.openCalls -= 1 } }

  /// A call was cancelled, and does not count.
  func left(intended: UInt64, sent: UInt64) {
    state.withLock { state in
      state.openCalls -= 1
      Self.removeWaiting(Times(intended: intended, sent: sent), &state)
    }
  }

  private static func removeWaiting(_ times: Times, _ state: inout State) {
    guard let count = state.waiting[times] else { return }
    state.waiting[times] = count > 1 ? count - 1 : nil
  }

  /// Whether a call that counts has no reply yet.
  var isWaiting: Bool {
    state.withLock { state in state.waiting.keys.contains { !isCounting.isLate($0.intended) } }
  }

  /// Counts calls without a reply as unanswered, whenever they were sent.
  func giveUp(at now: UInt64) {
    state.withLock { state in
      for (times, count) in state.waiting where !isCounting.isLate(times.intended) {
        for _ in 0..<count {
          state.now.countLate(
            intended: times.intended, sent: times.sent, lateNanoseconds: lateNanoseconds)
          state.now.summary.unanswered &+= 1
        }
      }
      state.waiting = [:]
    }
  }

  /// A call has ended, successfully (nil) or with a failure.
  ///
  /// - Parameter isOpen: whether ``began()`` was called for it.
  func ended(
    intended: UInt64, sent: UInt64, now: UInt64, _ failure: (code: StatusCode, text: String)?,
    isOpen: Bool = true
  ) {
    state.withLock { state in
      if isOpen { state.openCalls -= 1 }
      Self.removeWaiting(Times(intended: intended, sent: sent), &state)
      guard isCounting.lets(intended) else { return }
      state.now.countLate(intended: intended, sent: sent, lateNanoseconds: lateNanoseconds)
      state.outage.record(now, isAnswer: failure.map { !Self.isOutage($0.code) } ?? true)
      if let failure {
        Self.fail(failure, &state)
      } else {
        state.now.succeed(intended: intended, sent: sent, now: now)
      }
    }
  }

  private static func fail(_ failure: (code: StatusCode, text: String), _ state: inout State) {
    state.now.summary.fail(failure.code)
    guard state.firstFailures[failure.code.rawValue] == nil else { return }
    let text = String(failure.text.prefix(300))
    state.firstFailures[failure.code.rawValue] = text
    if state.firstFailure == nil { state.firstFailure = text }
  }

  /// Whether a call with this code had no reply from the server.
  private static func isOutage(_ code: StatusCode) -> Bool {
    code == .unavailable || code == .deadlineExceeded
  }

  /// A stream that had a reply was interrupted: a failure without a time.
  func broke(_ failure: (code: StatusCode, text: String)) {
    state.withLock { state in
      state.openCalls -= 1
      guard isCounting.lets else { return }
      Self.fail(failure, &state)
    }
  }

  func notSent() {
    guard isCounting.lets else { return }
    state.withLock { $0.now.summary.unsent &+= 1 }
  }

  func message(sinceSent: UInt64, sinceLast: UInt64, isFirst: Bool) {
    guard isCounting.lets else { return }
    state.withLock { state in
      state.now.summary.messages &+= 1
      if isFirst {
        Counts.record(&state.now.firstMessages, sinceSent)
      } else {
        Counts.record(&state.now.gaps, sinceLast)
      }
    }
  }

  func delays(_ delays: [CommitLedger.Delay]) {
    guard isCounting.lets, !delays.isEmpty else { return }
    state.withLock { state in
      for delay in delays {
        Counts.record(&state.now.sinceAnswer, delay.sinceAnswer)
        Counts.record(&state.now.sinceSending, delay.sinceSending)
      }
    }
  }

  /// Counts an outcome by its name.
  func note(_ name: String) {
    guard isCounting.lets else { return }
    state.withLock { $0.notes[name, default: 0] &+= 1 }
  }

  /// Ends the second; returns its counts and the number of open calls.
  func turn() -> (counts: Counts, openCalls: Int) {
    state.withLock { state in
      let now = state.now
      state.all.merge(now)
      state.now = Counts()
      return (now, state.openCalls)
    }
  }

  /// All counts, including the current second.
  func result(series: Series) -> Result {
    state.withLock { state in
      state.all.merge(state.now)
      state.now = Counts()
      state.outage.end(Clock.nanoseconds())
      state.all.summary.outageSeconds = state.outage.seconds
      return Result(
        role: role, method: method, counts: state.all, mostOpen: state.mostOpen,
        notes: state.notes, firstFailure: state.firstFailure, firstFailures: state.firstFailures,
        series: series)
    }
  }
}
