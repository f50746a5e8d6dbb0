import QuiverProtobuf
import QuiverWire
import Synchronization

@testable import QuiverRPC

/// The ids of the test methods.
enum Number {
  static let echo: UInt32 = 4097
  static let hold: UInt32 = 4098
  static let fail: UInt32 = 4099
  static let asyncEcho: UInt32 = 4100
  static let open: UInt32 = 4101
  static let clientStream: UInt32 = 4102
  static let serverStream: UInt32 = 4103
  static let bidirectional: UInt32 = 4104
  static let source: UInt32 = 4105
  static let openHold: UInt32 = 4106
  static let sum: UInt32 = 4107
  static let change: UInt32 = 4108
}

/// Calls whose handlers wait for the test.
final class HeldCalls: Sendable {
  private let state = Mutex(State())

  struct Call: Sendable {
    let request: Blob
    let context: CallContext
    let responder: Responder<Blob>
  }

  private struct State {
    var calls: [Call] = []
    var cancelled = 0
    var gates: [CheckedContinuation<Void, Never>] = []
  }

  var count: Int { state.withLock { $0.calls.count } }
  var cancelledCount: Int { state.withLock { $0.cancelled } }

  func add(_ call: Call) {
    state.withLock { $0.calls.append(call) }
    call.responder.onCancel { self.state.withLock { $0.cancelled += 1 } }
  }

  /// Removes and returns the call that was held longest.
  func take() -> Call { state.withLock { $0.calls.removeFirst() } }

  func wait() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.gates.append(continuation) }
    }
  }

  /// Resumes the waiting async handlers.
  func openGates() {
    let gates = state.withLock { state in
      defer { state.gates = [] }
      return state.gates
    }
    for gate in gates { gate.resume() }
  }
}

/// The router of the test methods.
func testRouter(_ held: HeldCalls, positions: (any PositionSource)? = nil) -> Router {
  func method(
    _ name: String, _ id: UInt32, _ kind: MethodKind = .unary, mutating: Bool = false,
    anonymous: Bool = false
  ) -> UnaryMethod<Blob, Blob> {
    UnaryMethod(
      info: MethodInfo(
        "quiver.test.Talk/\(name)", id: id, kind: kind, mutating: mutating, anonymous: anonymous,
        Blob.self, Blob.self))
  }
  let echo: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in request }
  let hold: @Sendable (Blob, CallContext, Responder<Blob>) -> Void = {
    request, context, responder in
    held.add(HeldCalls.Call(request: request, context: context, responder: responder))
  }
  let fail: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = {
    request, _ throws(RPCError) in
    throw RPCError(
      StatusCode(rawValue: UInt32(request.data.first ?? 2)), "as asked",
      retryAfterMilliseconds: request.data.dropFirst().first.map(Int32.init))
  }
  let source: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in
    Blob(count: request.data.reduce(0) { $0 << 8 | Int($1) })
  }
  let wait: @Sendable (Blob, CallContext) async throws -> Blob = { request, _ in
    await held.wait()
    return request
  }
  let sum: @Sendable (RequestStream<Blob>, CallContext) async throws -> Blob = { requests, _ in
    var count = 0
    for try await request in requests { count += request.data.count }
    return Blob(count: count)
  }
  return Router(
    [
      .synchronous(method("Echo", Number.echo), echo),
      .responding(method("Hold", Number.hold), hold),
      .synchronous(method("Fail", Number.fail), fail),
      .asynchronous(method("AsyncEcho", Number.asyncEcho), wait),
      .synchronous(method("Open", Number.open, anonymous: true), echo),
      .responding(method("ClientStream", Number.clientStream, .clientStreaming), hold),
      .responding(method("ServerStream", Number.serverStream, .serverStreaming), hold),
      .responding(method("Bidirectional", Number.bidirectional, .bidirectional), hold),
      .synchronous(method("Source", Number.source), source),
      .responding(method("OpenHold", Number.openHold, anonymous: true), hold),
      .clientStreaming(
        ClientStreamingMethod<Blob, Blob>("quiver.test.Talk/Sum", id: Number.sum), sum),
      .responding(method("Change", Number.change, mutating: true), hold),
      .synchronous(Health.check) { _, _ in HealthCheckResponse() },
    ], positions: positions)
}

/// Accepts the token `good`; refuses any other, but not a missing one.
struct TestAuthenticator: Authenticator {
  /// Authenticates everybody without a token.
  var knowsEverybody = false
  var lookups = HeldLookups()

  func acting(
    _ caller: Caller, forUser user: Int64, calling method: MethodInfo
  ) -> DeferredCaller {
    DeferredCaller { completion in lookups.add(user, completion) }
  }

  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    let caller = Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "A. Archer")
    if knowsEverybody || token == Array("good".utf8) { return .caller(caller) }
    return token.isEmpty ? .anonymous : .refused("the token is not known")
  }
}

extension ServerConnection {
  /// Sends a message of a streaming reply as ``ServerEnd`` does.
  @discardableResult
  mutating func sendMessage(stream: UInt32, _ bytes: [UInt8]) -> SendResult {
    if !adoptReply(bytes) {
      let room = beginReply(bytes.count)
      UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
    }
    return commitMessage(stream: stream, bytes.count)
  }
}
