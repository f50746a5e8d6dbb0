import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Borders of what a server's connection accepts", .timeLimit(.minutes(5)))
struct ConnectionBorderTests {
  @Test("A method above the highest number ends UNIMPLEMENTED")
  func unknownMethod() throws {
    let highest = try #require(testRouter(HeldCalls()).routes.map(\.method.id).max())
    let server = ServerHarness()
    let words = server.receive(request(1, highest + 1))
    #expect(words.count == 1 && words[0].hasPrefix("STATUS 1 UNIMPLEMENTED"), "\(words)")
  }

  @Test("A client's GOAWAY may repeat its last stream, and must not raise it")
  func repeatedGoAway() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    #expect(server.receive(goAway(last: 5)) == [])
    #expect(server.receive(goAway(last: 5)) == [])
    #expect(server.receive(goAway(last: 7)).last?.hasPrefix("GOAWAY PROTOCOL_ERROR") == true)
  }

  @Test("A connection that is closing for an error is not ended a second time")
  func closing() {
    let server = ServerHarness()
    let fault = ConnectionFault(.protocolError, "the test ends it")
    server.end.fail(fault, now: server.now)
    server.end.fail(fault, now: server.now)
    #expect(server.drainOutput() == ["GOAWAY PROTOCOL_ERROR, last 0"])
  }
}
