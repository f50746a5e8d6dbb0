import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One call at a time: when it has ended, the same object is sent again. Only its connection's
/// reactor uses it.
// Sendable because of that.
final class LoadCall: CallObserver, @unchecked Sendable {
  /// Owns its calls until it stops; afterwards an open call retains it until its end.
  private let connection: LoadConnection
  private let call: ObservedCall
  /// When the call was due, was sent, and last received a message; monotonic nanoseconds.
  private var intended: UInt64 = 0
  private var sent: UInt64 = 0
  private var lastMessage: UInt64 = 0
  private var hasMessage = false
  /// Open and without a reply.
  private var isWaiting = false

  init(_ connection: LoadConnection) {
    self.connection = connection
    var options = ClientCall.HeadOptions()
    options.metadata = connection.plan.metadata
    // The messages of a request stream follow its head.
    let isStream = connection.plan.method.kind.clientStreams
    call = ObservedCall(
      method: connection.plan.method, message: isStream ? [] : connection.plan.request,
      deadlineNanoseconds: 0, options: options)
  }

  func send(intended: UInt64, now: UInt64) {
    self.intended = intended
    sent = now
    hasMessage = false
    isWaiting = true
    let timeout = connection.plan.timeoutNanoseconds
    call.reuse(
      deadlineNanoseconds: timeout == 0 ? 0 : now &+ timeout,
      idempotencyKey: connection.plan.method.isMutating ? connection.nextKey() : nil)
    call.observer = self
    connection.end.submit(call)
    guard call.method.kind.clientStreams else { return }
    // Through the end, which writes queued output.
    connection.end.withMachine { [call, plan = connection.plan] machine in
      for _ in 0..<plan.messagesPerCall { _ = machine.send(call, plan.request) }
      machine.endRequest(call)
    }
  }

  /// Ends the call if it is open, because its connection closes.
  func giveUp() {
    connection.end.giveUp(call, RPCError(.cancelled, "the run is over", origin: .client))
  }

  /// Counts the call as unanswered if it is.
  func countUnanswered() {
    guard isWaiting else { return }
    recordAnswer()
    connection.recorder.unanswered(intended: intended, sent: sent)
  }

  private func recordAnswer() {
    guard isWaiting else { return }
    isWaiting = false
    connection.recorder.answered()
  }

  func ended() { ended(nil) }

  func failed(_ error: RPCError) { ended(error) }

  func received(_ bytes: UnsafeRawBufferPointer, charge: UInt64) {
    let now = Clock.nanoseconds()
    connection.recorder.message(
      now: now, sinceSent: now &- sent, sinceLast: now &- lastMessage, isFirst: !hasMessage)
    // A stream may be endless.
    if call.method.kind.serverStreams { recordAnswer() }
    hasMessage = true
    lastMessage = now
    connection.end.connection.pointee.took(call, count: 1, charge: charge)
  }

  private func ended(_ error: RPCError?) {
    let now = Clock.nanoseconds()
    recordAnswer()
    connection.recorder.ended(intended: intended, sent: sent, now: now, error)
    connection.ended(self, now: now, hasFailed: error != nil)
  }
}
