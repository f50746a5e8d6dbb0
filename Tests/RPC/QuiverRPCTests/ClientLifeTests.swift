import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The client's connection", .timeLimit(.minutes(5)))
struct ClientLifeTests {
  static let faults: [(String, [UInt8], String)] = [
    ("REQUEST to a client", frame(.request, stream: 1), "PROTOCOL_ERROR"),
    ("CLOSE to a client", frame(.close, stream: 1), "PROTOCOL_ERROR"),
    ("DATA with END", data(1, [], .end), "PROTOCOL_ERROR"),
    ("RESPONSE on an idle stream", frame(.response, stream: 3), "PROTOCOL_ERROR"),
    ("STATUS on an even stream", status(2, .ok), "PROTOCOL_ERROR"),
    ("CREDIT of an idle stream", credit(3, 1), "PROTOCOL_ERROR"),
    ("a second HELLO", hello(), "PROTOCOL_ERROR"),
    ("HEADERS that do not decode", frame(.headers, stream: 1, [0xFF]), "PROTOCOL_ERROR"),
    ("STATUS that does not decode", frame(.status, stream: 1, [0xFF]), "PROTOCOL_ERROR"),
    ("GOAWAY that does not decode", frame(.goAway, [0xFF]), "PROTOCOL_ERROR"),
    (
      "HEADERS twice", frame(.headers, stream: 1) + frame(.headers, stream: 1), "PROTOCOL_ERROR"
    ),
    ("HEADERS behind DATA", data(1, []) + frame(.headers, stream: 1), "PROTOCOL_ERROR"),
    (
      "STATUS OK inside a message",
      data(1, [UInt8](repeating: 0, count: 1_024), .more) + status(1, .ok), "PROTOCOL_ERROR"
    ),
    (
      "RESPONSE inside a message",
      data(1, [UInt8](repeating: 0, count: 1_024), .more) + frame(.response, stream: 1),
      "PROTOCOL_ERROR"
    ),
    ("a part under 1 KiB", frame(.response, .more, stream: 1, [1]), "PROTOCOL_ERROR"),
    (
      "a frame over the client's limit", header(.response, stream: 1, promising: 16_385),
      "FRAME_SIZE_ERROR"
    ),
    ("STATUS over 80 KiB", header(.status, stream: 1, promising: 81_921), "FRAME_SIZE_ERROR"),
    ("HEADERS over 16 KiB", header(.headers, stream: 1, promising: 16_385), "FRAME_SIZE_ERROR"),
    ("GOAWAY whose last rises", goAway(last: 5) + goAway(last: 7), "PROTOCOL_ERROR"),
  ]

  @Test("A server that violates the protocol ends the connection and its calls")
  func faults() {
    for (name, bytes, code) in Self.faults {
      let client = ClientHarness()
      let call = client.call()
      #expect(client.starts(call).count == 1)
      #expect(client.receive(bytes) == ["GOAWAY \(code), last 0"], "\(name)")
      #expect(call.outcomes == ["UNAVAILABLE"], "\(name)")
      #expect(client.phase == .closing, "\(name)")
    }
  }

  @Test("F05: a server that exceeds a stream's or the connection's credit ends the connection")
  func overrun() {
    let client = ClientHarness()
    #expect(client.starts(client.call()).count == 1)
    var words: [String] = []
    // An incomplete message would get more credit; complete DATA that exceeds it does not.
    client.reads = false
    for _ in 0..<80 { words += client.receive(data(1, [UInt8](repeating: 0, count: 16_384))) }
    client.reads = true
    words += client.drainOutput()
    #expect(words.first == "CANCEL 1 CANCELLED")
  }

  @Test("A peer that is not a Quiver server, or has another version, ends the connection")
  func wrongPeer() {
    let preface = Array(Preface.bytes.prefix(7)) + [2]
    func versions(_ lowest: UInt32, _ highest: UInt32) -> [UInt8] {
      preface
        + hello {
          $0.versionMin = lowest
          $0.versionMax = highest
        }
    }
    for (bytes, words) in [
      (Array("EHLO".utf8), "not a Quiver server"),
      (Array("HTTP/1.1 400".utf8), "not a Quiver server: it speaks HTTP"),
      ([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3], "not a Quiver server: it speaks HTTP"),
      (Array("SSH-2.0-OpenSSH_9\r\n".utf8), "not a Quiver server: it speaks SSH"),
      ([0x15, 3, 3, 0, 2, 2, 70], "uses TLS on this port: connect to tls://"),
      (versions(2, 2), "speaks version 2 of the protocol, and this client version 1"),
      (versions(2, 4), "speaks versions 2 to 4 of the protocol, and this client version 1"),
      (preface + frame(.hello, [0xFF]), "speaks version 2 of the protocol"),
    ] {
      let client = ClientHarness(greets: false)
      let call = client.call()
      #expect(client.starts(call).count == 2)
      client.receive(bytes)
      #expect(call.outcomes == ["UNAVAILABLE, not processed"])
      #expect(call.errors.first?.message.contains(words) == true, "\(call.errors)")
    }
  }

