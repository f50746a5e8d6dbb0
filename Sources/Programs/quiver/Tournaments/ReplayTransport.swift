import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverSession
import QuiverWire
import Synchronization

/// A transport that sends everything twice, and disconnects on request.
final class ReplayTransport: SessionTransport {
  private let configuration: RPCClient.Configuration
  private let repeats: Bool
  private let state: Mutex<State>

  private struct State {
    var client: RPCClient
    /// The next batch closes the connection, before the server has the batch or after its answer.
    var breaksNext = false
    var breakCount = 0
  }

  /// `repeats`: each batch of operations is sent twice.
  init(_ configuration: RPCClient.Configuration, repeats: Bool) throws(RPCError) {
    self.configuration = configuration
    self.repeats = repeats
    state = Mutex(State(client: try RPCClient(configuration)))
  }

  /// How often the connection was broken off.
  var breakCount: Int { state.withLock { $0.breakCount } }

  /// Breaks the connection off with the next batch, whose answer is lost.
  func breakNext() { state.withLock { $0.breaksNext = true } }

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, storeEpoch: UInt64,
    timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    let client = state.withLock { $0.client }
    var options = CallOptions(timeout: timeout, idempotencyKey: key)
    options.storeEpoch = storeEpoch
    return try await client.callEncoded(method, request, options: options).message
  }

  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream {
    let client = state.withLock { $0.client }
    var options = CallOptions()
    options.after = position
    let stream = try client.startEncoded(method, request, options: options)
    guard method.id == Tournament.syncOperations.info.id else { return stream }
    return ReplayStream(way: self, client: client, stream: stream)
  }

  func close() async {
    let client = state.withLock { $0.client }
    await client.close(gracePeriod: .zero)
  }

  /// Sends a batch over an open call, as often and as far as the test requires.
  fileprivate func send(
    _ batch: [UInt8], over stream: ClientStream, of client: RPCClient
  ) async throws(RPCError) {
    let (breaks, reaches) = state.withLock { state in
      defer {
        if state.breaksNext { state.breakCount += 1 }
        state.breaksNext = false
      }
      return (state.breaksNext, state.breakCount % 2 == 0)
    }
    if !breaks || reaches { try await stream.send(batch) }
    if breaks {
      if reaches { _ = try await stream.next() }
      let next = try RPCClient(configuration)
      state.withLock { $0.client = next }
      Task { await client.close() }
      throw RPCError(.unavailable, "the connection was broken off", origin: .connection)
    }
    if repeats {
      _ = try await stream.next()
      try await stream.send(batch)
    }
  }
}

/// A call for batches of operations over such a way.
private struct ReplayStream: SessionStream {
  let way: ReplayTransport
  let client: RPCClient
  let stream: ClientStream

  func send(_ message: [UInt8]) async throws(RPCError) {
    try await way.send(message, over: stream, of: client)
  }

  func next() async throws(RPCError) -> [UInt8]? { try await stream.next() }

  func finishRequest() { stream.finishRequest() }

  func cancel(_ error: RPCError) { stream.cancel(error) }
}
