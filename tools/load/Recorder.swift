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
  /// Whether what ends is counted: the warm-up is not.
  var isCounting = false

  static let lateNanoseconds: UInt64 = 1_000_000

  init(reactor: any Reactor) { self.reactor = reactor }

  func began() { openCalls += 1 }

  /// A call has ended, with nil or the code that it failed with.
  func ended(intended: UInt64, sent: UInt64, now: UInt64, _ code: StatusCode?) {
    openCalls -= 1
    guard isCounting else { return }
    total.latency.record(nanoseconds: now &- intended)
    total.service.record(nanoseconds: now &- sent)
    if sent &- intended > Self.lateNanoseconds { total.late &+= 1 }
    if let code { total.fail(code) } else { total.succeeded &+= 1 }
  }

  func notSent() {
    if isCounting { total.unsent &+= 1 }
  }

  func message(sinceSent: UInt64, sinceLast: UInt64, isFirst: Bool) {
    guard isCounting else { return }
    total.messages &+= 1
    if isFirst {
      firstMessages.record(nanoseconds: sinceSent)
    } else {
      gaps.record(nanoseconds: sinceLast)
    }
  }
}
