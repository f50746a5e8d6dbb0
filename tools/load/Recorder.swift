import QuiverRPC
import QuiverWire

/// Counts what the calls of one reactor come to. Touched on that reactor alone.
// Sendable because of that.
final class Recorder: @unchecked Sendable {
  let reactor: any Reactor
  private(set) var total = Summary()
  /// Of reply streams: from sending to the first message, and between two messages.
  private(set) var firstMessages = Histogram()
  private(set) var gaps = Histogram()
  /// When calls were answered.
  private(set) var answers = AnswerTimeline()
  private(set) var openCalls = 0
  /// Open calls that have no answer yet.
  private(set) var waiting = 0
  /// Calls that were meant to be sent earlier belong to the warm-up and are not counted.
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

  /// A call has its answer, or of a reply stream its first message.
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

  /// A call has no answer, and is waited for no longer. It counts whenever it was sent.
  func unanswered(intended: UInt64, sent: UInt64) {
    countLate(intended: intended, sent: sent)
    total.unanswered &+= 1
  }

  private func countLate(intended: UInt64, sent: UInt64) {
    if sent &- intended > lateNanoseconds { total.late &+= 1 }
  }

  func notSent(intended: UInt64) {
    if intended >= countStart { total.unsent &+= 1 }
  }

  /// A message has come at `now`.
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
