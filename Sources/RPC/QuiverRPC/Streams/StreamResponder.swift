public import QuiverProtobuf
import QuiverWire

/// The sending side of a call whose reply is a stream, for handlers that observe changes instead of
/// waiting for them in a task: watches.
///
/// A watch keeps its latest state as one value and makes a message only while `hasRoom` is true:
///
///     func stateChanged(_ state: State) {
///       latest = state
///       sendLatest()
///     }
///     func sendLatest() {  // also registered with onRoom(_:)
///       guard let state = latest, replies.hasRoom else { return }
///       latest = nil
///       _ = replies.send(encoded: message(of: state))
///     }
///
/// There is room while little is queued on the stream and the client has given credit for all of
/// it. A message that finds no memory for its caller's share ends the call RESOURCE_EXHAUSTED, and
/// so do queued messages that the client does not read for
/// `Limits.unreadTimeoutMilliseconds`. A responder that is released before the stream was ended
/// ends its call INTERNAL.
public final class StreamResponder<Response: Message>: Sendable {
  private let stream: ServerStream

  @usableFromInline
  init(_ stream: ServerStream) { self.stream = stream }

  deinit {
    stream.fail(RPCError(.internal, "the handler ended without an end of the stream"))
  }

  /// The reactor that the call lives on.
  package var reactor: any Reactor { stream.end.reactor }

  /// Whether a message should be made now, on the call's reactor only. Once it is false,
  /// `onRoom(_:)` runs when it has become true. False as well once the call is over.
  package var hasRoom: Bool { stream.end.hasRoom(stream.stream) }

  /// Sends a message, on the call's reactor only.
  ///
  /// Returns `full` where `hasRoom` is false from now on, and `over` where the call has ended and
  /// the message was dropped.
  package func send(encoded bytes: [UInt8]) -> SendResult {
    stream.end.send(stream.stream, encoded: bytes)
  }

  /// From now on there is room only when the client's application has taken every message that was
  /// sent, so that at most one state is ahead of it. On the call's reactor only.
  ///
  /// A client that does not return credit at once may be ahead by half of its window.
  package func sendOneStateAhead() { stream.end.sendOneStateAhead(stream.stream) }

  /// Sets what runs on the reactor whenever a stream without room has room again.
  package func onRoom(_ action: @escaping @Sendable () -> Void) { stream.onRoom(action) }

  /// Runs `action` on the reactor when the client gives the call up; at once if it has.
  package func onCancel(_ action: @escaping @Sendable () -> Void) { stream.onCancel(action) }

  /// Ends the call OK.
  package func finish() { stream.finish() }

  /// Ends the call with a status.
  @usableFromInline
  package func fail(_ error: RPCError) { stream.fail(error) }
}
