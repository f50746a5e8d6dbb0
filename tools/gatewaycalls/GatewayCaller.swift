package import QuiverClient
package import QuiverDispatch
import QuiverJSON
import QuiverProtobuf
package import QuiverRPC
import QuiverWire
import Synchronization

/// Calls the methods of a server through a gateway as a page does: Connect with JSON over HTTP/1.1.
///
/// A connection is kept for the next call. No call is repeated; one of which nothing was sent,
/// since the gateway had closed the idle connection that was taken for it, is made on another. May
/// be used from any task.
package final class GatewayCaller: Sendable {
  /// Whose token the calls carry.
  package enum Identity: Sendable {
    case anonymous
    case token(String)
    /// A spectator's, which is requested with the join code of an event before the first call.
    case spectator(joinCode: String)
  }

  private let transport: DispatchTransport
  private let address: GatewayAddress
  private let identity: Identity
  private let state = Mutex(State())

  private struct State {
    var idle: [HTTPClientEnd] = []
    var spectatorToken: String?
  }

  /// How long a call without a timeout waits for its response to begin.
  private static let patience = Duration.seconds(30)
  private static let tokenMethod = "quiver.v1.Tournament/GetSpectatorToken"

  package init(_ transport: DispatchTransport, _ address: GatewayAddress, _ identity: Identity) {
    self.transport = transport
    self.address = address
    self.identity = identity
  }

  /// Calls a unary method with an encoded request and returns the encoded reply.
  package func callEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Reply<[UInt8]> {
    let json = try Self.json(request, method)
    let body = try await call(method.name, json, try await token(), options)
    return Reply(message: try Self.message(body, method))
  }

  /// Starts a call whose reply is a stream, when its first message is read.
  package func startEncoded(
    _ method: MethodInfo, _ request: [UInt8], options: CallOptions = CallOptions()
  ) throws(RPCError) -> GatewayStream {
    GatewayStream(self, method, try Self.json(request, method), options)
  }

  // MARK: Requests

  private func call(
    _ method: String, _ json: [UInt8], _ token: String?, _ options: CallOptions
  ) async throws(RPCError) -> [UInt8] {
    let (exchange, status) = try await start(
      request(method, json, "application/json", token, options), options)
    return try await exchange.whileNotCancelled { () async throws(RPCError) in
      var body: [UInt8] = []
      while let part = try await exchange.response.next() { body += part }
      keep(exchange.response.connection)
      guard status == 200 else {
        throw ConnectError.error(status, exchange.response.fields, body)
      }
      return body
    }
  }

  /// Sends a request; returns when its response has begun.
  private func start(
    _ request: [UInt8], _ options: CallOptions
  ) async throws(RPCError) -> (HTTPCall, status: Int) {
    while true {
      let kept = takeKept()
      let exchange = HTTPCall(
        kept ?? transport.connect(to: address.endpoint) { HTTPClientEnd($0) }, request, transport,
        options.timeout ?? Self.patience)
      do throws(RPCError) {
        return (
          exchange,
          try await exchange.whileNotCancelled { () async throws(RPCError) in
            try await exchange.response.head()
          }
        )
      } catch {
        guard kept != nil, error.isNotProcessed else { throw error }
      }
    }
  }

  /// Sends the request of a stream; returns when its response has begun.
  func open(
    _ method: MethodInfo, _ json: [UInt8], _ options: CallOptions
  ) async throws(RPCError) -> HTTPCall {
    let token = try await token()
    let length = withUnsafeBytes(of: UInt32(json.count).bigEndian) { Array($0) }
    let (exchange, status) = try await start(
      request(method.name, [0] + length + json, "application/connect+json", token, options),
      options)
    exchange.hasBegun()
    guard status == 200 else {
      exchange.giveUp(ConnectError.error(status, exchange.response.fields, []))
      throw ConnectError.error(status, exchange.response.fields, [])
    }
    return exchange
  }

  private func request(
    _ method: String, _ body: [UInt8], _ contentType: String, _ token: String?,
    _ options: CallOptions
  ) -> [UInt8] {
    var head = "POST /\(method) HTTP/1.1\r\nhost: \(address.endpoint)\r\n"
    head += "content-type: \(contentType)\r\ncontent-length: \(body.count)\r\n"
    head += "connect-protocol-version: 1\r\n"
    if let token { head += "authorization: Bearer \(token)\r\n" }
    if let key = options.idempotencyKey {
      head += "idempotency-key: \(Self.hexadecimal(key.bytes))\r\n"
    }
    if let after = options.after {
      head += "quiver-after-sequence: \(after.sequence)\r\n"
      head += "quiver-store-epoch: \(after.storeEpoch)\r\n"
    }
    return Array((head + "\r\n").utf8) + body
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  // MARK: Connections and tokens

  /// A connection of an earlier call; nil: there is none.
  private func takeKept() -> HTTPClientEnd? {
    while let end = state.withLock({ $0.idle.popLast() }) {
      if end.isUsable { return end }
    }
    return nil
  }

  private func keep(_ connection: HTTPClientEnd?) {
    guard let connection, connection.isUsable else { return }
    state.withLock { $0.idle.append(connection) }
  }

  /// The token that calls carry, which a spectator requests first; nil: none.
  package func token() async throws(RPCError) -> String? {
    switch identity {
    case .anonymous: return nil
    case .token(let token): return token
    case .spectator(let code):
      if let token = state.withLock({ $0.spectatorToken }) { return token }
      let body = try await call(
        Self.tokenMethod, Array("{\"joinCode\":\"\(code)\"}".utf8), nil, CallOptions())
      guard let token = try? JSONValue(reading: body).member("token")?.string else {
        throw RPCError(.internal, "the reply has no token", origin: .client)
      }
      state.withLock { $0.spectatorToken = token }
      return token
    }
  }

  /// The next call requests another token.
  func forgetToken() { state.withLock { $0.spectatorToken = nil } }

  // MARK: JSON

  private static func json(_ request: [UInt8], _ method: MethodInfo) throws(RPCError) -> [UInt8] {
    do throws(DecodeError) {
      return Array(try MessageJSON().text(of: request, method.schema.input).utf8)
    } catch {
      throw RPCError(
        .invalidArgument, "the request cannot be decoded: \(error)", isNotProcessed: true,
        origin: .client)
    }
  }

  static func message(_ json: [UInt8], _ method: MethodInfo) throws(RPCError) -> [UInt8] {
    do throws(JSONError) {
      return try MessageJSON().message(method.schema.output, from: json).serializedBytes()
    } catch {
      throw RPCError(.internal, "the reply is not JSON of its message: \(error)", origin: .client)
    }
  }
}