  @Test("A server of another version that closes without a HELLO is reported by its preface")
  func otherVersionWithoutHello() {
    let client = ClientHarness(greets: false)
    let call = client.call()
    #expect(client.starts(call).count == 2)
    client.receive(Array(Preface.bytes.prefix(7)) + [9])
    #expect(call.outcomes == [])
    client.end.closed("the server has closed the connection")
    #expect(call.outcomes == ["UNAVAILABLE, not processed"])
    #expect(call.errors.first?.message.contains("speaks version 9") == true, "\(call.errors)")
  }

  @Test("A GOAWAY in two steps refuses new calls, and later ones are not processed")
  func drain() {
    let client = ClientHarness()
    let calls = (0..<3).map { _ in client.call() }
    for call in calls { #expect(client.starts(call).count == 1) }
    #expect(client.receive(goAway(last: 0x7FFF_FFFF), ping(1)) == ["PING END"])
    let late = client.call()
    #expect(client.starts(late) == [])
    #expect(late.outcomes == ["UNAVAILABLE, not processed"])
    #expect(client.receive(goAway(last: 3)) == [])
    #expect(calls[2].outcomes == ["UNAVAILABLE, not processed"])
    #expect(client.receive(frame(.response, stream: 1)) == [])
    #expect(client.phase == .open)
    #expect(client.receive(frame(.response, stream: 3)) == [])
    #expect(client.phase == .closing)
    #expect(calls[0].outcomes == ["reply of 0"] && calls[1].outcomes == ["reply of 0"])
  }

  @Test("A GOAWAY that ends the connection at once reports which calls may have been processed")
  func goAwayWithError() {
    let client = ClientHarness()
    let calls = (0..<3).map { _ in client.call() }
    for call in calls { #expect(client.starts(call).count == 1) }
    client.receive(goAway(.internalError, last: 3, "a fault"))
    #expect(calls[0].outcomes == ["UNAVAILABLE"])
    #expect(calls[2].outcomes == ["UNAVAILABLE, not processed"])
    #expect(calls[0].errors.first?.message.contains("INTERNAL_ERROR: a fault") == true)
  }

  @Test("A GOAWAY with a code that this version does not know ends the calls and shows its number")
  func goAwayWithUnknownCode() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    client.receive(goAway(ConnectionErrorCode(rawValue: 77), last: 1, "a reason"))
    #expect(call.outcomes == ["UNAVAILABLE"])
    #expect(call.errors.first?.message == "the server ended the connection with CODE_77: a reason")
  }

  @Test("GOAWAY(UNAUTHENTICATED) ends the calls with UNAUTHENTICATED")
  func unauthenticated() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    client.receive(goAway(.unauthenticated, last: 0))
    #expect(call.outcomes == ["UNAUTHENTICATED, not processed"])
  }

  @Test(
    "L06: a lost connection fails its calls, and unsent ones as not processed")
  func lost() {
    let client = ClientHarness()
    let written = client.call()
    #expect(client.starts(written).count == 1)
    client.reads = false
    let framed = client.call()
    #expect(client.starts(framed) == [])
    client.end.closed("reset by the peer")
    #expect(written.outcomes == ["UNAVAILABLE"])
    #expect(framed.outcomes == ["UNAVAILABLE, not processed"])
    #expect(written.errors.first?.message == "reset by the peer")
  }

  @Test("Losing a connection with many finished calls works")
  func lostWithMany() {
    let client = ClientHarness()
    let calls = (0..<60).map { _ in client.call() }
    for call in calls { #expect(client.starts(call).count == 1) }
    for index in 10..<60 { client.receive(frame(.response, stream: UInt32(2 * index + 1))) }
    client.end.closed("gone")
    #expect(calls.prefix(10).allSatisfy { $0.outcomes == ["UNAVAILABLE"] })
    let drained = ClientHarness()
    for _ in 0..<60 { #expect(drained.starts(drained.call()).count == 1) }
    for index in 10..<60 { drained.receive(frame(.response, stream: UInt32(2 * index + 1))) }
    #expect(drained.receive(goAway(last: 0)) == [])
    #expect(drained.openStreams == 0)
  }

  @Test(
    "A client that shuts down sends GOAWAY, finishes open calls and receives the server's GOAWAY"
  )
  func shutDown() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    client.end.shutDown()
    #expect(client.drainOutput() == ["GOAWAY NO_ERROR, last 0"])
    #expect(client.receive(goAway(last: 0x7FFF_FFFF), goAway(last: 1)) == [])
    #expect(client.phase == .open)
    client.receive(frame(.response, stream: 1))
    #expect(call.outcomes == ["reply of 0"])
    #expect(client.phase == .closing)
    #expect(client.advance(milliseconds: 1_000) == [])
    #expect(client.phase == .closed)
  }

  @Test("L05: when the stream ids are used up, the connection drains")
  func idsRunOut() {
    let client = ClientHarness()
    client.end.connection.pointee.core.highestStreamID = 0x7FFF_FFFD
    client.reads = false
    let calls = (0..<3).map { _ in client.call() }
    for call in calls { client.end.submit(call) }
    client.reads = true
    #expect(client.drainOutput() == ["REQUEST 2147483647 END: 4", "GOAWAY NO_ERROR, last 0"])
    #expect(calls[1].outcomes == ["UNAVAILABLE, not processed"])
    let takesCalls = client.end.connection.pointee.takesCalls
    #expect(!takesCalls)
    client.receive(frame(.response, stream: 0x7FFF_FFFF))
    #expect(calls[0].outcomes == ["reply of 0"])
    #expect(client.phase == .closing)
  }

  @Test("L02: a CANCEL from the server at the end of its drain ends the call")
  func serverCancels() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    #expect(client.receive(cancel(1, .unavailable)) == [])
    #expect(call.outcomes == ["UNAVAILABLE"])
  }

