public import QuiverProtobuf
public import QuiverRPC
import QuiverWire

/// An open call whose request is a stream.
///
/// ``send(_:)`` waits while flow control stops the caller. May be used from any task; messages go
/// out in the order in which `send` was called. Releasing the call and its replies cancels it.
public struct StreamingCall<Request: Message, Response: Message>: Sendable {
  let call: OpenCall

  /// Sends a message, and waits until there is room for another one.
  ///
  /// Throws how the call ended, if it has. Cancelling the task that waits cancels the call.
  public func send(_ request: Request) async throws(RPCError) {
    try await call.stream.send(request.serializedBytes())
  }

  /// Sends a message; false if the server has ended the call.
  func stillTakes(_ request: Request) async throws(RPCError) -> Bool {
    do throws(RPCError) {
      try await send(request)
      return true
    } catch {
      guard error.origin == .server else { throw error }
      return false
    }
  }

  /// Sends all messages of a sequence, then ends the request side.
  ///
  /// An error of the sequence cancels the call and is thrown again.
  public func send<Requests: AsyncSequence>(
    contentsOf requests: Requests
  ) async throws where Requests.Element == Request {
    do {
      for try await request in requests { try await send(request) }
    } catch {
      call.cancel()
      throw error
    }
    finish()
  }

  /// Sends all messages of a sequence, then ends the request side.
  public func send(contentsOf requests: some Sequence<Request>) async throws(RPCError) {
    for request in requests { try await send(request) }
    finish()
  }

  /// Ends the request side; replies may still come. Sending afterwards traps.
  public func finish() { call.stream.finishRequest() }

  /// Cancels the call.
  public func cancel() { call.cancel() }

  /// The messages of the reply.
  public var replies: ReplyStream<Response> { ReplyStream(call: call) }

  /// Ends the request side and returns the one reply, with the initial and trailing metadata.
  public func reply() async throws(RPCError) -> Reply<Response> {
    finish()
    guard let message: Response = try await call.next() else {
      throw RPCError(.internal, "the call ended OK without a reply", origin: .client)
    }
    return Reply(
      message: message, initialMetadata: try await call.stream.started(),
      trailingMetadata: call.stream.trailingMetadata)
  }
}
