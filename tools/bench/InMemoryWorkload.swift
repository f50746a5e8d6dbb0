import Glibc
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverServer
import QuiverWire

/// What a server observes of its calls.
enum Observed: String {
  case nothing
  /// Counts and times, and the occurrences for the log, as quiverd does with its defaults.
  case metrics
  /// The same with an interceptor that asks each call for its trace context.
  case traces
  /// Nothing, of an async handler, which does not suspend.
  case async
  /// Nothing, of a handler of `QuiverServer` that is not async, as in services of others.
  case service
  /// The same of one that is async, and does not suspend.
  case asyncService = "async-service"
}

/// The server end of one connection without a socket: REQUEST frames in, reply bytes out.
struct InMemoryWorkload {
  private let end: ServerEnd
  private var requests: [UInt8]
  private let requestByteCount: Int
  private let callsPerTurn: Int
  private var nextStream: UInt32 = 1
  private var now: UInt64 = 1_000_000_000

  /// Creates a connection after its handshake, and the requests of a turn.
  init(callsPerTurn: Int, observing observed: Observed = .nothing) throws {
    self.callsPerTurn = callsPerTurn
    let echo: Route =
      switch observed {
      case .async: .asynchronous(Diagnostics.echo) { request, _ in request }
      case .service: .handle(Diagnostics.echo) { request, _ in request }
      case .asyncService: .handle(Diagnostics.echo) { request, _ async in request }
      default: .synchronous(Diagnostics.echo) { request, _ in request }
      }
    let router = Router(
      [echo],
      interceptors: observed == .traces ? [Untraced()] : [])
    var options = CallMetrics.Options()
    options.slowNanoseconds = 1_000_000_000
    let isCounted = observed == .metrics || observed == .traces
    let metrics =
      isCounted ? CallMetrics(router, options, clock: Self.nanoseconds) { _, _ in } : nil
    end = ServerEnd(
      id: 1, address: "127.0.0.1", router: router, limits: SharedLimits(Limits()),
      identity: ServerIdentity(software: "bench", instanceID: Array(0..<16)),
      authenticator: Everyone(), metrics: metrics, reactor: Standstill(), coder: ReactorCoder())
    let request = Self.request()
    requestByteCount = request.count
    requests = (0..<callsPerTurn).flatMap { _ in request }
    try shakeHands()
  }

  /// Answers this many calls; throws if a reply is incomplete.
  mutating func run(calls: Int) throws {
    for _ in 0..<(calls / callsPerTurn) {
      for index in 0..<callsPerTurn { number(index) }
      now &+= 1_000
      requests.withUnsafeBytes { end.receive($0, now: now) }
      let count = end.connection.pointee.core.output.count
      guard count >= callsPerTurn * (FrameHeader.byteCount + 40) else {
        throw Unmeasured("\(count) bytes came back for \(callsPerTurn) calls")
      }
      end.wrote(count, now: now)
    }
  }

  /// The clock of a reactor (CLOCK_MONOTONIC).
  private static let nanoseconds: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private mutating func number(_ index: Int) {
    let at = index * requestByteCount + 4
    for byte in 0..<4 {
      requests[at + byte] = UInt8(truncatingIfNeeded: nextStream >> UInt32(24 - 8 * byte))
    }
    nextStream += 2
  }

  private func shakeHands() throws {
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    hello.software = "bench"
    hello.authToken = [1]
    // With this credit all replies fit, and no CREDIT is needed.
    hello.initialConnectionCredit = 1 << 62
    let bytes = Preface.bytes + Self.frame(.hello, [], hello.serializedBytes())
    bytes.withUnsafeBytes { end.receive($0, now: now) }
    let count = end.connection.pointee.core.output.count
    guard count > Preface.bytes.count else { throw Unmeasured("the handshake was not answered") }
    end.wrote(count, now: now)
  }

  /// A request of 55 bytes: an echo of 40 bytes with a timeout of a second.
  private static func request() -> [UInt8] {
    let head: [UInt8] = [0x08, 0x81, 0x06, 0x18, 0xE8, 0x07]
    let message = Workloads.echo.serializedBytes()
    return frame(.request, .end, [UInt8(head.count)] + head + message)
  }

  private static func frame(_ type: FrameType, _ flags: FrameFlags, _ payload: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameHeader.byteCount)
    let header = FrameHeader(
      payloadByteCount: payload.count, type: type, flags: flags,
      stream: 0)
    bytes.withUnsafeMutableBytes { buffer in
      if let base = buffer.baseAddress { header.write(to: base) }
    }
    return bytes + payload
  }
}

/// Traces no call, since none has a trace context.
private struct Untraced: ServerInterceptor {
  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    guard !call.traceparent.isEmpty else { return nil }
    return { _ in }
  }
}

/// Authenticates everybody.
private struct Everyone: Authenticator {
  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "bench"))
  }
}

/// A reactor that never runs jobs, because no handler suspends.
private final class Standstill: Reactor {
  var isCurrent: Bool { true }
  var nowNanoseconds: UInt64 { 1_000_000_000 }
  func run(_ job: @escaping @Sendable () -> Void) { preconditionFailure("nothing is put off") }
  func enqueue(_ job: consuming ExecutorJob) { preconditionFailure("no task runs here") }
}
