import QuiverClient
import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestCertificates
import Testing

@testable import QuiverTLS

@Suite("TLS over a hostile transport in memory", .timeLimit(.minutes(5)))
struct TLSLoopbackTests {
  @Test(
    "Calls succeed however the transport splits the records",
    arguments: 1...12 as ClosedRange<UInt64>)
  func calls(_ seed: UInt64) async throws {
    let authority = try TestAuthority()
    let echo: @Sendable (Blob, CallContext) throws(RPCError) -> Blob = { request, _ in request }
    let notes = SecureServer.Notes()
    var server = LoopbackServer(
      router: Router([.synchronous(SecureServer.echo, echo)]), authenticator: notes,
      identity: ServerIdentity(software: "quiver/test", instanceID: [1]))
    server.security = try authority.server(try authority.issue("server"))
    var link = LoopbackLink.plain
    link.seed = seed
    link.chunkBytes = 1...Int(seed * 37)
    link.capacityBytes = 4_096
    link.delayNanoseconds = 0...100_000
    var configuration = RPCClient.Configuration()
    configuration.security = try authority.security()
    configuration.limits.maxAttempts = 1
    let client = RPCClient(
      configuration, transport: LoopbackTransport(link: link), endpoint: server)
    for count in [0, 1, 5_000, 40_000] {
      let reply = try await client.call(SecureServer.echo, Blob(count: count))
      #expect(reply.data.count == count)
    }
  }
}
