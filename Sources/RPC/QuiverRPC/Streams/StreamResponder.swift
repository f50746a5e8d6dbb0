public import QuiverProtobuf
import QuiverWire

/// The sending side of a call whose reply is a stream, for handlers that observe changes and
/// not tasks that wait for them: watches.
///
/// What is sent is never queued without bound: ``send(encoded:)`` answers whether the stream takes
/// more, and who is told that it does not waits for ``onRoom(_:)``. A responder that is released
/// before the stream was ended ends its call INTERNAL.
public final class StreamResponder<Response: Message>: Sendable {
  private let stream: ServerStream

  @usableFromInline
  init(_ stream: ServerStream) { self.stream = stream }

  deinit {
    stream.fail(RPCError(.internal, "the handler ended without an end of the stream"))
  }

  /// The reactor that the call lives on.
  package var reactor: any Reactor { stream.end.reactor }

  /// Sends a message, on the call's reactor only.
  ///
  /// `full` says that nothing more should be sent until ``onRoom(_:)`` is called, `over` that the
  /// call has ended and the message was dropped.
  package func send(encoded bytes: [UInt8]) -> SendResult {
    stream.end.send(stream.stream, encoded: bytes)
  }

  /// Runs `action` on the reactor whenever a stream that was full has room again.
  package func onRoom(_ action: @escaping @Sendable () -> Void) { stream.onRoom(action) }

  /// Runs `action` on the reactor when the client gives the call up; at once if it has.
  package func onCancel(_ action: @escaping @Sendable () -> Void) { stream.onCancel(action) }

  /// Ends the call OK.
  package func finish() { stream.finish() }

  /// Ends the call with a status.
  @usableFromInline
  package func fail(_ error: RPCError) { stream.fail(error) }
}
