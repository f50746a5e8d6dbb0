import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The server's handshake", .timeLimit(.minutes(5)))
struct ServerHandshakeTests {
  @Test("C01: the specification's example matches byte for byte in both directions")
  func goldenCall() {
    let server = ServerHarness()
    let bytes: [UInt8] =
      [0x00, 0x00, 0x2F, 0x21, 0, 0, 0, 0x01, 0x06, 0x08, 0x81, 0x20, 0x18, 0xE8, 0x07]
      + blob(encoded: 40)
    #expect(bytes.count == 55)
    #expect(bytes == request(1, Number.echo, blob(encoded: 40), timeoutMilliseconds: 1_000))
    #expect(server.receive(bytes) == ["RESPONSE 1: 40"])
    #expect(server.frames.last?.payload == blob(encoded: 40))
  }

  @Test("The server sends its preface and its HELLO with its name")
  func greeting() throws {
    let server = ServerHarness()
    let payload = try #require(server.frames.first?.payload)
    let hello = try Hello(serializedBytes: payload)
    #expect(hello.versionMin == 1 && hello.versionMax == 1)
    #expect(hello.software == "quiver/test")
    #expect(hello.instanceID == [1, 2, 3, 4])
    #expect(hello.pingFloorMilliseconds == 10_000)
    #expect(hello.maxFrameBytes == 0 && hello.initialConnectionCredit == 0)
    #expect(hello.authToken.isEmpty)
  }

  static let foreignMagic: [[UInt8]] = [
    Array("EHLO archery\r\n".utf8), [0x17, 0x03, 0x01, 0x02, 0x00], [0, 0, 0, 0, 0, 0, 0, 0],
    [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x0A, 0x01], [0x91, 0x51, 0x56, 0x00],
  ]

  @Test(
    "H01: a connection with other magic is closed without a reply at the first wrong byte",
    arguments: foreignMagic)
  func wrongMagic(_ bytes: [UInt8]) {
    let server = ServerHarness(.silent)
    #expect(server.receive(bytes) == [])
    #expect(server.end.isAborted)
    #expect(server.phase == .closed)
  }

  @Test(
    "H01: a peer of HTTP, TLS or SSH is told at once what is spoken here",
    arguments: [
      "GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n", "SSH-2.0-OpenSSH_9\r\n", "\u{16}\u{3}\u{1}",
    ])
  func otherProtocol(_ beginning: String) throws {
    let server = ServerHarness(.silent)
    server.reads = false
    _ = server.receive(Array(beginning.utf8))
    #expect(server.phase == .closing && !server.end.isAborted)
    let answer = Array(server.end.output)
    if beginning.first == "\u{16}" {
      #expect(answer == [0x15, 3, 3, 0, 2, 2, 10])
    } else {
      #expect(String(decoding: answer, as: UTF8.self).contains("speaks the Quiver protocol"))
    }
  }

  @Test(
    "H02: a connection without a preface within 5 s is closed without a reply",
    arguments: [0, 3, 8, 12])
  func slowPreface(_ byteCount: Int) {
    let server = ServerHarness(.silent)
    let bytes = Preface.bytes + hello()
    #expect(server.receive(Array(bytes.prefix(byteCount))) == [])
    #expect(server.advance(milliseconds: 4_999) == [])
    #expect(server.phase < .open)
    #expect(server.advance(milliseconds: 1) == [])
    #expect(server.phase == .closed)
  }

  @Test(
    "H03: a client of another version is told the supported versions",
    arguments: [0, 2, 255] as [UInt8])
  func otherVersion(_ version: UInt8) throws {
    let server = ServerHarness(.silent)
    let words = server.receive(Array(Preface.bytes.prefix(7)) + [version])
    #expect(words == ["HELLO", "GOAWAY UNSUPPORTED_VERSION, last 0"])
    let hello = try Hello(serializedBytes: try #require(server.frames.first?.payload))
    #expect(hello.versionMin == 1 && hello.versionMax == 1)
    #expect(server.phase == .closing)
  }

  @Test("H04: calls that arrive with the HELLO are answered after it")
  func zeroRoundTrips() {
    let server = ServerHarness(.silent)
    let words = server.receive(
      Preface.bytes, hello { $0.authToken = Array("good".utf8) },
      request(1, Number.echo, blob(encoded: 10)), request(3, Number.echo, blob(encoded: 20)))
    #expect(words == ["HELLO", "RESPONSE 1: 10", "RESPONSE 3: 20"])
  }

  @Test(
    "H04: a client with a token may use the defaults at once, whatever the server's limits")
  func limitsBelowDefaults() throws {
    var limits = Limits()
    limits.maxFrameBytes = 4_096
    limits.initialStreamCredit = 4_096
    limits.initialConnectionCredit = 4_096
    let server = ServerHarness(limits: limits)
    #expect(
      server.receive(request(1, Number.echo, blob(encoded: 16_000))).contains {
        $0.contains("16000")
      }
    )
  }

