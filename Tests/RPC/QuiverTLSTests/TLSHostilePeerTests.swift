import CTLS
import Glibc
import QuiverRPC
import QuiverWire
import TestCertificates
import TestSupport
import TestTransports
import Testing

@testable import QuiverTLS

@Suite("Hostile peers over TLS sockets", .serialized, .timeLimit(.minutes(5)), .eachReadiness)
struct TLSHostilePeerTests {
  let authority: TestAuthority
  let server: SecureServer

  init() throws {
    authority = try TestAuthority()
    server = try SecureServer(try authority.server(try authority.issue("server")))
  }

  func peer() throws -> SecurePeer { try SecurePeer(server, try authority.client()) }

  /// Throws unless the server accepts another connection.
  func stillServes() async throws {
    try await TLSServingTests.echo(try server.client(try authority.security()))
  }

  @Test("L06: a call that comes with a close_notify is answered, and a close_notify follows")
  func closeNotify() throws {
    let peer = try peer()
    // In one write, so that the server reads the end together with the call.
    peer.sendRaw(try peer.encrypt(SecurePeer.greeting + SecurePeer.echo(1)) + peer.closeNotify())
    shutdown(peer.descriptor, Int32(SHUT_WR))
    #expect(peer.frames() == [.hello, .response])
    #expect(peer.error == nil && peer.channel.state == .peerClosed)
    #expect(server.failures.isEmpty)
  }

  @Test("A truncated record is not processed, and an end without close_notify is an error")
  func truncatedRecord() async throws {
    let peer = try peer()
    peer.sendRaw(try peer.encrypt(SecurePeer.greeting))
    peer.sendRaw(Array(try peer.encrypt(SecurePeer.echo(1)).dropLast()))
    shutdown(peer.descriptor, Int32(SHUT_WR))
    #expect(peer.frames() == [.hello])
    #expect(await eventually { server.failures == [.truncated] })
    try await stillServes()
  }

  @Test("An end without close_notify is an error at the server")
  func cutConnection() async throws {
    let peer = try peer()
    peer.sendRaw(try peer.encrypt(SecurePeer.greeting))
    shutdown(peer.descriptor, Int32(SHUT_WR))
    _ = peer.frames()
    #expect(await eventually { server.failures == [.truncated] })
    try await stillServes()
  }

  @Test("Random bytes or a second handshake after the handshake end the connection with an alert")
  func garbage() async throws {
    let other = try authority.client()
    let hello = try Self.clientHello(other)
    for bytes in [[UInt8](repeating: 0xA5, count: 300), hello, SecurePeer.greeting] {
      let peer = try peer()
      peer.sendRaw(try peer.encrypt(SecurePeer.greeting))
      peer.sendRaw(bytes)
      _ = peer.frames()
      #expect(peer.error != nil, "the alert of the server")
    }
    #expect(await eventually { server.failures.count == 3 })
    #expect(Set(server.failures) == [.malformed])
    try await stillServes()
  }

  /// The first message of a handshake.
  private static func clientHello(_ client: TLSClient) throws -> [UInt8] {
    var wire = ByteQueue()
    try client.makeChannel(to: "localhost").start(wire: &wire)
    return Array(wire.bytes)
  }
}
