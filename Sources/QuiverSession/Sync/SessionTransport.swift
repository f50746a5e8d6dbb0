import QuiverClient
package import QuiverRPC

/// The way of a session's calls to its server.
package protocol SessionTransport: Sendable {
  /// Calls a unary method; a mutating one has its effect once under its key.
  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, timeout: Duration
  ) async throws(RPCError) -> [UInt8]

  /// Takes no more calls.
  func close()
}

/// Calls by way of a client.
struct ClientTransport: SessionTransport {
  let client: QuiverClient

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    // A session paces itself: when it asks, a connection is tried.
    client.reconnect()
    let options = CallOptions(timeout: timeout, idempotencyKey: key)
    return try await client.callEncoded(method, request, options: options).message
  }

  func close() { client.close() }
}
