import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Clients that write slowly", .timeLimit(.minutes(5)))
struct SlowWriterTests {
  @Test(
    "row 9: a thousand clients of a byte per second use little memory and are closed in time")
  func byteASecond() {
    let budget = ByteBudget(limits: Limits())
    let other = ServerHarness(budget: budget)
    let silentServers = (0..<500).map { _ in ServerHarness(.silent, budget: budget) }
    let callers = (0..<500).map { _ in ServerHarness(budget: budget) }
    let greeting = Preface.bytes + hello()
    let call = request(1, Number.echo, [UInt8](repeating: 7, count: 10_000))
    for second in 0..<30 {
      for server in silentServers where server.phase != .closed {
        #expect(server.receive([greeting[second]]) == [])
        #expect(server.advance(milliseconds: 1_000) == [])
      }
      for caller in callers {
        #expect(caller.receive([call[second]]) == [])
        let said = caller.advance(milliseconds: 1_000)
        #expect(said == (second == 29 ? ["GOAWAY TIMEOUT, last 0"] : []))
      }
      let ended = silentServers.count { $0.phase == .closed }
      #expect(ended == (second >= 4 ? silentServers.count : 0), "after \(second + 1) s")
      #expect(Self.kept(silentServers + callers) <= 1_000 * (second + 1))
      let stream = UInt32(2 * second + 1)
      #expect(other.receive(request(stream, Number.echo, [])) == ["RESPONSE \(stream): 0"])
    }
    #expect(budget.heldBytes == 0)
    for caller in callers { #expect(caller.advance(milliseconds: 1_000) == []) }
    #expect(callers.allSatisfy { $0.phase == .closed })
    #expect(other.phase == .open)
  }

  @Test("row 9: a message without progress ends its call only, after 60 s")
  func abandonedMessage() {
    var limits = Limits()
    limits.minimumReceiveRate = 0
    let server = ServerHarness(limits: limits)
    let part = [UInt8](repeating: 7, count: 1_024)
    #expect(server.receive(request(1, Number.hold, part, .more)) == [])
    for second in 1...90 {
      // Complete frames of other calls, and of this call while it makes progress, do not help it.
      if second == 30 { #expect(server.receive(data(1, part, .more)) == []) }
      let stream = UInt32(2 * second + 1)
      #expect(server.receive(request(stream, Number.echo, [])) == ["RESPONSE \(stream): 0"])
      let said = server.advance(milliseconds: 1_000)
      #expect(said == (second == 89 ? ["STATUS 1 RESOURCE_EXHAUSTED, not processed"] : []))
    }
    #expect(server.phase == .open && server.openStreams == 0)
  }

  @Test("row 12: announced lengths use no memory, on a thousand connections")
  func promises() {
    let budget = ByteBudget(limits: Limits())
    let servers = (0..<1_000).map { _ in ServerHarness(budget: budget) }
    for server in servers {
      #expect(server.receive(header(.request, stream: 1, promising: 16_384) + [3]) == [])
      #expect(server.end.connection.pointee.core.deframer.allocatedByteCount <= 512)
    }
    #expect(budget.heldBytes == 0)
    for server in servers {
      let over = ServerHarness(budget: budget)
      #expect(
        over.receive(header(.request, stream: 1, promising: 0xFF_FFFF))
          == ["GOAWAY FRAME_SIZE_ERROR, last 0"])
      #expect(over.end.connection.pointee.core.deframer.keptByteCount <= FrameHeader.byteCount)
      #expect(server.phase == .open)
    }
  }

  /// The memory of incomplete frames of all servers.
  private static func kept(_ servers: [ServerHarness]) -> Int {
    servers.reduce(0) { $0 + $1.end.connection.pointee.core.deframer.keptByteCount }
  }
}
