import Foundation
import Glibc
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("A server behind haproxy", .timeLimit(.minutes(5)))
struct HAProxyTests {
  static let program = "/usr/sbin/haproxy"

  @Test(
    "The PROXY header of haproxy has the client's address",
    .enabled(if: access(program, X_OK) == 0, "haproxy is not installed"))
  func header() async throws {
    // The proxy connects from its own address, the only trusted one.
    let server = try TestServer { $0.trustedProxies = TrustedNetworks("127.0.0.9") ?? .init() }
    let directory = try TemporaryDirectory()
    let port = try freePort()
    let configuration = try directory.file(
      "haproxy.cfg",
      """
      defaults
        mode tcp
        timeout connect 5s
        timeout client 30s
        timeout server 30s
      listen quiver
        bind 127.0.0.1:\(port)
        source 127.0.0.9
        server quiver 127.0.0.1:\(server.port) send-proxy-v2

      """)
    let proxy = Process()
    proxy.executableURL = URL(filePath: Self.program)
    proxy.arguments = ["-db", "-f", configuration]
    try proxy.run()
    defer {
      proxy.terminate()
      proxy.waitUntilExit()
    }
    var connected: RawPeer?
    #expect(
      await eventually {
        connected = try? RawPeer(port: port)
        return connected != nil
      })
    let peer = try #require(connected)
    peer.send(greeting, request(1, Methods.echo))
    #expect(peer.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    let addresses = await server.server.connections().map(\.address)
    #expect(addresses == ["127.0.0.1"])
    peer.close()
    #expect(await eventually { server.server.connectionCount == 0 })
  }

  /// A port on which nobody listens.
  private func freePort() throws -> UInt16 {
    let router = Router([])
    let probe = try Server(
      Server.Configuration(
        router: router, authenticator: AcceptAll(),
        identity: ServerIdentity(software: "probe", instanceID: [1])))
    defer { probe.stop() }
    let endpoint = try #require(Endpoint("127.0.0.1:0"))
    return try #require(try probe.listen(on: endpoint).first).port
  }
}
