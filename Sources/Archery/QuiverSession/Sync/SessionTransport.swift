package import QuiverClient
package import QuiverRPC

/// Carries a session's calls to its server.
package protocol SessionTransport: Sendable {
  /// Calls a unary method; a mutating one has its effect once for its key, which was made in the
  /// epoch; 0: that is not known.
  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, storeEpoch: UInt64,
    timeout: Duration
  ) async throws(RPCError) -> [UInt8]

  /// Opens a streaming call; `request` is the message of a method that takes exactly one, and a
  /// watch continues after `position`.
  ///
  /// Throws UNIMPLEMENTED if this transport has no streams.
  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream

  /// Refuses further calls and ends the open ones; returns when every connection is closed.
  func close() async
}

/// An open streaming call.
package protocol SessionStream: EncodedStream {
  /// Sends a message, and waits until another one can be sent.
  func send(_ message: [UInt8]) async throws(RPCError)

  /// Ends the request stream of the call.
  func finishRequest()
}

extension ClientStream: SessionStream {}

/// Calls through a client.
struct ClientTransport: SessionTransport {
  let client: RPCClient

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, storeEpoch: UInt64,
    timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    // The session controls the pace: each call tries to connect.
    client.reconnect()
    var options = CallOptions(timeout: timeout, idempotencyKey: key)
    options.storeEpoch = storeEpoch
    return try await client.callEncoded(method, request, options: options).message
  }

  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream {
    client.reconnect()
    var options = CallOptions()
    options.after = position
    return try client.startEncoded(method, request, options: options)
  }

  func close() async { await client.close(gracePeriod: .zero) }
}
