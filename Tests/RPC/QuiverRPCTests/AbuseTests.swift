import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Many calls and many connections", .timeLimit(.minutes(5)))
struct AbuseTests {
  @Test("A05: calls above the limit are refused one by one, at no cost and outside every budget")
  func streamFlood() {
    let server = ServerHarness()
    server.receive(credit(0, 1 << 40))
    for call in 0..<100 as Range<UInt32> {
      #expect(server.receive(request(call * 2 + 1, Number.hold, [])) == [])
    }
    for call in 100..<2_000 as Range<UInt32> {
      let words = server.receive(request(call * 2 + 1, Number.hold, []))
      #expect(words.first == "STATUS \(call * 2 + 1) RESOURCE_EXHAUSTED, not processed")
    }
    #expect(server.phase == .open && server.openStreams == 100 && server.held.count == 100)
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    #expect(server.receive(request(4_001, Number.echo, [])) == ["RESPONSE 4001: 0"])
  }

  @Test("A10, row 13: 10,000 idle connections have no buffers, and wake up only for keepalive")
  func idleConnections() {
    let budget = ByteBudget(limits: Limits())
    for number in 0..<10_000 {
      let server = ServerHarness(budget: budget)
      server.receive(request(1, Number.echo, Blob([1]).serializedBytes()))
      var spare = ByteQueue()
      server.end.exchangeOutput(&spare)
      let core = server.end.connection
      #expect(core.pointee.core.output.allocatedByteCount == 0)
      #expect(core.pointee.core.streams.isEmpty && core.pointee.core.heldInputBytes == 0)
      #expect(server.end.nextTimer == server.now + 60_000_000_000, "connection \(number)")
    }
    #expect(budget.heldBytes == 0)
  }

  @Test("A10: a connection that had a hundred calls returns their slots once it is idle")
  func placesOfCalls() {
    let server = ServerHarness()
    for call in 0..<100 as Range<UInt32> {
      server.receive(request(call * 2 + 1, Number.hold, []))
    }
    while server.held.count > 0 { server.held.take().responder.succeed(Blob()) }
    server.drainOutput()
    #expect(server.end.connection.pointee.core.streams.slotEnd == 100)
    #expect(server.advance(milliseconds: 59_000).isEmpty)
    #expect(server.end.connection.pointee.core.streams.slotEnd == 100)
    #expect(server.advance(milliseconds: 2_000) == ["PING"])
    #expect(server.end.connection.pointee.core.streams.slotEnd == 0)
    #expect(server.receive(request(301, Number.echo, [])) == ["RESPONSE 301: 0"])
  }

  @Test(
    "F08: unread streams of many connections use at most the memory budget of the process")
  func stalledPeers() {
    var limits = Limits()
    limits.outputBytes = 4 << 20
    limits.reassemblyBytes = 4 << 20
    limits.heldInputBytes = 4 << 20
    limits.processBytes = 8 << 20
    limits.sharePercent = 100
    #expect(limits.validate() == nil)
    let budget = ByteBudget(limits: limits)
    let servers = (0..<20).map { _ in
      ServerHarness(limits: limits, budget: budget) {
        $0.initialConnectionCredit = 1 << 40
        $0.initialStreamCredit = 4_096
      }
    }
    // Each reply has 64 KiB, and the clients do not read.
    for server in servers { server.reads = false }
    for call in 0..<50 as Range<UInt32> {
      for server in servers {
        server.receive(request(call * 2 + 1, Number.source, Blob([1, 0, 0]).serializedBytes()))
      }
    }
    // Calls that were refused above 80 % use a few bytes; one read may exceed the limit by its
    // size.
    #expect(budget.heldBytes > 6 << 20)
    #expect(budget.heldBytes < 7 << 20)
    #expect(budget.pressure >= .refuses)
    #expect(servers.allSatisfy { $0.phase == .open })
    // All connections end.
    for server in servers { server.end.closed("gone") }
    #expect(budget.heldBytes == 0)
  }
}
