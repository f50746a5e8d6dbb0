public import QuiverProtobuf
public import QuiverRPC

/// The messages that a server streams back, in order.
///
/// A single pass: one task at a time may read. The server is stopped by credit while nobody reads.
/// Reading throws the status that the call ends with, if that is not OK. Cancelling the task that
/// reads gives the call up, and so does letting go of the stream and its iterators.
public struct ReplyStream<Response: Message>: AsyncSequence, Sendable {
  public typealias Element = Response
  public typealias Failure = RPCError

  let call: OpenCall

  public func makeAsyncIterator() -> Iterator { Iterator(call: call) }

  /// Waits until the server's handler has started, and answers the initial metadata.
  ///
  /// Throws how the call ended, if it did before.
  public func initialMetadata() async throws(RPCError) -> Metadata {
    try await call.stream.started()
  }

  /// What the server sent with the end of the call; empty before it.
  public var trailingMetadata: Metadata { call.stream.trailingMetadata }

  /// Gives the call up: reading throws CANCELLED.
  public func cancel() { call.cancel() }

  /// Reads the messages of one call.
  public struct Iterator: AsyncIteratorProtocol {
    let call: OpenCall

    /// The next message; nil once the call has ended OK.
    public mutating func next() async throws(RPCError) -> Response? {
      try await call.next()
    }

    /// The next message; nil once the call has ended OK.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Response? {
      try await call.next()
    }
  }
}
