import Foundation
import QuiverRPC

/// One requirement for a client.
struct ClientCase: Sendable {
  var id: String
  var title: String
  /// Whether the client must decompress.
  var needsCompression = false
  /// Whether the client must take time limits in `connect`.
  var needsTimeLimits = false
  /// Whether the case also runs over a hostile wire and over TLS.
  var isRepeated = true
  /// Whether the case runs over TLS only.
  var isSecureOnly = false
  var body: @Sendable (Stage) throws -> Void

  init(
    _ id: String, _ title: String, compressed: Bool = false, timed: Bool = false,
    repeated: Bool = true, secureOnly: Bool = false,
    body: @escaping @Sendable (Stage) throws -> Void
  ) {
    self.id = id
    self.title = title
    needsCompression = compressed
    needsTimeLimits = timed
    isRepeated = repeated
    isSecureOnly = secureOnly
    self.body = body
  }

  static func all(vectors: String) throws -> [ClientCase] {
    try calls + statuses + endings + flow + compression + retries + drains + watches + faults
      + timeLimits + cuts + security + vectorCases(vectors) + conversationCases(vectors)
  }
}

/// The methods that the client under test calls. The messages are `EchoMessage`, except of the
/// watch, which is `Equipment/WatchItems`.
enum ScriptedMethod: String {
  case mutate
  case unary
  case upload
  case download
  case talk
  case watch

  var id: UInt32 {
    switch self {
    case .mutate: 65_281
    case .unary: 65_282
    case .upload: 65_283
    case .download: 65_284
    case .talk: 65_285
    case .watch: 4_100
    }
  }
}

/// A client and the scripted server of one case.
final class Stage {
  let driver: Driver
  let listener: Listener

  init(_ driver: Driver, _ wire: Wire) throws {
    self.driver = driver
    listener = try Listener(wire)
  }

  /// Makes a new client in the program under test; `limits` are fields of `connect`.
  func makeClient(
    token: String = "good", compression: Bool = false, limits: [String: Any] = [:]
  ) throws {
    var fields = limits
    fields["server"] = fields["server"] ?? listener.address
    fields["token"] = token
    fields["compression"] = compression
    if let certificates = listener.certificates, fields["ca"] == nil {
      fields["ca"] = "\(certificates)/ca.pem"
    }
    try driver.command("connect", fields)
  }

  /// Starts a call.
  func call(
    _ id: Int, _ method: ScriptedMethod, _ payload: [UInt8] = [], _ options: [String: Any] = [:]
  ) throws {
    var fields = options
    fields["id"] = id
    fields["method"] = method.rawValue
    fields["payload"] = Hex.encode(payload)
    try driver.command("call", fields)
  }

  func read(_ id: Int, _ count: Int) throws {
    try driver.command("read", ["id": id, "count": count])
  }

  func send(_ id: Int, _ payload: [UInt8]) throws {
    try driver.command("send", ["id": id, "payload": Hex.encode(payload)])
  }

  func finish(_ id: Int) throws { try driver.command("finish", ["id": id]) }

  func cancel(_ id: Int) throws { try driver.command("cancel", ["id": id]) }

  /// The next connection, after both HELLOs.
  func greeted(_ change: (inout Hello) -> Void = { _ in }) throws -> ScriptedConnection {
    let connection = try listener.accept()
    try connection.greet(change)
    return connection
  }

  /// A client with a unary call on a new connection; the connection and the REQUEST.
  func opened(
    _ method: ScriptedMethod = .unary, _ payload: [UInt8] = [1, 2, 3],
    _ options: [String: Any] = [:]
  ) throws -> (connection: ScriptedConnection, request: ScriptedConnection.Request) {
    try makeClient()
    try call(1, method, payload, options)
    let connection = try greeted()
    return (connection, try connection.wholeRequest())
  }

  /// Throws unless another call on the same connection is answered; `behind`: a stream on which the
  /// client may still send, or end what it sends.
  func expectAlive(
    _ connection: ScriptedConnection, id: Int = 99, behind stream: UInt32? = nil
  ) throws {
    try call(id, .unary, [9])
    let request = try connection.wholeRequest(behind: stream)
    connection.respond(request.stream, [9, 9])
    try require(driver.message(id), is: [9, 9], "the reply of a further call")
    try driver.end(id, 0)
  }
}

/// Bytes that differ from each other.
func pattern(_ count: Int) -> [UInt8] {
  var random: UInt32 = 7
  return (0..<count).map { _ in
    random = random &* 1_664_525 &+ 1_013_904_223
    return UInt8(random >> 24)
  }
}
