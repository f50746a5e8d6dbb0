import Dispatch
import Glibc
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// A message with one field of bytes.
struct Blob: Message {
  var data: [UInt8] = []

  init() {}
  init(count: Int) { data = [UInt8](repeating: 7, count: count) }

  static let schema = Schema<Self>("quiver.test.Blob", .bytes(1, "data", \.data))
}

enum Methods {
  static let echo = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Echo", id: 4097)
  static let elsewhere = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Elsewhere", id: 4098)
  static let suspending = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Suspending", id: 4099)
  static let hold = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Hold", id: 4100)
  static let busy = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Busy", id: 4101)
  static let holdAnonymous = UnaryMethod<Blob, Blob>(
    "quiver.test.Sockets/HoldAnonymous", id: 4103, anonymous: true)
  static let spin = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Spin", id: 4104)
  static let either = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Either", id: 4105)
  static let observe = UnaryMethod<Blob, Blob>("quiver.test.Sockets/Observe", id: 4102)
}

/// A server on real sockets, whose handlers reply at once, from another thread, from a task that
/// was suspended, or when the test requests it.
final class TestServer: Sendable {
  let server: Server
  let port: UInt16
  private let box: Box
  private static let elsewhere = DispatchQueue(label: "elsewhere", attributes: .concurrent)

  init(
    limits: Limits = Limits(), shardCount: Int = 2, unixPath: String? = nil,
    configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws {
    let box = Box()
    let router = Router(Self.routes(box))
    var configuration = Server.Configuration(
      router: router, authenticator: AcceptAll(),
      identity: ServerIdentity(software: "quiver/test", instanceID: [1]))
    configuration.limits = limits
    configuration.shardCount = shardCount
    configure(&configuration)
    server = try Server(configuration)
    let text = unixPath.map { "unix:\($0)" } ?? "127.0.0.1:0"
    guard let endpoint = Endpoint(text) else { preconditionFailure("an endpoint of the test's") }
    port = try server.listen(on: endpoint).first?.port ?? 0
    self.box = box
  }

  deinit { server.stop() }

  /// What the handlers record.
  final class Box: Sendable {
    fileprivate let state = Mutex(State())

    fileprivate struct State {
      var held: [Responder<Blob>] = []
      var cancelled = 0
      var onShard = 0
      var offShard = 0
      var busy: [CheckedContinuation<Void, Never>] = []
      var finishedBusy = 0
      var isBlocked = false
      var observed: [Int] = []
    }

    /// Signalled once to release the first busy handler, which blocks its shard.
    fileprivate let release = DispatchSemaphore(value: 0)

    fileprivate func wait() { release.wait() }
  }

  var heldCount: Int { box.state.withLock { $0.held.count } }
  var cancelledCount: Int { box.state.withLock { $0.cancelled } }
  /// The async handlers that resumed on their shard, and those that did not.
  var resumed: (onShard: Int, offShard: Int) { box.state.withLock { ($0.onShard, $0.offShard) } }

  /// The busy handlers that wait.
  var busyCount: Int { box.state.withLock { $0.busy.count } }
  /// Whether a spinning handler blocks its shard.
  var isBlocked: Bool { box.state.withLock { $0.isBlocked } }
  /// The number of finished busy handlers when each observing call was handled.
  var observed: [Int] { box.state.withLock { $0.observed } }

  /// Resumes all busy handlers: the first blocks its shard until ``releaseFirstBusy()``, each other
  /// one for some milliseconds.
  func resumeBusy() {
    let waiting = box.state.withLock { state in
      defer { state.busy = [] }
      return state.busy
    }
    for continuation in waiting { continuation.resume() }
  }

  func releaseFirstBusy() { box.release.signal() }

  func answerHeld() {
    let held = box.state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for responder in held { responder.succeed(Blob()) }
  }

  private static func routes(_ box: Box) -> [Route] {
    let echo: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in request }
    let away: @Sendable (Blob, CallContext, Responder<Blob>) -> Void = { request, _, responder in
      elsewhere.async { responder.succeed(request) }
    }
    let suspending: @Sendable (Blob, CallContext) async throws -> Blob = { request, context in
      await withCheckedContinuation { continuation in
        elsewhere.async { continuation.resume() }
      }
      let isOnShard = context.connection.reactor.isCurrent
      box.state.withLock { if isOnShard { $0.onShard += 1 } else { $0.offShard += 1 } }
      return request
    }
    let hold: @Sendable (Blob, CallContext, Responder<Blob>) -> Void = { _, _, responder in
      box.state.withLock { $0.held.append(responder) }
      responder.onCancel { box.state.withLock { $0.cancelled += 1 } }
    }
    let observe: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in
      box.state.withLock { $0.observed.append($0.finishedBusy) }
      return request
    }
    // Of no bytes at once, of one it fails, of more from another thread.
    let atOnce: @Sendable (Blob, CallContext) throws -> Blob? = { request, _ in
      if request.data.count == 1 { throw RPCError(.notFound, "one byte") }
      return request.data.isEmpty ? request : nil
    }
    return [
      .synchronous(Methods.either, atOnce, otherwise: away),
      .asynchronous(Methods.busy, busy(box)), .synchronous(Methods.spin, spin(box)),
      .synchronous(Methods.observe, observe),
      .synchronous(Methods.echo, echo), .responding(Methods.elsewhere, away),
      .asynchronous(Methods.suspending, suspending), .responding(Methods.hold, hold),
      .responding(Methods.holdAnonymous, hold),
    ]
  }

  private static func busy(_ box: Box) -> @Sendable (Blob, CallContext) async throws -> Blob {
    { request, _ in
      await withCheckedContinuation { continuation in
        box.state.withLock { $0.busy.append(continuation) }
      }
      if box.state.withLock({ $0.finishedBusy }) == 0 { box.wait() }
      compute(box)
      return request
    }
  }

  /// A handler that keeps its shard busy for some milliseconds; a request with data blocks it until
  /// ``releaseFirstBusy()``.
  private static func spin(
    _ box: Box
  ) -> @Sendable (Blob, CallContext) throws(RPCError) -> Blob {
    { request, _ in
      if !request.data.isEmpty {
        box.state.withLock { $0.isBlocked = true }
        box.wait()
      }
      compute(box)
      return Blob()
    }
  }

  private static func compute(_ box: Box) {
    let end = clock() + 2 * clock_t(CLOCKS_PER_SEC) / 1_000
    while clock() < end {}
    box.state.withLock { $0.finishedBusy += 1 }
  }
}

