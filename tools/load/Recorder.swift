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
  private(set) var openCalls = 0
  /// Open calls that have no answer yet.
  private(set) var waiting = 0
  /// Calls that were meant to be sent before this are the warm-up's, and not counted.
  var countStart = UInt64.max

  static let lateNanoseconds: UInt64 = 1_000_000

  init(reactor: any Reactor) { self.reactor = reactor }

  func began() {
    openCalls += 1
    waiting += 1
  }

  /// A call has its answer, or of a reply stream its first message.
  func answered() { waiting -= 1 }

  /// A call has ended, with nil or the code that it failed with.
  func ended(intended: UInt64, sent: UInt64, now: UInt64, _ code: StatusCode?) {
    openCalls -= 1
    guard intended >= countStart else { return }
    time(intended: intended, sent: sent, now: now)
    if let code { total.fail(code) } else { total.succeeded &+= 1 }
  }

  /// A call has no answer, and is waited for no longer. It counts whenever it was sent.
  func unanswered(intended: UInt64, sent: UInt64, now: UInt64) {
    time(intended: intended, sent: sent, now: now)
    total.unanswered &+= 1
  }

  private func time(intended: UInt64, sent: UInt64, now: UInt64) {
    total.latency.record(nanoseconds: now &- intended)
    total.service.record(nanoseconds: now &- sent)
    if sent &- intended > Self.lateNanoseconds { total.late &+= 1 }
  }

  func notSent(intended: UInt64) {
    if intended >= countStart { total.unsent &+= 1 }
  }

  /// A message has come at `now`.
  func message(now: UInt64, sinceSent: UInt64, sinceLast: UInt64, isFirst: Bool) {
    guard now >= countStart else { return }
    total.messages &+= 1
    if isFirst {
      firstMessages.record(nanoseconds: sinceSent)
    } else {
      gaps.record(nanoseconds: sinceLast)
    }
  }
}
