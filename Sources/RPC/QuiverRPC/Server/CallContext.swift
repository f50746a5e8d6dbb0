import QuiverProtobuf

/// The properties of a call that a handler can read, apart from the request.
public struct CallContext: Sendable {
  /// The connection that the call came on.
  package let connection: ConnectionInfo
  package let methodID: UInt32
  /// The number of the attempt, as the caller states it; 0: the first.
  public let attempt: UInt32
  /// Monotonic nanoseconds; 0: the call has no deadline.
  package let deadlineNanoseconds: UInt64
  /// The key under which the call has its effect once; nil: the caller sent none.
  public let idempotencyKey: IdempotencyKey?
  /// The request as it came; nil for calls without an idempotency key.
  private let requestBytes: [UInt8]?
  /// Of a watch: the last sequence that the caller has seen; 0: begin with a snapshot.
  package let afterSequence: Int64
  /// Of a watch: the epoch of the store that ``afterSequence`` is of.
  package let storeEpoch: UInt64
  private let extras: RequestHead.Extras?

  init(
    connection: ConnectionInfo, methodID: UInt32, attempt: UInt32, deadlineNanoseconds: UInt64,
    idempotencyKey: IdempotencyKey?, keyedRequest: [UInt8]?, afterSequence: Int64,
    storeEpoch: UInt64, extras: RequestHead.Extras?
  ) {
    self.connection = connection
    self.methodID = methodID
    self.attempt = attempt
    self.deadlineNanoseconds = deadlineNanoseconds
    self.idempotencyKey = idempotencyKey
    requestBytes = keyedRequest
    self.afterSequence = afterSequence
    self.storeEpoch = storeEpoch
    self.extras = extras
  }

  /// The request as it came, for calls that carry an idempotency key; else empty.
  package var keyedRequest: [UInt8] { requestBytes ?? [] }

  /// The principal that calls; nil where the method needs none and there is none.
  package var caller: Caller? { connection.caller }

  /// The request metadata.
  public var metadata: Metadata { extras?.metadata ?? Metadata() }

  /// W3C's trace context, 25 bytes; empty if the caller sent none.
  public var traceparent: [UInt8] { extras?.traceparent ?? [] }

  /// The span that the call's work belongs to; nil: it is not traced.
  package var span: (any CallSpan)? { extras?.span }

  /// Traces the call from here on. Only a call with a trace context can be traced.
  package func trace(by span: any CallSpan) { extras?.trace(by: span) }

  /// The time until the deadline in milliseconds, 0 if it has passed; nil without a deadline.
  public var timeLeftMilliseconds: UInt32? {
    guard deadlineNanoseconds != 0 else { return nil }
    let now = connection.reactor.nowNanoseconds
    guard deadlineNanoseconds > now else { return 0 }
    return UInt32(clamping: (deadlineNanoseconds - now + 999_999) / 1_000_000)
  }
}

/// What is known of a connection once its caller is authenticated.
package final class ConnectionInfo: Sendable {
  package let id: UInt64
  package let address: String
  package let caller: Caller?
  package let reactor: any Reactor

  package init(id: UInt64, address: String, caller: Caller?, reactor: any Reactor) {
    self.id = id
    self.address = address
    self.caller = caller
    self.reactor = reactor
  }
}