  @Test("row 10: the client pings after 20 s of silence while calls are open, and only then")
  func keepalive() {
    let client = ClientHarness()
    #expect(client.advance(milliseconds: 100_000) == [], "nothing is open")
    let call = client.call()
    #expect(client.starts(call) == ["REQUEST 1 END: 4"], "no PING for the silence before")
    #expect(client.advance(milliseconds: 19_999) == [])
    #expect(client.advance(milliseconds: 1) == ["PING"])
    #expect(client.receive(ping(1, .end)) == [])
    #expect(client.advance(milliseconds: 20_000) == ["PING"])
    #expect(client.advance(milliseconds: 9_999) == [])
    #expect(client.advance(milliseconds: 1) == ["GOAWAY TIMEOUT, last 0"])
    #expect(call.outcomes == ["UNAVAILABLE"])
  }

  @Test("A server that sends no HELLO within 5 s fails the connection")
  func slowServer() {
    let client = ClientHarness(greets: false)
    let call = client.call()
    #expect(client.starts(call).count == 2)
    #expect(client.advance(milliseconds: 5_000) == ["GOAWAY TIMEOUT, last 0"])
    #expect(call.outcomes == ["UNAVAILABLE"])
  }

  @Test("A closing client whose output is blocked closes in time, with few timers")
  func stuckWhileClosing() {
    let client = ClientHarness()
    client.reads = false
    #expect(client.starts(client.call()) == [])
    client.end.writeBlocked(now: client.now)
    client.receive(frame(0))
    #expect(client.phase == .closing)
    #expect(client.advance(milliseconds: 10_000) == [])
    #expect(client.phase == .closed)
  }

  @Test("A reply that is incomplete for 60 s fails its call only")
  func stuckReply() {
    let client = ClientHarness()
    let call = client.call()
    #expect(client.starts(call).count == 1)
    client.receive(frame(.response, .more, stream: 1, [UInt8](repeating: 0, count: 1_024)))
    var words: [String] = []
    for number in 1...3 as ClosedRange<UInt64> {
      words += client.advance(milliseconds: 19_990)
      words += client.receive(ping(number))
    }
    #expect(words == ["PING END", "PING END", "PING END"])
    #expect(client.advance(milliseconds: 100) == ["CANCEL 1 RESOURCE_EXHAUSTED"])
    #expect(call.outcomes == ["RESOURCE_EXHAUSTED"])
  }

  @Test("F03: the client's credit is exact after every kind of ending")
  func balance() {
    let client = ClientHarness()
    var charged: UInt64 = 0
    for round in 0..<1_000 {
      let stream = UInt32(2 * round + 1)
      let call = client.call()
      #expect(client.starts(call).contains("REQUEST \(stream) END: 4"))
      var frames: [[UInt8]] = []
      switch round % 4 {
      case 0: frames = [frame(.response, stream: stream, blob(encoded: 900))]
      case 1:
        client.end.giveUp(call, RPCError(.cancelled, "enough"))
        frames = [frame(.response, stream: stream, blob(encoded: 900))]
      case 2:
        frames = [data(stream, [1]), data(stream, [2]), data(stream, [3])]
      default:
        let part = [UInt8](repeating: 0, count: 2_000)
        frames = [frame(.response, .more, stream: stream, part), status(stream, .aborted)]
      }
      for bytes in frames {
        if FrameHeader(bits: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }).type?.isCharged
          == true
        {
          charged += UInt64(bytes.count - 8 + 32)
        }
        client.receive(bytes)
      }
      let core = client.end.connection.pointee.core.window.received
      #expect(core == charged)
      #expect(client.end.connection.pointee.core.window.receiveAllowance >= charged + 524_288)
      // The server's credit for the client's bytes.
      client.receive(credit(0, 1 << 40))
    }
    #expect(client.end.connection.pointee.core.reassemblyBytes == 0)
    #expect(client.openStreams == 0)
  }
}

extension DetailMessage {
  init(_ type: String, _ value: [UInt8]) {
    self.init()
    self.type = type
    self.value = value
  }
}
