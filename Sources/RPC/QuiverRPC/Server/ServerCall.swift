/// A call that has come in whole, or whose first part has: what a handler is started with.
package struct ServerCall {
  package var stream: UInt32 = 0
  /// The place of the method in the ``Router``.
  package var route = 0
  /// Monotonic nanoseconds; 0: the call has no deadline.
  package var deadlineNanoseconds: UInt64 = 0
  package var head = RequestHead()
  /// The request of a call that takes one message; valid until the machine is asked for its next
  /// event.
  package var message = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The call's slot in the stream table is taken already.
  package var isOpen = false
}

@available(*, unavailable)
extension ServerCall: Sendable {}

/// What a ``ServerConnection`` asks of its transport.
package enum ServerEvent: Sendable {
  /// All bytes given are used up.
  case needsBytes
  /// The client's HELLO is in ``ServerConnection/hello``: call `authenticated` or
  /// `authenticationFailed`.
  case authenticate
  /// Start the handler of ``ServerConnection/call``.
  case call
  /// A message of a streaming call is in ``ServerConnection/message``.
  case message(stream: UInt32)
  /// The request side of a streaming call has ended.
  case requestEnded(stream: UInt32)
  /// Cancel the handler of a call; it still holds its slot until it returns.
  case cancelled(stream: UInt32)
  /// Flush what is queued, half-close, discard input for a moment, close.
  case closing
  /// Close at once, unanswered.
  case abort
}
