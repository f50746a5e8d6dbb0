package import QuiverClient
package import QuiverRPC

/// The way of a session's calls to its server.
package protocol SessionTransport: Sendable {
  /// Calls a unary method; a mutating one has its effect once under its key.
  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, timeout: Duration
  ) async throws(RPCError) -> [UInt8]

  /// Opens a call with a stream on either side; `request` is the one message of a method that takes
  /// one, and a watch goes on behind `position`.
  ///
  /// Throws UNIMPLEMENTED where this way carries no streams.
  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream

  /// Takes no more calls.
  func close()
}

/// An open call with a stream on either side.
package protocol SessionStream: EncodedStream {
  /// Sends a message, and waits until there is room for another one.
  func send(_ message: [UInt8]) async throws(RPCError)

  /// Ends the request side of the call.
  func finishRequest()
}

extension ClientStream: SessionStream {}

/// Calls by way of a client.
struct ClientTransport: SessionTransport {
  let client: RPCClient

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    // A session paces itself: when it asks, a connection is tried.
    client.reconnect()
    let options = CallOptions(timeout: timeout, idempotencyKey: key)
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

  func close() {
    let client = client
    Task { await client.close() }
  }
}
