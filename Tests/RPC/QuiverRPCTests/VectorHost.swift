import QuiverProtobuf
import QuiverWire

@testable import QuiverRPC

/// A server's state machine with the methods of the vectors; it does not decode messages.
final class VectorHost {
  private var connection: ServerConnection
  private(set) var now: UInt64 = 1_000_000_000
  /// The bytes that it has sent since the last call.
  private var said: [UInt8] = []
  /// The messages of open client streams.
  private var collected: [UInt32: [UInt8]] = [:]
  private var methods: [UInt32: UInt32] = [:]
  private(set) var isAborted = false

  enum Number {
    static let echo: UInt32 = 4097
    static let concatenate: UInt32 = 4098
    static let split: UInt32 = 4099
    static let each: UInt32 = 4100
    static let fail: UInt32 = 4101
    static let hold: UInt32 = 4102
    static let open: UInt32 = 4103
    static let reflect: UInt32 = 4104
  }

  private static func router() -> Router {
    func route(
      _ name: String, _ id: UInt32, _ kind: MethodKind = .unary, anonymous: Bool = false
    ) -> Route {
      let method = MethodInfo(
        "vectors.Talk/\(name)", id: id, kind: kind, anonymous: anonymous, Blob.self, Blob.self)
      return Route(method: method) { _ in }
    }
    return Router([
      route("Echo", Number.echo), route("Concatenate", Number.concatenate, .clientStreaming),
      route("Split", Number.split, .serverStreaming), route("Each", Number.each, .bidirectional),
      route("Fail", Number.fail), route("Hold", Number.hold),
      route("Open", Number.open, anonymous: true), route("Reflect", Number.reflect),
    ])
  }

  init(limits: Limits = Limits()) {
    // The HELLO of the vectors states no idle timeout.
    var limits = limits
    limits.anonymousIdleMilliseconds = 0
    connection = ServerConnection(
      router: Self.router(), limits: SharedLimits(limits),
      identity: ServerIdentity(software: "vectors", instanceID: [1, 2, 3, 4]), now: now)
  }

  var hasEnded: Bool { connection.core.phase >= .closing }
  var openStreams: Int { connection.core.streams.count }

  /// The bytes that were sent since the last call, in order.
  func takeSaid() -> [UInt8] {
    defer { said = [] }
    return said
  }

  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { chunk in
      var offset = 0
      while carryOut(connection.next(chunk, at: &offset, now: now)) {}
    }
    connection.endTurn(now: now, gotInput: !bytes.isEmpty)
    flush()
  }

  func drain() {
    connection.startDrain(now: now)
    connection.endTurn(now: now, gotInput: false)
    flush()
  }

  /// Advances the clock, and fires each timer on the way.
  func pass(milliseconds: Int) {
    let target = now + UInt64(milliseconds) * 1_000_000
    while connection.core.nextTimer != 0, connection.core.nextTimer <= target {
      now = max(now, connection.core.nextTimer)
      connection.timerFired(now: now)
      while let stream = connection.nextCancelled() { handlerReturned(stream) }
      connection.endTurn(now: now, gotInput: false)
      flush()
    }
    now = max(now, target)
  }

  private func flush() {
    while !connection.core.output.isEmpty {
      let bytes = Array(connection.core.output.bytes)
      said += bytes
      connection.core.wrote(bytes.count, now: now)
      connection.endTurn(now: now, gotInput: false)
    }
    if connection.core.phase == .closing, connection.core.closeBy == 0 {
      connection.core.linger(now: now)
    }
  }

  /// Carries out an event; returns whether there may be more.
  private func carryOut(_ event: ServerEvent) -> Bool {
    switch event {
    case .needsBytes: return false
    case .authenticate: authenticate()
    case .call: start()
    case .message(let stream):
      let message = Array(connection.message)
      let charge = connection.messageCharge
      connection.took(stream: stream, charge: charge, byteCount: message.count)
      receive(message, on: stream)
    case .requestEnded(let stream): ended(stream)
    case .cancelled(let stream): handlerReturned(stream)
    case .closing: break
    case .abort: isAborted = true
    }
    return true
  }

  /// The handler of a cancelled call has returned.
  private func handlerReturned(_ stream: UInt32) {
    connection.failReply(stream, RPCError(.cancelled, "the call was cancelled"))
  }

  private func authenticate() {
    switch connection.hello.authToken {
    case []: connection.authenticated(isKnown: false)
    case Array("good".utf8): connection.authenticated(isKnown: true)
    default: connection.authenticationFailed("the token is not known")
    }
  }

  private func start() {
    let stream = connection.call.stream
    let message = Array(connection.call.message)
    let method = connection.router.routes[connection.call.route].method.id
    switch method {
    case Number.echo, Number.open: reply(stream, message)
    case Number.fail:
      connection.failReply(
        stream,
        RPCError(
          StatusCode(rawValue: UInt32(message.first ?? 2)),
          String(decoding: message.dropFirst(), as: UTF8.self)))
    case Number.hold: connection.openCurrentCall(owner: nil)
    case Number.reflect:
      let metadata = connection.call.head.extras?.metadata ?? Metadata()
      connection.openCurrentCall(owner: nil)
      connection.sendHeaders(stream: stream, metadata)
      connection.sendMessage(stream: stream, message)
      connection.finishStream(stream: stream, trailing: metadata)
    case Number.split:
      connection.openCurrentCall(owner: nil)
      for byte in message { connection.sendMessage(stream: stream, [byte]) }
      connection.finishStream(stream: stream, trailing: [:])
    default:
      connection.openCurrentCall(owner: nil)
      methods[stream] = method
      collected[stream] = []
    }
  }

  private func receive(_ message: [UInt8], on stream: UInt32) {
    guard methods[stream] == Number.each else {
      collected[stream]?.append(contentsOf: message)
      return
    }
    if message.count == 2, message[0] == 0xFF {
      connection.failReply(stream, RPCError(StatusCode(rawValue: UInt32(message[1])), "as asked"))
    } else {
      connection.sendMessage(stream: stream, message)
    }
  }

  private func ended(_ stream: UInt32) {
    if methods[stream] == Number.each {
      connection.finishStream(stream: stream, trailing: [:])
    } else {
      reply(stream, collected[stream] ?? [])
    }
  }

  private func reply(_ stream: UInt32, _ bytes: [UInt8]) {
    let room = connection.beginReply(bytes.count)
    UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
    connection.commitReply(stream: stream, bytes.count)
  }
}
