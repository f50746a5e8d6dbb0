import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One call after another: when one has ended, the same object is sent again. Touched on its lane's
/// reactor alone.
// Sendable because of that.
final class LoadCall: CallObserver, @unchecked Sendable {
  /// Which owns its calls until it stops; what is open then keeps it to its end.
  private let lane: Lane
  private let call: ObservedCall
  /// When the call was meant to be sent, was sent, and last brought a message; monotonic
  /// nanoseconds.
  private var intended: UInt64 = 0
  private var sent: UInt64 = 0
  private var lastMessage: UInt64 = 0
  private var hasMessage = false
  /// Open, and without an answer.
  private var isWaiting = false

  init(_ lane: Lane) {
    self.lane = lane
    var options = ClientCall.HeadOptions()
    options.metadata = lane.plan.metadata
    // A request stream's messages come behind its head.
    let isStream = lane.plan.method.kind.clientStreams
    call = ObservedCall(
      method: lane.plan.method, message: isStream ? [] : lane.plan.request,
      deadlineNanoseconds: 0, options: options)
  }

  func send(intended: UInt64, now: UInt64) {
    self.intended = intended
    sent = now
    hasMessage = false
    isWaiting = true
    let timeout = lane.plan.timeoutNanoseconds
    call.reuse(
      deadlineNanoseconds: timeout == 0 ? 0 : now &+ timeout,
      idempotencyKey: lane.plan.method.isMutating ? lane.nextKey() : nil)
    call.observer = self
    lane.end.submit(call)
    guard call.method.kind.clientStreams else { return }
    // Through the end, which writes what is queued.
    lane.end.withMachine { [call, plan = lane.plan] machine in
      for _ in 0..<plan.messagesPerCall { _ = machine.send(call, plan.request) }
      machine.endRequest(call)
    }
  }

  /// Ends the call, if it is open: its lane goes.
  func giveUp() {
    lane.end.giveUp(call, RPCError(.cancelled, "the run is over", origin: .client))
  }

  /// Counts the call as unanswered, if it is.
  func countUnanswered(now: UInt64) {
    guard isWaiting else { return }
    settle()
    lane.recorder.unanswered(intended: intended, sent: sent, now: now)
  }

  private func settle() {
    guard isWaiting else { return }
    isWaiting = false
    lane.recorder.answered()
  }

  func ended() { ended(nil) }

  func failed(_ error: RPCError) { ended(error.code) }

  func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {
    let now = Clock.nanoseconds()
    lane.recorder.message(
      now: now, sinceSent: now &- sent, sinceLast: now &- lastMessage, isFirst: !hasMessage)
    // A stream may go on for ever.
    if call.method.kind.serverStreams { settle() }
    hasMessage = true
    lastMessage = now
    lane.end.connection.pointee.took(call, count: 1, charge: charge)
  }

  private func ended(_ code: StatusCode?) {
    let now = Clock.nanoseconds()
    settle()
    lane.recorder.ended(intended: intended, sent: sent, now: now, code)
    lane.ended(self, now: now, hasFailed: code != nil)
  }
}