  @Test("H04: without a token the small limits apply")
  func anonymousLimits() throws {
    let server = ServerHarness(.nobody)
    #expect(server.receive(request(1, Number.open, blob(encoded: 4_000))) == ["RESPONSE 1: 4000"])
    #expect(
      server.receive(header(.request, stream: 3, promising: 4_097))
        == ["GOAWAY FRAME_SIZE_ERROR, last 1"])
  }

  @Test("H04: without a token one stream is open at a time")
  func anonymousStreams() {
    let server = ServerHarness(.nobody)
    #expect(server.receive(request(1, Number.openHold)) == [])
    #expect(
      server.receive(request(3, Number.openHold)) == ["STATUS 3 RESOURCE_EXHAUSTED, not processed"])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    #expect(server.receive(request(5, Number.open)) == ["RESPONSE 5: 0"])
  }

  @Test("A client authenticated without a token gets the server's limits in the HELLO")
  func knownOtherwise() throws {
    let server = ServerHarness(.knownOtherwise)
    let hello = try Hello(serializedBytes: try #require(server.frames.first?.payload))
    #expect(hello.maxFrameBytes == 16_384)
    #expect(hello.maxMessageBytes == 4_194_304)
    #expect(hello.maxConcurrentStreams == 100)
    #expect(hello.initialStreamCredit == 65_536)
    #expect(hello.initialConnectionCredit == 1_048_576)
    #expect(
      server.receive(request(1, Number.echo, blob(encoded: 16_000))).last == "RESPONSE 1: 16000")
  }

  @Test("H05: a second HELLO ends the connection")
  func secondHello() {
    let server = ServerHarness()
    #expect(server.receive(hello()) == ["GOAWAY PROTOCOL_ERROR, last 0"])
  }

  static let notFirst: [FrameType] = [.request, .data, .cancel, .credit, .ping, .goAway, .close]

  @Test("The first frame must be a HELLO", arguments: notFirst)
  func helloNotFirst(_ type: FrameType) {
    let server = ServerHarness(.silent)
    let length = type == .credit || type == .ping ? 8 : 0
    let words = server.receive(
      Preface.bytes, frame(type, [UInt8](repeating: 0, count: length)))
    #expect(words == ["HELLO", "GOAWAY PROTOCOL_ERROR, last 0"])
  }

  @Test("H06: unknown fields of HELLO are skipped")
  func unknownFields() {
    let server = ServerHarness(.silent)
    var payload = Hello()
    payload.authToken = Array("good".utf8)
    let bytes = payload.serializedBytes() + [0xF8, 0x07, 5, 0xFA, 0x07, 2, 1, 1]
    #expect(server.receive(Preface.bytes, frame(.hello, bytes)) == ["HELLO"])
    #expect(server.receive(request(1, Number.echo)) == ["RESPONSE 1: 0"])
  }

  @Test(
    "A HELLO that does not decode, has limits out of range, or has a stream id is refused",
    arguments: [
      frame(.hello, [0xFF]), hello { $0.maxFrameBytes = 4_095 }, hello { $0.maxMessageBytes = 1 },
      hello { $0.maxFrameBytes = 1_048_577 }, hello { $0.initialStreamCredit = 4_095 },
      hello { $0.initialConnectionCredit = 1 << 63 },
      frame(.hello, stream: 1, Hello().serializedBytes()),
    ])
  func badHello(_ bytes: [UInt8]) {
    let server = ServerHarness(.silent)
    #expect(server.receive(Preface.bytes, bytes) == ["HELLO", "GOAWAY PROTOCOL_ERROR, last 0"])
  }

  @Test("A HELLO above 4 KiB is refused from its header")
  func longHello() {
    let server = ServerHarness(.silent)
    let words = server.receive(Preface.bytes, header(.hello, promising: 4_097))
    #expect(words == ["HELLO", "GOAWAY FRAME_SIZE_ERROR, last 0"])
  }

  @Test("H08: without a token only anonymous methods succeed, and the connection stays open")
  func noToken() {
    let server = ServerHarness(.nobody)
    #expect(
      server.receive(request(1, Number.echo)) == ["STATUS 1 UNAUTHENTICATED, not processed"])
    #expect(server.receive(request(3, Number.open)) == ["RESPONSE 3: 0"])
  }

  @Test("H08: a bad token ends the connection")
  func badToken() {
    let server = ServerHarness(.silent)
    let words = server.receive(
      Preface.bytes, hello { $0.authToken = Array("bad".utf8) }, request(1, Number.echo))
    #expect(words == ["HELLO", "GOAWAY UNAUTHENTICATED, last 0"])
  }

  @Test("H08: revoking a token ends its connections and cancels their calls")
  func revokedToken() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    server.end.fail(.tokenRevoked, now: server.now)
    #expect(server.drainOutput() == ["GOAWAY UNAUTHENTICATED, last 1"])
    #expect(server.held.cancelledCount == 1)
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == [])
  }

  @Test("C03: a whole conversation works a byte at a time")
  func slowly() {
    let server = ServerHarness(.silent)
    let words = server.receiveByteByByte(
      Preface.bytes + hello { $0.authToken = Array("good".utf8) }
        + request(1, Number.echo, blob(encoded: 40)) + ping(7)
        + request(3, Number.fail, Blob([5]).serializedBytes()))
    #expect(words == ["HELLO", "RESPONSE 1: 40", "PING END", "STATUS 3 NOT_FOUND"])
  }
}
