public import QuiverProtobuf
public import QuiverRPC

/// The messages of a streamed reply, in order.
///
/// It can be read once, by one task at a time. While no task reads, flow control stops the server.
/// Reading throws the status that the call ends with, unless that is OK. Cancelling the task that
/// reads cancels the call, and so does releasing the stream and its iterators.
public struct ReplyStream<Response: Message>: AsyncSequence, Sendable {
  public typealias Element = Response
  public typealias Failure = RPCError

  let call: OpenCall

  /// Creates an iterator; all iterators of a stream share its messages.
  public func makeAsyncIterator() -> Iterator { Iterator(call: call) }

  /// Waits until the server's handler has started, and returns the initial metadata.
  ///
  /// Throws the status of a call that failed before.
  public func initialMetadata() async throws(RPCError) -> Metadata {
    try await call.stream.started()
  }

  /// The trailing metadata; empty until the call has ended.
  public var trailingMetadata: Metadata { call.stream.trailingMetadata }

  /// Cancels the call: reading throws CANCELLED.
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
