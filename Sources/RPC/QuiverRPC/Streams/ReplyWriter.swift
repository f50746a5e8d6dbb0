public import QuiverProtobuf

/// Sends the messages of a call whose reply is a stream.
///
/// `send` waits while the stream's queue is full, so that a slow client stops the handler and not
/// the server's memory. Returning from the handler ends the call OK; throwing ends it with that
/// status.
public struct ReplyWriter<Response: Message>: Sendable {
  @usableFromInline let stream: ServerStream

  @usableFromInline
  init(_ stream: ServerStream) { self.stream = stream }

  /// Queues a message and waits until there is room for another one.
  ///
  /// Throws CANCELLED once the call is over.
  @inlinable
  public nonisolated(nonsending) func send(_ response: Response) async throws(RPCError) {
    guard stream.isOnReactor else {
      guard await stream.send(encoded: response.serializedBytes()) else { throw ServerStream.over }
      return
    }
    switch stream.end.send(stream.stream, response) {
    case .room: return
    case .over: throw ServerStream.over
    case .full: guard await stream.room() else { throw ServerStream.over }
    }
  }

  /// The same with a message that is encoded already.
  package nonisolated(nonsending) func send(encoded bytes: [UInt8]) async throws(RPCError) {
    guard await stream.send(encoded: bytes) else { throw ServerStream.over }
  }

  /// Sends initial metadata; without effect once the handler has sent a message or has waited,
  /// since HEADERS were sent by then.
  public func send(initialMetadata: Metadata) { stream.send(initialMetadata: initialMetadata) }

  /// Sets the trailing metadata, which is sent when the handler returns.
  public func set(trailingMetadata: Metadata) { stream.set(trailingMetadata: trailingMetadata) }
}
