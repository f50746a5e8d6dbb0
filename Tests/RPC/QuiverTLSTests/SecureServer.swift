import Foundation
import Glibc
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import TestCertificates
import Testing

@testable import QuiverTLS

/// A message with one field of bytes.
struct Blob: Message {
  var data: [UInt8] = []

  init() {}
  init(count: Int) { data = [UInt8](repeating: 7, count: count) }

  static let schema = Schema<Self>("quiver.test.SecureBlob", .bytes(1, "data", \.data))
}

/// A server on a real socket, with TLS by default.
final class SecureServer: Sendable {
  static let echo = UnaryMethod<Blob, Blob>("quiver.test.Secure/Echo", id: 4097)

  let server: Server
  let port: UInt16
  private let notes: Notes

  /// What the server has learned about its peers.
  final class Notes: Authenticator, Sendable {
    let peers = Mutex<[ConnectionPeer]>([])
    let failures = Mutex<[SecureChannelError.Code]>([])

    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .refused("the peer is known")
    }

    func authenticate(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict {
      peers.withLock { $0.append(peer) }
      return .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "C. Clout"))
    }
  }

  init(_ security: TLSServer?, limits: Limits = Limits(), shardCount: Int = 2) throws {
    let echo: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in request }
    let notes = Notes()
    var configuration = Server.Configuration(
      router: Router([.synchronous(Self.echo, echo)]), authenticator: notes,
      identity: ServerIdentity(software: "quiver/test", instanceID: [1]))
    configuration.limits = limits
    configuration.shardCount = shardCount
    configuration.security = security
    configuration.onSecurityFailure = { error, _ in
      notes.failures.withLock { $0.append(error.code) }
    }
    server = try Server(configuration)
    self.notes = notes
    let endpoint = try #require(Endpoint((security == nil ? "" : "tls://") + "127.0.0.1:0"))
    port = try #require(try server.listen(on: endpoint).first?.port)
  }

  deinit { server.stop() }

  var peers: [ConnectionPeer] { notes.peers.withLock { $0 } }
  var failures: [SecureChannelError.Code] { notes.failures.withLock { $0 } }

  /// A client of the server with one connection and without retries.
  func client(_ security: TransportSecurity?, secure: Bool = true) throws -> RPCClient {
    var configuration = RPCClient.Configuration(
      server: (secure ? "tls://" : "") + "127.0.0.1:\(port)")
    configuration.security = security
    configuration.limits.maxAttempts = 1
    return try RPCClient(configuration)
  }

  /// Connects a socket without TLS.
  func connect() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    return descriptor
  }
}

extension TestAuthority {
  /// The trust and the certificate of a client of `SecureServer`.
  func security(certificate: Issued? = nil) throws -> TransportSecurity {
    TransportSecurity(try client(certificate: certificate))
  }
}
