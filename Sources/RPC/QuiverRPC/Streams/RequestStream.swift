public import QuiverProtobuf

/// The messages of a call whose request side is a stream, in order.
///
/// A single pass: one task at a time may read. The caller is stopped by credit while no task reads.
/// Reading throws CANCELLED once the call is over, and INVALID_ARGUMENT for a message that does not
/// decode, which ends the call.
public struct RequestStream<Request: Message>: AsyncSequence, Sendable {
  public typealias Element = Request
  public typealias Failure = RPCError

  @usableFromInline let stream: ServerStream

  @usableFromInline
  init(_ stream: ServerStream) { self.stream = stream }

  public func makeAsyncIterator() -> Iterator { Iterator(stream) }

  /// Reads the messages of one call.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let stream: ServerStream

    init(_ stream: ServerStream) { self.stream = stream }

    /// The next message; nil once the request side has ended.
    @inlinable
    public mutating func next() async throws(RPCError) -> Request? {
      switch await stream.take() {
      case .end: return nil
      case .over: throw ServerStream.over
      case .message(let bytes): return try decode(bytes)
      }
    }

    /// The next message; nil once the request side has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Request? {
      try await next()
    }

    @inlinable
    func decode(_ bytes: [UInt8]) throws(RPCError) -> Request {
      do throws(DecodeError) {
        if stream.isOnReactor { return try stream.end.coder.decode(Request.self, from: bytes) }
        return try Request(serializedBytes: bytes)
      } catch {
        throw stream.refuse(error)
      }
    }
  }
}
