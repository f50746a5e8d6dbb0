import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverDispatch

@Suite("Connections for which there is no room", .timeLimit(.minutes(5)))
struct RejectedConnectionTests {
  @Test("As many of them as the limit says read the reason, and further ones are closed at once")
  func limit() throws {
    var limits = Limits()
    limits.maxConnectionsPerAddress = 1
    limits.maxRejectedConnections = 2
    limits.lingerMilliseconds = 60_000
    let server = try TestServer(limits: limits)
    let first = try RawPeer(port: server.port)
    first.send(greeting, request(1, Methods.echo))
    #expect(first.readFrames(2) == ["HELLO", "RESPONSE 1: 0"])
    let rejected = try (0..<2).map { _ in try RawPeer(port: server.port) }
    for peer in rejected {
      #expect(peer.readFrames(2).last == "GOAWAY TOO_MANY_CONNECTIONS")
    }
    // The others still have their time to read.
    let last = try RawPeer(port: server.port)
    #expect(last.readFrame() == nil && last.isAtEnd)
    first.send(request(3, Methods.echo))
    #expect(first.readFrames(1) == ["RESPONSE 3: 0"])
  }
}
