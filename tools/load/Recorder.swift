import QuiverRPC
import QuiverWire

/// Counts the results of one reactor's calls. Only that reactor uses it.
// Sendable because of that.
final class Recorder: @unchecked Sendable {
  let reactor: any Reactor
  private(set) var total = Summary()
  /// For reply streams: the time to the first message, and between messages.
  private(set) var firstMessages = Histogram()
  private(set) var gaps = Histogram()
  /// The times of replies.
  private(set) var answers = AnswerTimeline()
  private(set) var openCalls = 0
  /// Open calls without a reply.
  private(set) var waiting = 0
  /// Calls that were due earlier belong to the warm-up and do not count.
  var countStart = UInt64.max { didSet { answers.start = countStart } }
  private let lateNanoseconds: UInt64

  static let lateNanoseconds: UInt64 = 1_000_000

  init(reactor: any Reactor, lateNanoseconds: UInt64 = Recorder.lateNanoseconds) {
    self.reactor = reactor
    self.lateNanoseconds = lateNanoseconds
  }

  func began() {
    openCalls += 1
    waiting += 1
  }

  /// A call has its reply, or the first message of its reply stream.
  func answered() { waiting -= 1 }

  /// A call has ended.
  ///
  /// - Parameter error: nil if it succeeded.
  func ended(intended: UInt64, sent: UInt64, now: UInt64, _ error: RPCError?) {
    openCalls -= 1
    if error == nil || error?.origin == .server { answers.record(now) }
    guard intended >= countStart else { return }
    countLate(intended: intended, sent: sent)
    if let error {
      total.fail(error.code)
    } else {
      total.latency.record(nanoseconds: now &- intended)
      total.service.record(nanoseconds: now &- sent)
      total.succeeded &+= 1
    }
  }

  /// A call without a reply is not waited for any more. It counts whenever it was sent.
  func unanswered(intended: UInt64, sent: UInt64) {
    countLate(intended: intended, sent: sent)
    total.unanswered &+= 1
  }

  private func countLate(intended: UInt64, sent: UInt64) {
    if sent != intended { total.lag.record(nanoseconds: sent &- intended) }
    if sent &- intended > lateNanoseconds { total.late &+= 1 }
  }

  func notSent(intended: UInt64) {
    if intended >= countStart { total.unsent &+= 1 }
  }

  /// A message arrived at `now`.
  func message(now: UInt64, sinceSent: UInt64, sinceLast: UInt64, isFirst: Bool) {
    answers.record(now)
    guard now >= countStart else { return }
    total.messages &+= 1
    if isFirst {
      firstMessages.record(nanoseconds: sinceSent)
    } else {
      gaps.record(nanoseconds: sinceLast)
    }
  }
}
