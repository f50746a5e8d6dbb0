import Foundation
import QuiverAPI
import QuiverClient
import QuiverCommandLine
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverTLS
import QuiverWire
import QuiverZstd

/// The Swift client under test: makes the calls that it reads as lines of JSON.
///
/// `docs/client-conformance.md` describes the lines. With `--dispatch-sources` its connections have
/// Dispatch sources of their own, as where there is no epoll.
@main
struct ConformanceClient {
  static func main() async {
    StandardStreams.prepare()
    Output.write(["event": "ready", "compression": true, "time_limits": true])
    let program = ConformanceClient()
    var client: RPCClient?
    var calls: [Int: any RunningCall] = [:]
    while let line = readLine() {
      guard
        let fields = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else { continue }
      let id = fields["id"] as? Int ?? 0
      switch fields["op"] as? String {
      case "connect":
        await client?.close(gracePeriod: .zero)
        client = program.connect(fields)
      case "call": if let client { calls[id] = program.call(client, id, fields) }
      case "send": calls[id]?.send(hex(fields["payload"]))
      case "finish": calls[id]?.finish()
      case "read": calls[id]?.read(fields["count"] as? Int ?? 0)
      case "cancel": calls[id]?.cancel()
      case "close":
        await client?.close(gracePeriod: .zero)
        client = nil
        calls = [:]
        Output.write(["event": "closed"])
      default: continue
      }
    }
  }

  private func connect(_ fields: [String: Any]) -> RPCClient? {
    let token = fields["token"] as? String ?? ""
    var configuration = RPCClient.Configuration(
      server: fields["server"] as? String ?? "", token: token.isEmpty ? nil : token)
    if fields["compression"] as? Bool == true { configuration.compression = Zstd() }
    configuration.usesDispatchSources = CommandLine.arguments.contains("--dispatch-sources")
    do {
      // The authorities are named whatever the address is.
      if let authorities = fields["ca"] as? String, configuration.server.hasPrefix("tls://") {
        configuration.security = try .tls(tls(authorities, fields))
      }
      return try makeClient(configuration, fields)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return nil
    }
  }

  private func tls(_ authorities: String, _ fields: [String: Any]) -> TLSConfiguration {
    var tls = TLSConfiguration(trustedRoots: .file(authorities))
    tls.serverName = fields["server_name"] as? String
    if let certificate = fields["certificate"] as? String, let key = fields["key"] as? String {
      tls.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    }
    return tls
  }

  /// A client, over a transport of its own if it has other time limits.
  private func makeClient(
    _ configuration: RPCClient.Configuration, _ fields: [String: Any]
  ) throws -> RPCClient {
    let names: [(String, WritableKeyPath<Limits, Int>)] = [
      ("keepalive_ms", \.clientKeepaliveMilliseconds),
      ("keepalive_timeout_ms", \.keepaliveTimeoutMilliseconds),
      ("frame_timeout_ms", \.frameTimeoutMilliseconds),
      ("message_timeout_ms", \.reassemblyTimeoutMilliseconds),
      ("hello_timeout_ms", \.handshakeTimeoutMilliseconds),
    ]
    var limits = Limits()
    for (name, path) in names {
      if let value = fields[name] as? Int { limits[keyPath: path] = value }
    }
    guard limits != Limits(), let endpoint = Endpoint(configuration.server) else {
      return try RPCClient(configuration)
    }
    let transport = try DispatchTransport(
      limits: limits,
      readiness: configuration.usesDispatchSources ? .dispatchSources : .standard)
    return RPCClient(configuration, transport: transport, endpoint: endpoint)
  }

  private func call(_ client: RPCClient, _ id: Int, _ fields: [String: Any]) -> any RunningCall {
    var options = CallOptions()
    if let timeout = fields["timeout_ms"] as? Int { options.timeout = .milliseconds(timeout) }
    for entry in (fields["metadata"] as? String ?? "").split(separator: ",") {
      let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
      options.metadata.append(String(parts[0]), hex(String(parts[1])))
    }
    if let key = fields["key"] { options.idempotencyKey = IdempotencyKey(hex(key)) }
    if let waits = fields["wait_for_ready"] as? Bool { options.waitsForReady = waits }
    if let after = fields["after"] as? Int64 ?? (fields["after"] as? Int).map(Int64.init) {
      options.after = WatchPosition(
        sequence: after, storeEpoch: UInt64(fields["epoch"] as? String ?? "") ?? 0)
    }
    let request = EchoMessage.with { $0.payload = hex(fields["payload"]) }
    switch fields["method"] as? String {
    case "upload": return UploadCall(id, client, options)
    case "download":
      return StreamCall(id) { try client.stream(Methods.download, request, options: options) }
    case "talk": return TalkCall(id, client, options)
    case "watch": return WatchCall(id, client, options)
    case "mutate": return UnaryCall(id, client, Methods.mutate, request, options)
    default: return UnaryCall(id, client, Methods.unary, request, options)
    }
  }
}

/// The methods that the scripted server answers.
enum Methods {
  static let mutate = UnaryMethod<EchoMessage, EchoMessage>(
    "quiver.conformance.Peer/Mutate", id: 65_281, mutating: true)
  static let unary = UnaryMethod<EchoMessage, EchoMessage>(
    "quiver.conformance.Peer/Unary", id: 65_282)
  static let upload = ClientStreamingMethod<EchoMessage, EchoMessage>(
    "quiver.conformance.Peer/Upload", id: 65_283)
  static let download = ServerStreamingMethod<EchoMessage, EchoMessage>(
    "quiver.conformance.Peer/Download", id: 65_284)
  static let talk = BidirectionalMethod<EchoMessage, EchoMessage>(
    "quiver.conformance.Peer/Talk", id: 65_285)
}

/// Lines on standard output.
enum Output {
  private static let lock = NSLock()

  static func write(_ fields: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: fields) else { return }
    lock.withLock { StandardOutput.printOrExit(String(decoding: data, as: UTF8.self)) }
  }

  static func message(_ id: Int, _ payload: [UInt8]) {
    write(["event": "message", "id": id, "payload": text(payload)])
  }

  static func end(_ id: Int, initial: Metadata = [:], trailing: Metadata = [:]) {
    write([
      "event": "end", "id": id, "code": 0, "initial": text(initial), "trailing": text(trailing),
    ])
  }

  static func end(_ id: Int, _ error: any Error) {
    guard let error = error as? RPCError else {
      return write(["event": "end", "id": id, "code": 1, "text": "\(error)"])
    }
    write([
      "event": "end", "id": id, "code": Int(error.code.rawValue), "text": error.message,
      "not_processed": error.isNotProcessed,
      "retry_after_ms": Int(error.retryAfterMilliseconds ?? 0),
      "details": error.details.map { "\($0.type)=\(text($0.value))" }.joined(separator: ","),
      "trailing": text(error.metadata),
    ])
  }

  private static func text(_ metadata: Metadata) -> String {
    metadata.entries.map { "\($0.key)=\(text($0.value))" }.joined(separator: ",")
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

func hex(_ value: Any?) -> [UInt8] {
  let digits = Array((value as? String ?? "").utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
  return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map {
    digits[$0] << 4 | digits[$0 + 1]
  }
}
