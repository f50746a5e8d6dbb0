package import QuiverProtobuf
import QuiverWire
import Synchronization

/// A call and the task that waits for it, the client's counterpart of ``Responder``.
///
/// It is its own first attempt; later ones are made as its route grants them. The task is resumed
/// once, by the first to take the continuation out of the state. Subclasses know how a reply is
/// read.
// Sendable because what is its own is behind a lock; for the rest see `ClientCall`.
package class PendingCall<Value: Sendable>: ClientCall, @unchecked Sendable {
  package typealias Outcome = Result<Reply<Value>, RPCError>
  typealias Continuation = UnsafeContinuation<Outcome, Never>

  fileprivate final let route: any CallRoute
  private let state = Mutex(State())

  private struct State {
    var continuation: Continuation?
    /// The attempt under way; nil: the first one, which is the call itself.
    var attempt: ClientCall?
    var history = CallHistory()
    var isCancelled = false
  }

  package init(
    _ method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64, options: HeadOptions,
    route: any CallRoute
  ) {
    self.route = route
    super.init(
      method: method, message: message, deadlineNanoseconds: deadlineNanoseconds, options: options)
  }

  /// The number of attempts so far, from 1.
  package final var attemptCount: Int { state.withLock { 1 + Int(clamping: $0.history.attempt) } }

  /// The reply's value.
  func read(
    _ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder
  ) throws(DecodeError) -> Value {
    preconditionFailure("a call must know how its reply is read")
  }

  /// Sends the call and waits for how it ends; cancelling the task gives the call up.
  package final func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { start($0) }
    } onCancel: {
      cancel()
    }
  }

  /// Sends the call; ``ended(_:)`` receives how it ends. For calls that no task awaits.
  package final func send() { route.send(self) }

  private func start(_ continuation: Continuation) {
    let isCancelled = state.withLock { state in
      guard !state.isCancelled else { return true }
      state.continuation = continuation
      return false
    }
    guard !isCancelled else {
      var error = Self.cancelled
      error.isNotProcessed = true
      return continuation.resume(returning: .failure(error))
    }
    route.send(self)
  }

  /// Gives the call up: it ends CANCELLED, unless it has ended. May be called from any thread.
  package final func cancel() {
    let attempt = state.withLock { state in
      state.isCancelled = true
      return state.attempt
    }
    // The connection determines whether the call was sent.
    route.giveUp(attempt ?? self, Self.cancelled)
  }

  private static var cancelled: RPCError {
    RPCError(.cancelled, "the task that made the call was cancelled", origin: .client)
  }

  // MARK: On the reactor

  package override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    answered(self, bytes, coder)
  }

  package override final func receivedTrailing() { route.received(trailing: trailingMetadata) }

  package override final func failed(_ error: RPCError) { attemptFailed(self, error) }

  fileprivate final func answered(
    _ attempt: ClientCall, _ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder
  ) {
    route.succeeded()
    do throws(DecodeError) {
      let reply = Reply(
        message: try read(bytes, coder), initialMetadata: attempt.initialMetadata,
        trailingMetadata: attempt.trailingMetadata)
      ended(.success(reply))
    } catch {
      ended(
        .failure(
          RPCError(.internal, "the reply does not decode: \(error)", origin: .client)))
    }
  }

  /// An attempt has failed, and so has the call unless its route lets it be sent again.
  fileprivate final func attemptFailed(_ attempt: ClientCall, _ error: RPCError) {
    // One attempt at a time: nobody else changes the history.
    var history = state.withLock { $0.history }
    let resending = route.resending(attempt, after: error, &history)
    if case .no = resending { return ended(.failure(history.ending(with: error))) }
    let next = LaterAttempt(of: self, after: attempt, attempt: history.attempt)
    let isWanted = state.withLock { state in
      state.history = history
      guard !state.isCancelled else { return false }
      state.attempt = next
      return true
    }
    guard isWanted else {
      var error = Self.cancelled
      error.isNotProcessed = !history.mayHaveRun
      return ended(.failure(error))
    }
    if case .at(let due) = resending {
      route.send(next, atNanoseconds: due)
    } else {
      route.send(next)
    }
  }

  /// The call has ended, with `outcome`: resumes the task that awaits it.
  package func ended(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }
}

/// The second and any further attempt at a call.
// Sendable as its superclass is.
private final class LaterAttempt<Value: Sendable>: ClientCall, @unchecked Sendable {
  private let call: PendingCall<Value>

  init(of call: PendingCall<Value>, after other: ClientCall, attempt: UInt32) {
    self.call = call
    super.init(again: other, attempt: attempt)
  }

  override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    call.answered(self, bytes, coder)
  }

  override func receivedTrailing() { call.route.received(trailing: trailingMetadata) }

  override func failed(_ error: RPCError) { call.attemptFailed(self, error) }
}

/// A call whose reply is a message.
package final class UnaryCall<Response: Message>: PendingCall<Response>, @unchecked Sendable {
  override func read(
    _ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder
  ) throws(DecodeError) -> Response {
    try coder.decode(Response.self, from: bytes)
  }
}

/// A call whose reply stays as it came.
package final class EncodedCall: PendingCall<[UInt8]>, @unchecked Sendable {
  override func read(_ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder) -> [UInt8] {
    Array(bytes)
  }
}

/// A reply as it came.
package struct ReceivedReply {
  /// The encoded message; valid during the call that is handed them.
  package let bytes: UnsafeRawBufferPointer
  package let initialMetadata: Metadata
  package let trailingMetadata: Metadata

  /// The reply with a copy of its bytes.
  package var kept: Reply<[UInt8]> {
    Reply(
      message: Array(bytes), initialMetadata: initialMetadata, trailingMetadata: trailingMetadata)
  }
}

/// A call whose reply stays as it came, and whose outcome goes to a closure.
package final class ReportedCall: PendingCall<[UInt8]>, @unchecked Sendable {
  package typealias Report = @Sendable (Result<ReceivedReply, RPCError>) -> Void

  private let report: Mutex<Receiver?>

  /// A closure in a structure, which generic code hands on as it is.
  private struct Receiver {
    let report: Report
  }

  /// - Parameter report: receives the outcome once, on the reactor of the connection or on another
  ///   thread.
  package init(
    _ method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64, options: HeadOptions,
    route: any CallRoute, report: @escaping Report
  ) {
    self.report = Mutex(Receiver(report: report))
    super.init(
      method, message: message, deadlineNanoseconds: deadlineNanoseconds, options: options,
      route: route)
  }

  override func read(_ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder) -> [UInt8] {
    Array(bytes)
  }

  /// The same as for other calls, without the metadata of generic types and the copy of the reply
  /// that it costs them.
  package override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    route.succeeded()
    takeReport()?(
      .success(
        ReceivedReply(
          bytes: bytes, initialMetadata: initialMetadata, trailingMetadata: trailingMetadata)))
  }

  package override func ended(_ outcome: Outcome) {
    guard let report = takeReport() else { return }
    switch outcome {
    case .success(let reply):
      reply.message.withUnsafeBytes {
        report(
          .success(
            ReceivedReply(
              bytes: $0, initialMetadata: reply.initialMetadata,
              trailingMetadata: reply.trailingMetadata)))
      }
    case .failure(let error): report(.failure(error))
    }
  }

  private func takeReport() -> Report? {
    report.withLock { report in
      defer { report = nil }
      return report
    }?.report
  }
}
