import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Drains and limits on abuse", .timeLimit(.minutes(5)))
struct ServerDrainTests {
  @Test("A drain sends GOAWAY, waits for a round trip, names the last call and waits for it")
  func drain() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    server.end.drain(now: server.now)
    #expect(server.drainOutput() == ["GOAWAY NO_ERROR, last 2147483647", "PING"])
    #expect(server.receive(request(3, Number.hold)) == [], "what was on its way is taken")
    #expect(server.receive(ping(1, .end)) == ["GOAWAY NO_ERROR, last 3"])
    #expect(server.receive(request(5, Number.echo)) == [], "above the last: dropped")
    #expect(server.receive(data(5, [], .end)) == [])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    #expect(server.phase == .open)
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 3: 0"])
    #expect(server.phase == .closing)
  }

  @Test("A drain continues after 10 s without a reply to its PING")
  func drainWithoutAnswer() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    server.end.drain(now: server.now)
    #expect(server.drainOutput().count == 2)
    #expect(server.advance(milliseconds: 9_999) == [])
    #expect(server.advance(milliseconds: 1) == ["GOAWAY NO_ERROR, last 1"])
    #expect(server.phase == .open)
  }

  @Test("L02: calls that are open at the end of a drain are cancelled with UNAVAILABLE")
  func drainDeadline() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    server.receive(request(3, Number.hold))
    server.receive(cancel(3))
    server.end.drain(now: server.now)
    #expect(server.drainOutput().count == 2)
    #expect(server.receive(ping(1, .end)) == ["GOAWAY NO_ERROR, last 3"])
    #expect(server.advance(milliseconds: 29_999) == [])
    #expect(server.advance(milliseconds: 1) == ["CANCEL 1 UNAVAILABLE"], "3 was given up already")
    #expect(server.phase == .closing)
    #expect(server.held.cancelledCount == 2)
  }

  @Test("A drain without open calls ends after its round trip")
  func idleDrain() {
    let server = ServerHarness()
    server.end.drain(now: server.now)
    server.end.drain(now: server.now)
    #expect(server.drainOutput() == ["GOAWAY NO_ERROR, last 2147483647", "PING"])
    #expect(server.receive(ping(1, .end)) == ["GOAWAY NO_ERROR, last 0"])
    #expect(server.phase == .closing)
  }

  @Test("A drain during a large reply closes when the last byte is sent")
  func drainDuringReply() {
    let server = ServerHarness()
    server.receive(request(1, Number.echo, blob(encoded: 12_000)))
    server.end.drain(now: server.now)
    server.drainOutput()
    server.reads = false
    server.receive(request(3, Number.echo, blob(encoded: 12_000)), ping(1, .end))
    server.reads = true
    #expect(server.drainOutput() == ["RESPONSE 3: 12000", "GOAWAY NO_ERROR, last 3"])
    #expect(server.phase == .closing)
  }

  @Test("A connection that is being opened during a drain is told that no call was processed")
  func drainInHandshake() {
    let server = ServerHarness(.silent)
    server.receive(Array(Preface.bytes.prefix(5)))
    server.end.drain(now: server.now)
    #expect(server.drainOutput() == ["HELLO", "GOAWAY NO_ERROR, last 0"])
  }

  @Test("An error during the final step does not change the last call id")
  func errorInDrain() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    server.end.drain(now: server.now)
    #expect(server.receive(ping(1, .end)).last == "GOAWAY NO_ERROR, last 1")
    server.receive(request(3, Number.hold))
    #expect(server.receive(frame(0)) == ["GOAWAY PROTOCOL_ERROR, last 1"])
  }

  @Test("A01: 200 calls may be opened and cancelled in 10 s; the next one ends the connection")
  func rapidReset() {
    let server = ServerHarness()
    for index in 0..<200 {
      let stream = UInt32(2 * index + 1)
      #expect(server.receive(request(stream, Number.hold), cancel(stream)) == [])
      server.held.take().responder.succeed(Blob())
    }
    server.receive(request(401, Number.hold))
    #expect(server.receive(cancel(401)) == ["GOAWAY ENHANCE_YOUR_CALM, last 401"])
  }

  @Test("A01: the same number over a longer time is allowed")
  func slowReset() {
    let server = ServerHarness()
    for index in 0..<1_000 {
      let stream = UInt32(2 * index + 1)
      server.receive(request(stream, Number.hold), cancel(stream))
      server.held.take().responder.succeed(Blob())
      #expect(server.advance(milliseconds: 110) == [])
    }
    #expect(server.phase == .open)
  }

  @Test("A02: stream errors that the peer provokes count in the same budget")
  func provokedResets() {
    let server = ServerHarness()
    var goAways: [String] = []
    var stream: UInt32 = 1
    for round in 0..<201 {
      let bytes =
        switch round % 4 {
        case 0: request(stream, 255)
        case 1: request(stream, head: [0xFF])
        case 2: request(stream, Number.echo, [0x0A, 0x05])
        default: request(stream, Number.hold) + cancel(stream)
        }
      goAways += server.receive(bytes).filter { $0.hasPrefix("GOAWAY") }
      stream += 2
    }
    #expect(goAways == ["GOAWAY ENHANCE_YOUR_CALM, last 401"])
  }

  @Test("A late CANCEL, one at the deadline, and refusals for lack of resources are not counted")
  func freeOfCharge() {
    let server = ServerHarness()
    var stream: UInt32 = 1
    for _ in 0..<300 {
      #expect(server.receive(request(stream, Number.echo), cancel(stream)).count == 1)
      stream += 2
    }
    for _ in 0..<300 {
      server.receive(request(stream, Number.hold, timeoutMilliseconds: 10))
      #expect(server.advance(milliseconds: 9) == [])
      #expect(server.receive(cancel(stream, .deadlineExceeded)) == [])
      server.held.take().responder.succeed(Blob())
      stream += 2
    }
    for _ in 0..<100 {
      server.receive(request(stream, Number.hold))
      stream += 2
    }
    for _ in 0..<300 {
      #expect(
        server.receive(request(stream, Number.echo))
          == ["STATUS \(stream) RESOURCE_EXHAUSTED, not processed"])
      stream += 2
    }
    #expect(server.phase == .open)
  }

  @Test("A03: PINGs below the shortest interval have a budget of ten per minute")
  func pingFlood() {
    let server = ServerHarness()
    for number in 0..<11 as Range<UInt64> { #expect(server.receive(ping(number)) == ["PING END"]) }
    #expect(server.receive(ping(12)) == ["GOAWAY ENHANCE_YOUR_CALM, last 0"])
  }

  @Test("A03: PINGs at the shortest interval are unlimited")
  func steadyPings() {
    let server = ServerHarness()
    for number in 1...500 as ClosedRange<UInt64> {
      #expect(server.receive(ping(number)) == ["PING END"])
      #expect(server.advance(milliseconds: 10_000) == [])
    }
  }

  @Test("A04: empty frames use their credit and have no other cost")
  func emptyFrames() {
    let server = ServerHarness()
    server.receive(request(1, Number.echo))
    for _ in 0..<50_000 { server.receive(data(1, [])) }
    #expect(server.phase == .open)
    #expect(server.openStreams == 0)
    #expect(server.end.connection.pointee.core.outputByteCount == 0)
  }

  @Test("A09: fragments stay within the connection's memory for them")
  func parkedFragments() {
    var limits = Limits()
    limits.maxMessageBytes = 64 * 1_024
    limits.reassemblyBytes = 128 * 1_024
    let server = ServerHarness(.knownOtherwise, limits: limits)
    let part = [UInt8](repeating: 0, count: 16_000)
    var refused = 0
    for index in 0..<20 {
      let stream = UInt32(2 * index + 1)
      refused +=
        server.receive(
          request(stream, Number.hold, part, .more)
        ).filter { $0.contains("RESOURCE_EXHAUSTED") }.count
      #expect(server.end.connection.pointee.core.reassemblyBytes <= 128 * 1_024)
    }
    #expect(refused == 12)
    #expect(server.phase == .open)
    server.end.closed("gone")
    #expect(server.end.connection.pointee.core.reassemblyBytes == 0)
  }

  @Test("The fragments of a message are discarded when its call ends")
  func keepsNothing() {
    let server = ServerHarness()
    let part = blob(encoded: 3_000)
    server.receive(
      request(1, Number.echo, Array(part[..<1_500]), .more), data(1, Array(part[1_500...]), .end))
    #expect(server.end.connection.pointee.completed == nil)
    #expect(server.end.connection.pointee.core.deframer.keptByteCount == 0)
  }
}
