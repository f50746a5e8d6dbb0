import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// A server of the test methods on its own port.
final class Fixture: Sendable {
  let server: Server
  let endpoint: Endpoint
  let held = PendingCalls()
  let health: Mutex<ServingStatus>

  /// The error of `Notes.fail`.
  static let failure = RPCError(
    .aborted, "the revision is stale", details: [.init(type: "test.Note", value: [10, 1, 65])],
    metadata: ["hint": "read again"], isNotProcessed: true, retryAfterMilliseconds: 250)

  /// Keeps servers until the tests end, because their queues may outlive a test.
  private static let all = Mutex<[Fixture]>([])

  init(
    _ name: String = "", at address: String = "127.0.0.1:0", limits: Limits = Limits(),
    health: ServingStatus = .serving
  ) throws {
    self.health = Mutex(health)
    let box = Box()
    let identity = ServerIdentity(software: "test", instanceID: [1])
    var configuration = Server.Configuration(
      router: Router(Self.routes(name, held, box)), authenticator: TokenAuthenticator(),
      identity: identity)
    configuration.limits = limits
    configuration.shardCount = 2
    server = try Server(configuration)
    let wanted = Endpoint(address)!
    let bound = try server.listen(on: wanted)
    if case .unix = wanted.kind {
      endpoint = wanted
    } else {
      endpoint = Endpoint("127.0.0.1:\(bound[0].port)")!
    }
    box.fixture.withLock { $0 = self }
    Self.all.withLock { $0.append(self) }
  }

  /// A client of this server.
  func client(_ change: (inout RPCClient.Configuration) -> Void = { _ in }) throws
    -> RPCClient
  {
    var configuration = RPCClient.Configuration(
      server: endpoint.description, token: "qv_\(TokenAuthenticator.good)")
    change(&configuration)
    return try RPCClient(configuration)
  }

  /// Opens as many calls as a connection allows, so that further ones wait in the client.
  func fill(_ client: RPCClient) async -> Full {
    let calls = (0..<Limits().maxConcurrentStreams).map { _ in
      Task { try await client.call(Notes.hold, Note()) }
    }
    var items: [PendingCalls.Item] = []
    for _ in calls { items.append(await held.next()) }
    return Full(calls: calls, items: items)
  }

  /// As many pending calls as a connection allows.
  struct Full {
    let calls: [Task<Note, any Error>]
    let items: [PendingCalls.Item]

    func release() async throws {
      for item in items { item.responder.succeed(Note()) }
      for call in calls { _ = try await call.value }
    }
  }

  private static func routes(_ name: String, _ held: PendingCalls, _ box: Box) -> [Route] {
    [
      .synchronous(Notes.echo) { note, _ throws(RPCError) in
        var note = note
        note.text = name + note.text
        return note
      },
      .synchronous(Notes.fail) { _, _ throws(RPCError) in throw failure },
      .responding(Notes.hold) { note, _, responder in held.take(note.text, responder) },
      .synchronous(Notes.bytes) { note, _ throws(RPCError) in
        Note(payload: [UInt8](repeating: 7, count: Int(note.number)))
      },
      .responding(Notes.garbage) { _, _, responder in responder.succeed(encoded: [0xFF, 0xFF]) },
      .synchronous(Notes.key) { _, call throws(RPCError) in
        Note(name, payload: call.idempotencyKey?.bytes ?? [])
      },
      .synchronous(Notes.metadata) { note, call throws(RPCError) in
        Note(call.metadata[note.text] ?? "none")
      },
      .synchronous(Health.check) { _, _ throws(RPCError) in
        var answer = HealthCheckResponse()
        answer.status = box.status
        return answer
      },
    ]
  }

  /// Gives the routes access to the fixture, which is created after them.
  private final class Box: Sendable {
    let fixture = Mutex<Fixture?>(nil)

    var status: ServingStatus {
      fixture.withLock { $0 }?.health.withLock { $0 } ?? .unspecified
    }
  }
}

/// Accepts the valid token, and calls without a token as anonymous.
struct TokenAuthenticator: Authenticator {
  static let good = "good"

  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    if token.isEmpty { return .anonymous }
    guard token == Array("qv_\(Self.good)".utf8) else { return .refused("the token is not known") }
    return .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "Tester"))
  }
}

/// Pending calls whose handlers have started, in order.
final class PendingCalls: Sendable {
  struct Item: Sendable {
    let text: String
    let responder: Responder<Note>
    /// Ends when the call is cancelled.
    let cancelled: AsyncStream<Void>
  }

  private let stream: AsyncStream<Item>
  private let source: AsyncStream<Item>.Continuation
  private let kept = Mutex<[Item]>([])

  init() { (stream, source) = AsyncStream.makeStream() }

  func take(_ text: String, _ responder: Responder<Note>) {
    let (cancelled, end) = AsyncStream<Void>.makeStream()
    responder.onCancel { end.finish() }
    let item = Item(text: text, responder: responder, cancelled: cancelled)
    kept.withLock { $0.append(item) }
    source.yield(item)
  }

  /// The next call whose handler starts.
  func next() async -> Item {
    for await item in stream { return item }
    preconditionFailure("the stream of held calls ended")
  }

  var count: Int { kept.withLock { $0.count } }
}

/// A transport that connects to the server that the test selects.
final class RedirectingTransport: Transport {
  struct Nothing: Sendable {}

  let target: Mutex<Endpoint>
  let connections = Mutex(0)
  private let inner: DispatchTransport

  init(_ target: Endpoint) throws {
    self.target = Mutex(target)
    inner = try DispatchTransport()
    Self.all.withLock { $0.append(self) }
  }

  private static let all = Mutex<[RedirectingTransport]>([])

  func connect(to endpoint: Nothing, _ options: ConnectOptions) -> ClientEnd {
    connections.withLock { $0 += 1 }
    return inner.connect(to: target.withLock { $0 }, options)
  }

  var nowNanoseconds: UInt64 { inner.nowNanoseconds }

  func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void) {
    inner.schedule(atNanoseconds: due, job)
  }

  /// A client of the selected server, with one connection at a time.
  func client(
    _ change: (inout RPCClient.Configuration) -> Void = { _ in }
  ) -> RPCClient {
    var configuration = RPCClient.Configuration(token: "qv_\(TokenAuthenticator.good)")
    configuration.limits.maxConnections = 1
    change(&configuration)
    return RPCClient(configuration, transport: self, endpoint: Nothing())
  }
}
