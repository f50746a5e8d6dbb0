public import QuiverProtobuf
public import QuiverRPC
import QuiverWire

/// An open call whose request is a stream.
///
/// ``send(_:)`` waits while the server does not take more. May be used from any task; messages go
/// out in the order in which `send` was called. Letting go of the call and of its replies gives it
/// up.
public struct StreamingCall<Request: Message, Response: Message>: Sendable {
  let call: OpenCall

  /// Sends a message, and waits until there is room for another one.
  ///
  /// Throws how the call ended, if it has. Cancelling the task that waits gives the call up.
  public func send(_ request: Request) async throws(RPCError) {
    try await call.stream.send(request.serializedBytes())
  }

  /// Sends a message; answers false if the server has ended the call.
  func stillTakes(_ request: Request) async throws(RPCError) -> Bool {
    do throws(RPCError) {
      try await send(request)
      return true
    } catch {
      guard error.origin == .server else { throw error }
      return false
    }
  }

  /// Sends all of a sequence's messages, then ends the request side.
  ///
  /// What the sequence throws gives the call up and is thrown on.
  public func send(contentsOf requests: some AsyncSequence<Request, any Error>) async throws {
    do {
      for try await request in requests { try await send(request) }
    } catch {
      call.cancel()
      throw error
    }
    finish()
  }

  /// Ends the request side; the server may go on to answer. Nothing may be sent afterwards.
  public func finish() { call.stream.finishRequest() }

  /// Gives the call up.
  public func cancel() { call.cancel() }

  /// The messages of the reply: one, for a method that answers one.
  public var replies: ReplyStream<Response> { ReplyStream(call: call) }

  /// Ends the request side and answers the one reply, with the metadata around it.
  ///
  /// For methods that answer one message: of a stream it is the first, and the call is given up.
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
