import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  /// Section 1: the preface, HELLO, and authentication.
  static let handshake: [Case] =
    foreignMagic.map { name, bytes, isAnswered in
      let how = isAnswered ? "with an answer or without" : "unanswered"
      return Case("H01", "\(name) is closed \(how) before the time for a HELLO ends", []) {
        target in
        let peer = try target.silent()
        peer.say(bytes)
        if isAnswered { try peer.skipAnswer(within: 4_000) }
        try peer.expectClose(within: 4_000)
      }
    } + [
      Case("H02", "a HELLO that does not come in 5 s is closed unanswered", .time) { target in
        let peer = try target.silent()
        peer.say(Preface.bytes)
        try peer.expectClose(within: 7_000)
      },
      Case("H03", "another version is told which ones there are", [], body: otherVersion),
      Case(
        "H04", "calls that come with the HELLO are answered behind the server's", [], body: early),
      Case("H04", "without a token a frame over 4 KiB ends the connection", []) { target in
        let peer = try target.silent()
        try peer.greet(token: [])
        peer.say(Frames.header(type: 2, .end, stream: 1, promising: 4_097))
        try peer.expectGoAway(.frameSizeError)
      },
      Case("H05", "a second HELLO ends the connection", []) { target in
        let peer = try target.connected()
        peer.say(Frames.hello(token: []))
        try peer.expectGoAway(.protocolError)
      },
      Case("H05", "a call before HELLO ends the connection, behind the server's HELLO", []) {
        target in
        let peer = try target.silent()
        peer.say(Preface.bytes, Frames.request(1, HealthMethods.check.id))
        _ = try peer.greeting()
        try peer.expectGoAway(.protocolError)
      },
      Case("H06", "unknown fields of HELLO are skipped", []) { target in
        let peer = try target.silent()
        var hello = Hello()
        hello.authToken = target.token
        let payload = hello.serializedBytes() + [0xF8, 0x07, 5, 0xFA, 0x07, 2, 1, 1]
        peer.say(Preface.bytes, Frames.frame(.hello, payload))
        _ = try peer.greeting()
        try peer.expectAlive()
      },
      Case("H06", "a limit under 4 KiB ends the connection", [], body: lowLimits),
      Case("H06", "a HELLO that is not protobuf ends the connection", []) { target in
        let peer = try target.silent()
        peer.say(Preface.bytes, Frames.frame(.hello, [0xFF]))
        _ = try peer.greeting()
        try peer.expectGoAway(.protocolError)
      },
      Case("H08", "without a token only what needs no caller is answered", [], body: nobody),
      Case("H08", "a bad token ends the connection", []) { target in
        let peer = try target.silent()
        peer.say(Preface.bytes, Frames.hello(token: Array("not-a-token".utf8)))
        _ = try peer.greeting()
        try peer.expectGoAway(.unauthenticated)
      },
    ]

  /// Peers of other protocols: those of some may be told what is spoken here.
  private static let foreignMagic: [(String, [UInt8], isAnswered: Bool)] = [
    ("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8), true),
    ("a TLS hello", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01], true),
    ("zeros", [UInt8](repeating: 0, count: 64), false),
  ]

  private static func otherVersion(_ target: Target) throws {
    for version in [0, 2, 255] as [UInt8] {
      let peer = try target.silent()
      peer.say(Array(Preface.bytes.prefix(7)) + [version])
      let hello = try peer.greeting()
      try require(hello.versionMin <= 1 && hello.versionMax >= 1, "HELLO does not offer version 1")
      try peer.expectGoAway(.unsupportedVersion)
    }
  }

  private static func early(_ target: Target) throws {
    let peer = try target.silent()
    let calls = [1, 3].flatMap { Frames.request($0, HealthMethods.check.id) }
    peer.say(Preface.bytes, Frames.hello(token: target.token), calls)
    _ = try peer.greeting()
    for stream in [1, 3] as [UInt32] {
      guard case .message = try peer.outcome(of: stream) else { throw Failure("a status came") }
    }
  }

  private static func lowLimits(_ target: Target) throws {
    let changes: [(inout Hello) -> Void] = [
      { $0.maxFrameBytes = 4_095 }, { $0.maxMessageBytes = 1 }, { $0.maxFrameBytes = 1_048_577 },
      { $0.initialStreamCredit = 4_095 }, { $0.initialConnectionCredit = 1 << 63 },
    ]
    for change in changes {
      let peer = try target.silent()
      peer.say(Preface.bytes, Frames.hello(token: target.token, change))
      _ = try peer.greeting()
      try peer.expectGoAway(.protocolError)
    }
  }

  private static func nobody(_ target: Target) throws {
    let peer = try target.silent()
    try peer.greet(token: [])
    peer.say(Frames.request(1, DiagnosticsMethods.echo.id))
    let status = try peer.expectStatus(1, .unauthenticated)
    try require(status.notProcessed, "not_processed is missing")
    guard case .message = try peer.call(HealthMethods.check.id, [], on: 3) else {
      throw Failure("Health/Check wants a caller")
    }
  }
}