/// Authenticates everybody.
struct AcceptAll: Authenticator {
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "C. Clout"))
  }
}

/// Authenticates nobody.
struct Anonymous: Authenticator {
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict { .anonymous }
}

/// The limits that a server has reported.
final class LimitEvents: Sendable {
  private let state = Mutex<[Server.LimitEvent]>([])

  var all: [Server.LimitEvent] { state.withLock { $0 } }

  func add(_ event: Server.LimitEvent) { state.withLock { $0.append(event) } }
}

/// The number of open descriptors of this process.
func openDescriptorCount() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

func frame(
  _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32 = 0, _ payload: [UInt8] = []
) -> [UInt8] {
  header(type, flags, stream: stream, promising: payload.count) + payload
}

func frame(_ type: FrameType, stream: UInt32 = 0, _ payload: [UInt8]) -> [UInt8] {
  frame(type, [], stream: stream, payload)
}

/// A header without a payload.
func header(
  _ type: FrameType, _ flags: FrameFlags = [], stream: UInt32 = 0, promising length: Int
) -> [UInt8] {
  let header = FrameHeader(payloadByteCount: length, type: type, flags: flags, stream: stream)
  return withUnsafeBytes(of: header.bits.bigEndian) { Array($0) }
}

func request(
  _ stream: UInt32, _ method: UnaryMethod<Blob, Blob>, _ message: Blob = Blob(),
  timeoutMilliseconds: UInt32 = 0
) -> [UInt8] {
  var head = RequestHeadMessage()
  head.methodID = method.id
  head.timeoutMilliseconds = timeoutMilliseconds
  let bytes = head.serializedBytes()
  return frame(
    .request, .end, stream: stream, [UInt8(bytes.count)] + bytes + message.serializedBytes())
}

/// The first bytes of every client.
let greeting = greetingBytes(token: "token")

/// The first bytes of a client with another token.
let otherGreeting = greetingBytes(token: "another")

/// The first bytes of a client without a token.
let anonymousGreeting = greetingBytes(token: "")

private func greetingBytes(token: String) -> [UInt8] {
  var hello = Hello()
  hello.versionMin = 1
  hello.versionMax = 1
  hello.authToken = Array(token.utf8)
  return Preface.bytes + frame(.hello, hello.serializedBytes())
}
