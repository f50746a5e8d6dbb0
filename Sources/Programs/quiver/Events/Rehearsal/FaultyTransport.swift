import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverSession
import QuiverWire
import Synchronization

/// The network of one device: it logs the operations that are sent, and loses some calls.
///
/// Calls go over real connections. A random generator of its own decides which are lost.
final class FaultyTransport: SessionTransport {
  private let configuration: RPCClient.Configuration
  private let log: RehearsalLog
  private let hasFaults: Bool
  private let state: Mutex<State>

  private struct State {
    var client: RPCClient
    var random: SplitMix64
  }

  /// One call in this number has a fault.
  private static let callsPerFault = 6

  /// `seed` decides the faults.
  init(
    _ configuration: RPCClient.Configuration, _ log: RehearsalLog, seed: UInt64, hasFaults: Bool
  ) throws(RPCError) {
    self.configuration = configuration
    self.log = log
    self.hasFaults = hasFaults
    state = Mutex(
      State(client: try RPCClient(configuration), random: SplitMix64(seed: seed)))
  }

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, storeEpoch: UInt64,
    timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    noteSent(method, request)
    var options = CallOptions(timeout: timeout)
    options.storeEpoch = storeEpoch
    if method.isMutating { options.idempotencyKey = key ?? .random() }
    let client = state.withLock { $0.client }
    client.reconnect()
    switch nextFault() {
    case .lostRequest: throw Self.lost
    case .lostReply:
      noteAnswered(method, try await client.callEncoded(method, request, options: options).message)
      throw Self.lost
    case .repeated:
      _ = try await client.callEncoded(method, request, options: options)
    case .brokenConnection:
      let closing = Task {
        try? await Task.sleep(for: .milliseconds(1))
        await client.close(gracePeriod: .zero)
      }
      try replaceClient()
      do throws(RPCError) {
        let reply = try await client.callEncoded(method, request, options: options).message
        await closing.value
        noteAnswered(method, reply)
        return reply
      } catch {
        await closing.value
        throw Self.lost
      }
    case nil: break
    }
    let reply = try await client.callEncoded(method, request, options: options).message
    noteAnswered(method, reply)
    return reply
  }

  /// Calls a method of a device that has no session.
  func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, key: IdempotencyKey? = nil
  ) async throws -> Response {
    let reply = try await call(
      method.info, request.serializedBytes(), key: key, storeEpoch: 0, timeout: .seconds(30))
    return try Response(serializedBytes: reply)
  }

  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream {
    let client = state.withLock { $0.client }
    client.reconnect()
    var options = CallOptions()
    options.after = position
    let stream = try client.startEncoded(method, request, options: options)
    log.noteCall()
    guard method.id == Tournament.syncOperations.info.id else { return stream }
    return FaultyStream(way: self, client: client, stream: stream)
  }

  func close() async {
    let client = state.withLock { $0.client }
    await client.close(gracePeriod: .zero)
  }

  static let lost = RPCError(.unavailable, "the network was lost", origin: .connection)

  /// Sends a batch over an open call, unless it is lost.
  fileprivate func send(
    _ batch: [UInt8], over stream: ClientStream, of client: RPCClient
  ) async throws(RPCError) {
    if let request = try? SyncOperationsRequest(serializedBytes: batch) {
      log.sent(request.operations)
    }
    switch nextFault() {
    case .lostRequest: throw Self.lost
    case .lostReply:
      try await stream.send(batch)
      noteSynced(try await stream.next())
      throw Self.lost
    case .repeated:
      try await stream.send(batch)
      noteSynced(try await stream.next())
      try await stream.send(batch)
    case .brokenConnection:
      try await stream.send(batch)
      try replaceClient()
      await client.close(gracePeriod: .zero)
      throw Self.lost
    case nil: try await stream.send(batch)
    }
  }

  fileprivate func noteSynced(_ message: [UInt8]?) {
    guard let message, let reply = try? SyncOperationsResponse(serializedBytes: message) else {
      return
    }
    log.answered(reply.verdicts)
  }

  private func nextFault() -> NetworkFault? {
    guard hasFaults else { return nil }
    let fault = state.withLock { state -> NetworkFault? in
      guard Int.random(in: 0..<Self.callsPerFault, using: &state.random) == 0 else { return nil }
      return NetworkFault.allCases.randomElement(using: &state.random)
    }
    if let fault { log.note(fault) }
    return fault
  }

  private func replaceClient() throws(RPCError) {
    let next = try RPCClient(configuration)
    state.withLock { $0.client = next }
  }

  private func noteSent(_ method: MethodInfo, _ request: [UInt8]) {
    log.noteCall()
    switch method.id {
    case Tournament.applyOperations.info.id:
      if let message = try? ApplyOperationsRequest(serializedBytes: request) {
        log.sent(message.operations)
      }
    case Elimination.applyMatchOperations.info.id:
      if let message = try? ApplyMatchOperationsRequest(serializedBytes: request) {
        log.sent(message.operations)
      }
    case Events.applyCardOperations.info.id:
      if let message = try? ApplyCardOperationsRequest(serializedBytes: request) {
        log.sent(message.operations)
      }
    default: break
    }
  }

  private func noteAnswered(_ method: MethodInfo, _ reply: [UInt8]) {
    switch method.id {
    case Tournament.applyOperations.info.id:
      if let message = try? ApplyOperationsResponse(serializedBytes: reply) {
        log.answered(message.verdicts)
      }
    case Elimination.applyMatchOperations.info.id:
      if let message = try? ApplyMatchOperationsResponse(serializedBytes: reply) {
        log.answered(message.verdicts)
      }
    case Events.applyCardOperations.info.id:
      if let message = try? ApplyCardOperationsResponse(serializedBytes: reply) {
        log.answered(message.verdicts)
      }
    default: break
    }
  }
}

/// An open call of batches of operations over such a transport.
private struct FaultyStream: SessionStream {
  let way: FaultyTransport
  let client: RPCClient
  let stream: ClientStream

  func send(_ message: [UInt8]) async throws(RPCError) {
    try await way.send(message, over: stream, of: client)
  }

  func next() async throws(RPCError) -> [UInt8]? {
    let message = try await stream.next()
    way.noteSynced(message)
    return message
  }

  func finishRequest() { stream.finishRequest() }

  func cancel(_ error: RPCError) { stream.cancel(error) }
}
