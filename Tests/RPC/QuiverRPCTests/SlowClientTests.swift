import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Clients that neither read nor send", .timeLimit(.minutes(5)))
struct SlowClientTests {
  /// Advances by `milliseconds` in steps; the client replies to every PING.
  private func advance(_ server: ServerHarness, milliseconds: Int) -> [String] {
    var words: [String] = []
    var number: UInt64 = 1
    for _ in stride(from: 0, to: milliseconds, by: 1_000) {
      let received = server.advance(milliseconds: 1_000)
      words += received.filter { $0 != "PING" }
      for _ in 0..<(received.count { $0 == "PING" }) {
        server.receive(ping(number, .end))
        number += 1
      }
    }
    return words
  }

  @Test("A reply that waits 60 s for its stream's credit ends its call, and others continue")
  func unreadReply() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    server.receive(request(1, Number.echo, blob(encoded: 9_000)))
    #expect(server.openStreams == 1)
    #expect(advance(server, milliseconds: 59_000) == [])
    #expect(advance(server, milliseconds: 2_000) == ["STATUS 1 RESOURCE_EXHAUSTED"])
    #expect(server.openStreams == 0)
    #expect(server.receive(request(3, Number.echo, [])) == ["RESPONSE 3: 0"])
  }

  @Test("Replies that wait 60 s for the connection's credit end their calls")
  func unreadConnection() {
    let server = ServerHarness(hello: {
      $0.initialStreamCredit = 1 << 20
      $0.initialConnectionCredit = 4_096
    })
    server.receive(request(1, Number.echo, blob(encoded: 9_000)))
    server.receive(request(3, Number.echo, blob(encoded: 9_000)))
    #expect(server.openStreams == 2)
    #expect(advance(server, milliseconds: 59_000) == [])
    #expect(
      Set(advance(server, milliseconds: 2_000)) == [
        "STATUS 1 RESOURCE_EXHAUSTED", "STATUS 3 RESOURCE_EXHAUSTED",
      ])
  }

  @Test("A wait for the connection's credit that is over does not shorten a later one")
  func formerWait() {
    let server = ServerHarness(hello: {
      $0.initialStreamCredit = 4_096
      $0.initialConnectionCredit = 6_000
    })
    server.receive(request(1, Number.serverStream, []))
    let machine = server.end.connection
    machine.pointee.sendMessage(stream: 1, [UInt8](repeating: 0, count: 4_064))
    machine.pointee.endTurn(now: server.now, gotInput: false)
    #expect(server.drainOutput().last == "DATA 1: 4064")
    // This reply waits for the connection, and is cancelled.
    #expect(server.receive(request(3, Number.echo, blob(encoded: 3_000))).count == 1)
    #expect(advance(server, milliseconds: 5_000) == [])
    server.receive(cancel(3))
    server.receive(credit(0, 1 << 20))
    #expect(advance(server, milliseconds: 50_000) == [])
    // This one waits for its stream.
    machine.pointee.sendMessage(stream: 1, [UInt8](repeating: 0, count: 100))
    machine.pointee.endTurn(now: server.now, gotInput: false)
    #expect(advance(server, milliseconds: 50_000) == [])
    #expect(server.held.cancelledCount == 0)
    #expect(advance(server, milliseconds: 12_000) == [])
    #expect(server.held.cancelledCount == 1)
  }

  @Test("Credit that allows progress restarts the 60 s")
  func slowReader() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    server.receive(request(1, Number.echo, blob(encoded: 9_000)))
    #expect(advance(server, milliseconds: 50_000) == [])
    #expect(server.receive(credit(1, 6_000)).count == 1)
    #expect(advance(server, milliseconds: 50_000) == [])
    #expect(server.receive(credit(1, 20_000)).count == 1)
    #expect(server.openStreams == 0)
  }

  @Test("A stream with queued messages that nobody reads is cancelled at its handler and then ends")
  func unreadStream() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    server.receive(request(1, Number.serverStream, []))
    server.end.connection.pointee.sendMessage(stream: 1, [UInt8](repeating: 0, count: 9_000))
    server.end.connection.pointee.endTurn(now: server.now, gotInput: false)
    #expect(server.drainOutput().last == "DATA 1 MORE: 4064")
    #expect(advance(server, milliseconds: 59_000) == [])
    #expect(server.held.cancelledCount == 0)
    #expect(advance(server, milliseconds: 2_000) == [])
    #expect(server.held.cancelledCount == 1)
    server.held.take().responder.fail(RPCError(.cancelled, "the call is over"))
    #expect(server.drainOutput() == ["STATUS 1 RESOURCE_EXHAUSTED"])
    #expect(server.openStreams == 0)
  }

  @Test("A sender without credit waits, and is notified when credit arrives")
  func waitsForCredit() {
    let server = ServerHarness(hello: { $0.initialStreamCredit = 4_096 })
    server.receive(request(1, Number.serverStream, []))
    let machine = server.end.connection
    #expect(machine.pointee.sendMessage(stream: 1, [UInt8](repeating: 0, count: 1_000)) == .room)
    #expect(machine.pointee.sendMessage(stream: 1, [UInt8](repeating: 0, count: 4_000)) == .full)
    server.drainOutput()
    #expect(machine.pointee.core.hasStreamsWithRoom == false)
    server.receive(credit(1, 5_100))
    #expect(
      machine.pointee.core.hasStreamsWithRoom == false, "the credit covers only what is queued")
    machine.pointee.core.pump()
    _ = machine.pointee.core.nextWithRoom()
    server.receive(credit(1, 100_000))
    #expect(machine.pointee.hasRoom(stream: 1) == true)
    #expect(machine.pointee.sendMessage(stream: 1, [1]) == .room)
    #expect(machine.pointee.hasRoom(stream: 3) == false, "no such call is open")
  }

  @Test("A message slower than 1 KiB per second ends its call after 60 s")
  func slowMessage() {
    let server = ServerHarness()
    server.receive(credit(0, 1 << 40))
    let part = [UInt8](repeating: 0, count: 1_024)
    server.receive(request(1, Number.hold, part, .more))
    var words: [String] = []
    var seconds = 0
    while words.isEmpty, seconds < 200 {
      words += advance(server, milliseconds: 30_000).filter { $0.hasPrefix("STATUS") }
      seconds += 30
      if words.isEmpty {
        words += server.receive(data(1, part, .more)).filter { $0.hasPrefix("STATUS") }
      }
    }
    #expect(words == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    #expect((60...91).contains(seconds))
    #expect(server.phase == .open)
  }

  @Test("A message of 2 KiB per second is accepted, whatever its duration")
  func steadyMessage() {
    let server = ServerHarness()
    server.receive(credit(0, 1 << 40))
    let part = [UInt8](repeating: 0, count: 2_048)
    server.receive(request(1, Number.hold, part, .more))
    var words: [String] = []
    for _ in 0..<300 {
      words += advance(server, milliseconds: 1_000).filter { $0.hasPrefix("STATUS") }
      words += server.receive(data(1, part, .more)).filter { $0.hasPrefix("STATUS") }
    }
    #expect(words == [])
  }

  @Test("An anonymous connection without a call is drained after 30 s, one with a token is not")
  func anonymousIdle() {
    let anonymous = ServerHarness(.nobody)
    #expect(anonymous.advance(milliseconds: 29_000) == [])
    #expect(anonymous.advance(milliseconds: 2_000).first == "GOAWAY NO_ERROR, last 2147483647")
    let known = ServerHarness()
    #expect(known.advance(milliseconds: 50_000) == [])
  }
}
