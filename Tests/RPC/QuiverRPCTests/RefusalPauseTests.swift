import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Pauses after refused calls", .timeLimit(.minutes(5)))
struct RefusalPauseTests {
  /// A call that ends RESOURCE_EXHAUSTED with `retry_after_ms` 100.
  private static func refused(_ stream: UInt32) -> [UInt8] {
    request(stream, Number.fail, Blob([8, 100]).serializedBytes())
  }

  private static func refused(_ streams: Range<UInt32>) -> [UInt8] {
    streams.flatMap { refused($0 * 2 + 1) }
  }

  @Test("A connection whose calls are refused one after the other is read at a low rate")
  func flood() {
    let server = ServerHarness()
    let words = server.receive(Self.refused(0..<200), request(401, Number.echo))
    #expect(words.count == 17)
    #expect(words.allSatisfy { $0.contains("RESOURCE_EXHAUSTED") })
    #expect(!server.end.wantsInput)
    // 20 ms, then twice as long with each call, up to 1 s.
    #expect(server.advance(milliseconds: 19).isEmpty)
    #expect(server.advance(milliseconds: 1).count == 1)
    #expect(server.advance(milliseconds: 39).isEmpty)
    #expect(server.advance(milliseconds: 1).count == 1)
    #expect(server.advance(milliseconds: 10_000).count == 12)
    // Calls behind them are answered in their turn.
    let last = server.advance(milliseconds: 200_000)
    #expect(last.filter { $0.contains("RESOURCE_EXHAUSTED") }.count == 200 - 17 - 14)
    #expect(last.contains("RESPONSE 401: 0") && server.end.wantsInput)
  }

  @Test("A paused connection that ends discards what its client still sends")
  func pausedEnd() {
    let server = ServerHarness()
    server.receive(Self.refused(0..<60))
    #expect(!server.end.wantsInput)
    server.end.fail(ConnectionFault(.enhanceYourCalm, "too much"), now: 1)
    #expect(server.drainOutput().contains { $0.hasPrefix("GOAWAY ENHANCE_YOUR_CALM") })
    #expect(server.end.wantsInput)
    #expect(server.receive(Self.refused(60..<80)).isEmpty && server.end.wantsInput)
  }

  @Test("Some refusals have no effect, and count no more after two seconds without one")
  func fewRefusals() {
    let server = ServerHarness()
    for round in 0..<5 as Range<UInt32> {
      let first = round * 20
      #expect(server.receive(Self.refused(first..<first + 16)).count == 16)
      #expect(server.end.wantsInput)
      #expect(
        server.receive(request(first * 2 + 39, Number.echo)) == ["RESPONSE \(first * 2 + 39): 0"])
      #expect(server.advance(milliseconds: 2_001).isEmpty)
    }
  }

  @Test("Refusals of a user for whom a service calls do not pause its calls for others")
  func users() {
    let server = ServerHarness()
    for call in 0..<50 as Range<UInt32> {
      let words = server.receive(
        request(call * 2 + 1, Number.fail, Blob([8, 100]).serializedBytes()) { head in
          head.metadata = [MetadataMessage(ActingUser.key, Array("7".utf8))]
        })
      #expect(words.isEmpty)
      server.lookups.answer(7)
      #expect(server.drainOutput().first?.contains("RESOURCE_EXHAUSTED") == true)
    }
    #expect(server.receive(request(401, Number.echo)) == ["RESPONSE 401: 0"])
  }

  @Test("Errors that name no limit do not pause a connection")
  func otherErrors() {
    let server = ServerHarness()
    for call in 0..<50 as Range<UInt32> {
      server.receive(request(call * 4 + 1, Number.fail, Blob([9]).serializedBytes()))
      server.receive(request(call * 4 + 3, Number.fail, Blob([14, 100]).serializedBytes()))
    }
    #expect(server.receive(request(401, Number.echo)) == ["RESPONSE 401: 0"])
  }

  @Test("A connection whose calls are refused at a quota is read at a low rate")
  func quota() {
    let server = ServerHarness()
    let calls = (0..<100 as Range<UInt32>).flatMap {
      request($0 * 2 + 1, Number.fail, Blob([8]).serializedBytes())
    }
    #expect(server.receive(calls).count == 17)
    #expect(!server.end.wantsInput)
    #expect(server.advance(milliseconds: 20).count == 1)
  }

  @Test("A client that sends messages for which there is no room is read at a low rate")
  func messages() {
    var limits = Limits()
    limits.processBytes = 64 << 20
    let budget = ByteBudget(limits: limits)
    let server = ServerHarness(budget: budget)
    budget.share(for: .principal(1)).add(16 << 20)
    server.end.move(to: budget.share(for: .principal(1)))
    let part = [UInt8](repeating: 0, count: 2_000)
    let calls = (0..<100 as Range<UInt32>).flatMap { request($0 * 2 + 1, Number.hold, part, .more) }
    #expect(server.receive(calls).count == 17)
    #expect(!server.end.wantsInput)
    #expect(server.advance(milliseconds: 20).count == 1)
  }

  @Test("A client whose replies find no room is read at a low rate")
  func replies() {
    var limits = Limits()
    limits.outputBytes = 100_000
    let server = ServerHarness(limits: limits)
    server.reads = false
    // Each reply has 60,000 bytes: one is stored.
    for call in 0..<18 as Range<UInt32> {
      server.receive(
        request(call * 2 + 1, Number.source, Blob([0xEA, 0x60]).serializedBytes()))
    }
    #expect(!server.end.wantsInput)
    server.reads = true
    let words = server.drainOutput()
    #expect(words.filter { $0.contains("RESOURCE_EXHAUSTED") }.count == 17)
    _ = server.advance(milliseconds: 20)
    #expect(server.end.wantsInput)
  }

  @Test("A paused connection ends with its peer, and its reading goes on while it closes")
  func closing() {
    let server = ServerHarness()
    server.receive(Self.refused(0..<40))
    #expect(!server.end.wantsInput)
    server.end.fail(ConnectionFault(.noError, "the test ends it"), now: server.now)
    server.drainOutput()
    #expect(server.advance(milliseconds: 20).isEmpty)
    #expect(server.end.wantsInput && server.phase == .closing)
    _ = server.advance(milliseconds: 2_000)
    #expect(server.phase == .closed)
  }
}
