package import QuiverProtobuf
import QuiverWire
import Synchronization

/// Where a call may be sent once more when its connection ended before it was processed.
package protocol CallRoute: AnyObject, Sendable {
  /// The end that takes calls now.
  func end() throws(RPCError) -> ClientEnd
}

/// A call and the task that waits for it, the client's counterpart of ``Responder``.
///
/// The task is resumed once, by whoever takes the continuation out of the state first. Subclasses
/// know how a reply is read.
// Sendable because what is its own is behind a lock; for the rest see `ClientCall`.
package class PendingCall<Value: Sendable>: ClientCall, @unchecked Sendable {
  package typealias Outcome = Result<Reply<Value>, RPCError>
  typealias Continuation = UnsafeContinuation<Outcome, Never>

  private let route: any CallRoute
  private let state = Mutex(State())

  private struct State {
    var continuation: Continuation?
    /// Where the call was sent.
    var end: ClientEnd?
    /// The same call on another connection.
    var successor: PendingCall?
    var isCancelled = false
  }

  package init(
    _ method: MethodInfo, message: [UInt8], deadlineNanoseconds: UInt64,
    idempotencyKey: IdempotencyKey?, metadata: Metadata, route: any CallRoute
  ) {
    self.route = route
    super.init(
      method: method, message: message, deadlineNanoseconds: deadlineNanoseconds,
      idempotencyKey: idempotencyKey, attempt: 0, metadata: metadata)
  }

  /// The same call once more.
  init(after other: PendingCall) {
    route = other.route
    super.init(retrying: other)
  }

  /// The reply's value.
  func read(
    _ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder
  ) throws(DecodeError) -> Value {
    preconditionFailure("a call must know how its reply is read")
  }

  /// The same call once more, as the subclass makes it.
  func retried() -> PendingCall { preconditionFailure("a call must know how it is made again") }

  /// Sends the call to `end` and waits for how it ends; cancelling the task gives the call up.
  package final func outcome(on end: ClientEnd) async -> Outcome {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { start($0, on: end) }
    } onCancel: {
      cancel()
    }
  }

  private func start(_ continuation: Continuation, on end: ClientEnd) {
    let isCancelled = state.withLock { state in
      guard !state.isCancelled else { return true }
      state.continuation = continuation
      state.end = end
      return false
    }
    guard !isCancelled else {
      var error = Self.cancelled
      error.isNotProcessed = true
      return continuation.resume(returning: .failure(error))
    }
    end.submit(self)
  }

  private func cancel() {
    let (end, successor) = state.withLock { state in
      state.isCancelled = true
      return (state.end, state.successor)
    }
    if let successor {
      successor.cancel()
    } else {
      // The machine says whether the call was sent. Without an end, `start` finds the mark.
      end?.giveUp(self, Self.cancelled)
    }
  }

  private static var cancelled: RPCError {
    RPCError(.cancelled, "the task that made the call was cancelled", origin: .client)
  }

  // MARK: On the reactor

  package override final func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    do throws(DecodeError) {
      let reply = Reply(
        message: try read(bytes, coder), initialMetadata: initialMetadata,
        trailingMetadata: trailingMetadata)
      resume(.success(reply))
    } catch {
      resume(
        .failure(
          RPCError(.internal, "the reply does not decode: \(error)", origin: .client)))
    }
  }

  package override final func failed(_ error: RPCError) {
    if retry(after: error) { return }
    resume(.failure(error))
  }

  /// Sends the call once more if it certainly had no effect because its connection ended, and
  /// answers whether it did.
  private func retry(after error: RPCError) -> Bool {
    guard attempt == 0, error.code == .unavailable, error.origin == .connection,
      error.isNotProcessed, let end = state.withLock({ $0.end }), end.mayRetryElsewhere,
      let other = try? route.end()
    else { return false }
    let next = retried()
    let continuation: Continuation? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.successor = next
      defer { state.continuation = nil }
      return state.continuation
    }
    guard let continuation else { return false }
    next.start(continuation, on: other)
    return true
  }

  private func resume(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }
}

/// A call whose reply is a message.
package final class UnaryCall<Response: Message>: PendingCall<Response>, @unchecked Sendable {
  override func read(
    _ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder
  ) throws(DecodeError) -> Response {
    try coder.decode(Response.self, from: bytes)
  }

  override func retried() -> PendingCall<Response> { UnaryCall(after: self) }
}

/// A call whose reply stays as it came.
package final class EncodedCall: PendingCall<[UInt8]>, @unchecked Sendable {
  override func read(_ bytes: UnsafeRawBufferPointer, _ coder: MessageCoder) -> [UInt8] {
    Array(bytes)
  }

  override func retried() -> PendingCall<[UInt8]> { EncodedCall(after: self) }
}
