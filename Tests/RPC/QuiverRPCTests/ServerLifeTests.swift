import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Deadlines, cancellation and keepalive on the server", .timeLimit(.minutes(5)))
struct ServerLifeTests {
  @Test("D01: a deadline cancels the handler, and the status is sent when it returns")
  func deadline() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold, timeoutMilliseconds: 1)) == [])
    #expect(server.advance(milliseconds: 1) == [])
    #expect(server.held.cancelledCount == 1)
    #expect(server.openStreams == 1, "the slot is the handler's until it returns")
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["STATUS 1 DEADLINE_EXCEEDED"])
    #expect(server.openStreams == 0)
  }

  @Test("D02: the handler sees the remaining time, rounded up")
  func timeLeft() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold, timeoutMilliseconds: 1_000))
    let context = server.held.take().context
    #expect(context.timeLeftMilliseconds == 1_000)
    server.reactor.nowNanoseconds += 100_500_000
    #expect(context.timeLeftMilliseconds == 900)
    server.reactor.nowNanoseconds += 2_000_000_000
    #expect(context.timeLeftMilliseconds == 0)
    server.receive(request(3, Number.hold))
    #expect(server.held.take().context.timeLeftMilliseconds == nil)
  }

  @Test("D03: a call that expires before its request is complete is not dispatched")
  func neverDispatched() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold, [], .more, timeoutMilliseconds: 50)) == [])
    #expect(
      server.advance(milliseconds: 50) == ["STATUS 1 DEADLINE_EXCEEDED, not processed"])
    #expect(server.receive(data(1, [], .end)) == [])
    #expect(server.held.count == 0)
  }

  @Test("D03: a call whose last fragment arrives at its deadline is not dispatched")
  func expiredAtTheEnd() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold, [], .more, timeoutMilliseconds: 50)) == [])
    server.reactor.nowNanoseconds += 50_000_000
    #expect(server.receive(data(1, [], .end)) == ["STATUS 1 DEADLINE_EXCEEDED, not processed"])
    #expect(server.held.count == 0)
  }

  @Test("D06: a reply in time stands, and the later deadline has no effect")
  func answerInTime() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold, timeoutMilliseconds: 50))
    #expect(server.advance(milliseconds: 49) == [])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    #expect(server.advance(milliseconds: 10) == [])
  }

  @Test("The longest timeout does not overflow the clock")
  func longestTimeout() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold, timeoutMilliseconds: .max))
    #expect(server.held.take().context.timeLeftMilliseconds == 0x7FFF_FFFF)
  }

  @Test("A11: the deadlines of many calls fire in time")
  func manyDeadlines() {
    let server = ServerHarness()
    for index in 0..<100 {
      server.receive(
        request(UInt32(2 * index + 1), Number.hold, timeoutMilliseconds: UInt32(100 - index)))
    }
    for passed in 1...100 {
      #expect(server.advance(milliseconds: 1) == [])
      #expect(server.held.cancelledCount == passed)
    }
    for index in 0..<100 {
      server.held.take().responder.succeed(Blob())
      #expect(server.drainOutput() == ["STATUS \(2 * index + 1) DEADLINE_EXCEEDED"])
    }
    #expect(server.advance(milliseconds: 1_000) == [], "no storm of late frames")
  }

  @Test("A complete message that waits for END has the same time limit as fragments")
  func waitsForEnd() {
    var limits = Limits()
    limits.reassemblyTimeoutMilliseconds = 1_000
    let server = ServerHarness(limits: limits)
    let core = server.end.connection
    let part = [UInt8](repeating: 0, count: 2_000)
    server.receive(request(1, Number.hold, part, .more), data(1, part))
    #expect(core.pointee.core.reassemblyBytes == 4_000)
    #expect(server.advance(milliseconds: 999) == [])
    #expect(server.advance(milliseconds: 1) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    #expect(core.pointee.core.reassemblyBytes == 0 && server.openStreams == 0)
    server.receive(request(3, Number.hold, [], []), data(3, Blob(count: 2_000).serializedBytes()))
    #expect(server.advance(milliseconds: 999) == [])
    server.receive(frame(.close, stream: 3, []))
    #expect(server.advance(milliseconds: 10_000) == [] && server.held.count == 1)
  }

  @Test(
    "K01: CANCEL reaches the handler, has no reply, and frees the slot when the handler returns"
  )
  func cancelled() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold))
    #expect(server.receive(cancel(1)) == [])
    #expect(server.held.cancelledCount == 1)
    #expect(server.openStreams == 1)
    #expect(server.receive(cancel(1), cancel(1, .deadlineExceeded)) == [])
    #expect(server.held.cancelledCount == 1)
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == [])
    #expect(server.openStreams == 0)
  }

  @Test("K01: CANCEL between the fragments of a request ends the call")
  func cancelledInParts() {
    let server = ServerHarness()
    let part = [UInt8](repeating: 0, count: 1_024)
    #expect(server.receive(request(1, Number.hold, part, .more), cancel(1)) == [])
    #expect(server.openStreams == 0)
    #expect(server.receive(data(1, part, .end)) == [], "late frames are dropped")
    #expect(server.end.connection.pointee.core.reassemblyBytes == 0)
  }

  @Test("K01: CANCEL during a reply stops the rest of it")
  func cancelledInReply() {
    let server = ServerHarness()
    let words = server.receive(request(1, Number.source, Blob([2, 0, 0]).serializedBytes()))
    #expect(words.first == "RESPONSE 1 MORE: 16384")
    #expect(server.openStreams == 1)
    #expect(server.receive(cancel(1), credit(1, 1 << 20)) == [])
    #expect(server.openStreams == 0)
    #expect(server.end.connection.pointee.core.queuedMessageBytes == 0)
  }

  @Test("CANCEL after the deadline gives one outcome, the client's")
  func cancelAfterDeadline() {
    let server = ServerHarness()
    server.receive(request(1, Number.hold, timeoutMilliseconds: 10))
    #expect(server.advance(milliseconds: 10) == [])
    #expect(server.receive(cancel(1, .deadlineExceeded)) == [])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == [], "neither end sends more on the stream")
    #expect(server.openStreams == 0)
  }

  @Test("A client that disconnects cancels all its calls")
  func clientGone() {
    let server = ServerHarness()
    for index in 0..<40 { server.receive(request(UInt32(2 * index + 1), Number.hold)) }
    for _ in 0..<20 { server.held.take().responder.succeed(Blob()) }
    #expect(server.drainOutput().count == 20)
    server.end.closed("gone")
    #expect(server.held.cancelledCount == 20)
    while server.held.count > 0 { server.held.take().responder.succeed(Blob()) }
    #expect(server.drainOutput() == [])
    #expect(server.openStreams == 0)
  }

  @Test("An incomplete message without progress for 60 s ends its call, not the connection")
  func stuckMessage() {
    var limits = Limits()
    limits.minimumReceiveRate = 0
    let server = ServerHarness(limits: limits)
    let part = [UInt8](repeating: 0, count: 1_024)
    #expect(server.receive(request(1, Number.hold, part, .more)) == [])
    #expect(server.advance(milliseconds: 50_000) == [])
    #expect(server.receive(data(1, part, .more)) == [])
    #expect(server.advance(milliseconds: 50_000) == [])
    #expect(server.receive(ping(1)) == ["PING END"])
    #expect(server.advance(milliseconds: 10_000) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    #expect(server.receive(request(3, Number.echo)) == ["RESPONSE 3: 0"])
  }

  @Test("row 10: the server pings after 60 s of silence, and closes 10 s later")
  func keepalive() {
    let server = ServerHarness()
    #expect(server.advance(milliseconds: 59_999) == [])
    #expect(server.advance(milliseconds: 1) == ["PING"])
    #expect(server.advance(milliseconds: 9_999) == [])
    #expect(server.advance(milliseconds: 1) == ["GOAWAY TIMEOUT, last 0"])
  }

  @Test("Keepalive: any received byte counts")
  func signsOfLife() {
    let server = ServerHarness()
    for number in 1...5 as ClosedRange<UInt64> {
      #expect(server.advance(milliseconds: 60_000) == ["PING"])
      #expect(server.advance(milliseconds: 9_000) == [])
      #expect(server.receive(ping(number, .end)) == [])
    }
    #expect(server.advance(milliseconds: 60_000) == ["PING"])
    #expect(server.receive([0]) == [])
    #expect(server.advance(milliseconds: 20_000) == [])
  }

  @Test("Keepalive: a peer that sends but never replies to PING gets two PINGs, with few timers")
  func pingsNeverAnswered() {
    let server = ServerHarness()
    #expect(server.advance(milliseconds: 60_000) == ["PING"])
    #expect(server.receive(request(1, Number.echo)) == ["RESPONSE 1: 0"])
    #expect(server.advance(milliseconds: 60_000) == ["PING"])
    #expect(server.receive(request(3, Number.echo)) == ["RESPONSE 3: 0"])
    #expect(server.advance(milliseconds: 60_000) == [], "two are unanswered: no third")
    #expect(server.advance(milliseconds: 10_000) == ["GOAWAY TIMEOUT, last 3"])
  }

  @Test("A reply to a PING that was not sent, or was answered, has no effect")
  func strangeAnswers() {
    let server = ServerHarness()
    #expect(server.receive(ping(0, .end), ping(9, .end), ping(.max, .end)) == [])
    #expect(server.advance(milliseconds: 60_000) == ["PING"])
    #expect(server.receive(ping(1, .end), ping(1, .end)) == [])
    #expect(server.receive(request(1, Number.echo)) == ["RESPONSE 1: 0"])
  }

  @Test("PINGs are returned with END and the same bytes")
  func pings() {
    let server = ServerHarness()
    #expect(server.receive(ping(0x0102_0304_0506_0708)) == ["PING END"])
    #expect(server.frames.last?.payload == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test("Output without progress for 10 s ends the connection")
  func stuckOutput() {
    let server = ServerHarness()
    server.reads = false
    server.receive(request(1, Number.echo))
    server.end.writeBlocked(now: server.now)
    #expect(server.advance(milliseconds: 9_999) == [])
    #expect(server.phase == .open)
    #expect(server.advance(milliseconds: 1) == [])
    #expect(server.phase == .closed, "no GOAWAY can go where nothing goes")
  }

  @Test("A closing connection reads for a second, or a window, and replies to nothing")
  func lingers() {
    let server = ServerHarness()
    #expect(server.receive(frame(0)) == ["GOAWAY PROTOCOL_ERROR, last 0"])
    #expect(server.receive(request(1, Number.echo)) == [])
    #expect(server.advance(milliseconds: 999) == [])
    #expect(server.phase == .closing)
    #expect(server.advance(milliseconds: 1) == [])
    #expect(server.phase == .closed)

    let flooded = ServerHarness()
    flooded.receive(frame(0))
    for _ in 0..<16 { flooded.receive([UInt8](repeating: 0, count: 65_536)) }
    #expect(flooded.phase == .closing)
    flooded.receive([UInt8](repeating: 0, count: 65_536))
    #expect(flooded.phase == .closed)
  }
}
