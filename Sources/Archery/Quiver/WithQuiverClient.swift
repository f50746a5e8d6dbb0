public import QuiverClient

/// Runs `body` with a client, and closes the client when `body` returns or throws.
///
/// Calls that are open when `body` returns have ten seconds to end; those that are open when it
/// throws end CANCELLED at once.
///
/// - Parameters:
///   - configuration: the server's address, the caller's token and the options of every call.
///   - body: uses the client, which must not be used after it has returned.
/// - Throws: what `body` throws, or an `RPCError` with the code `invalidArgument` if the
///   configuration is malformed.
public func withQuiverClient<Value>(
  _ configuration: RPCClient.Configuration, _ body: (RPCClient) async throws -> Value
) async throws -> Value {
  let client = try RPCClient(configuration)
  let value: Value
  do {
    value = try await body(client)
  } catch {
    await client.close(gracePeriod: .zero)
    throw error
  }
  await client.close()
  return value
}
