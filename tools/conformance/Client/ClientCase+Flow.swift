import Glibc
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import QuiverZstd

extension ClientCase {
  /// Credit in both directions.
  static let flow: [ClientCase] = [
    ClientCase("F01", "a large request keeps to the allowances, in parts") { stage in
      let payload = pattern(400_000)
      try stage.makeClient()
      try stage.call(1, .unary, payload, ["timeout_ms": 300_000])
      let connection = try stage.greeted()
      let request = try connection.wholeRequest()
      try require(request.payload == payload, "another request")
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("F02", "a sender that has no credit waits, and other calls go on") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, pattern(200_000))
      let connection = try stage.greeted()
      let request = try connection.request()
      while let frame = try connection.nextIfAny(within: 200) {
        try require(frame.header.stream, is: request.stream, "the stream")
      }
      try stage.expectAlive(connection, behind: request.stream)
      try stage.cancel(1)
      try stage.driver.end(1, 1)
    },
    ClientCase("F03", "credit for a stream follows what its application takes") { stage in
      let (connection, request) = try stage.opened(.download)
      // 15 messages of 4,000 bytes and a few are within the window.
      for _ in 0..<15 { connection.data(request.stream, pattern(4_000)) }
      while let frame = try connection.nextIfAny(within: 200) { throw Failure(frame.words) }
      try require(connection.credits[request.stream] == nil, "CREDIT came for unread messages")
      try stage.read(1, 15)
      for _ in 0..<15 { _ = try stage.driver.message(1) }
      try connection.wait("CREDIT of at least half a window more") {
        connection.credits[request.stream] ?? 0 >= 65_536 + 32_768
      }
      let taken = UInt64(15 * (ScriptedConnection.echo(pattern(4_000)).count + 32))
      try require(
        connection.credits[request.stream] ?? 0 <= 65_536 + taken,
        "CREDIT \(connection.credits[request.stream] ?? 0), more than was taken")
    },
    ClientCase("F04", "a message larger than the window passes") { stage in
      let (connection, request) = try stage.opened(.unary, [], ["timeout_ms": 300_000])
      let message = ScriptedConnection.echo(pattern(500_000))
      var sent: UInt64 = 0
      for start in stride(from: 0, to: message.count, by: 16_000) {
        let part = Array(message[start..<min(start + 16_000, message.count)])
        sent += UInt64(part.count + 32)
        try connection.wait("CREDIT for \(sent)") {
          sent <= connection.credits[request.stream] ?? 65_536
        }
        let flags: FrameFlags = start + 16_000 < message.count ? .more : []
        connection.send(
          Frames.frame(start == 0 ? .response : .data, flags, stream: request.stream, part))
      }
      try require(stage.driver.message(1) == pattern(500_000), "another reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("F05", "credit for the connection counts frames of calls that have ended") { stage in
      let (connection, request) = try stage.opened()
      try stage.cancel(1)
      try stage.driver.end(1, 1)
      _ = try connection.next()
      for _ in 0..<40 {
        connection.send(Frames.data(request.stream, pattern(16_000), .more))
      }
      try connection.wait("CREDIT of the connection") {
        connection.credits[0] ?? 0 >= 1 << 20 + 524_288
      }
      try stage.expectAlive(connection)
    },
    ClientCase("F06", "more than a stream's allowance is FLOW_CONTROL_ERROR") { stage in
      let (connection, request) = try stage.opened(.download)
      for _ in 0..<5 { connection.send(Frames.data(request.stream, pattern(16_000))) }
      try connection.expectGoAway("FLOW_CONTROL_ERROR")
      try stage.read(1, 0)
    },
    ClientCase("F07", "a stream that is not read does not stop other calls") { stage in
      let (connection, request) = try stage.opened(.download)
      for _ in 0..<4 { connection.data(request.stream, pattern(15_000)) }
      for id in 2..<20 {
        try stage.call(id, .unary, [1])
        connection.send(
          Frames.frame(
            .response, stream: try connection.wholeRequest().stream,
            ScriptedConnection.echo(pattern(16_000))))
        try require(stage.driver.message(id) == pattern(16_000), "another reply")
        try stage.driver.end(id, 0)
      }
    },
    ClientCase("F08", "a reply above max_message_bytes ends its call alone") { stage in
      // 4 MB in small parts take longer than a client's own timeout where the machine is loaded.
      let (connection, request) = try stage.opened(.unary, [], ["timeout_ms": 300_000])
      var sent: UInt64 = 0
      var isCancelled = false
      while sent < 4_300_000, !isCancelled {
        let isFirst = sent == 0
        sent += 16_032
        let limit = now() + Int(Driver.patience)
        while !isCancelled,
          sent > connection.credits[request.stream] ?? 65_536
            || sent > connection.credits[0] ?? 1 << 20
        {
          try require(now() < limit, "no CREDIT for \(sent) bytes")
          guard let frame = try connection.nextIfAny(within: 20) else { continue }
          try require(frame.header.type == .cancel, "\(frame.words), not CANCEL")
          isCancelled = true
        }
        connection.send(
          Frames.frame(
            isFirst ? .response : .data, .more, stream: request.stream, pattern(16_000)))
      }
      try stage.driver.end(1, 8)
    },
    ClientCase("F09", "a request above the server's max_message_bytes is refused by the client") {
      stage in
      try stage.makeClient()
      try stage.call(1, .unary, [UInt8](repeating: 0, count: 4_194_305))
      // The client may refuse it without a connection.
      var connection: ScriptedConnection?
      let limit = now() + 3 * Int(Driver.patience)
      var event = try stage.driver.eventIfAny(1)
      while event == nil, now() < limit {
        if connection == nil {
          connection = stage.listener.acceptIfAny(within: 20)
          try connection?.greet()
        } else {
          usleep(20_000)
        }
        event = try stage.driver.eventIfAny(1)
      }
      guard case .end(let end) = event else { throw Failure("the call did not end") }
      try require(end.code, is: 8, "the code (\(end.text))")
      try require(end.isNotProcessed, "not_processed is missing")
    },
    ClientCase("F10", "CREDIT that is old or repeated has no effect") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, pattern(100_000))
      let connection = try stage.greeted()
      let request = try connection.request()
      connection.send(
        Frames.credit(request.stream, 10), Frames.credit(0, 0), Frames.credit(request.stream, 10))
      var message = request.message
      var flags = request.flags
      connection.credit(request.stream, 200_000)
      while flags.contains(.more) {
        let frame = try connection.next()
        message += frame.payload
        flags = frame.header.flags
      }
      try require(message == ScriptedConnection.echo(pattern(100_000)), "another request")
      connection.respond(request.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
    },
  ]

  /// Section 4.2, for clients that decompress.
  static let compression: [ClientCase] = [
    ClientCase("U01", "a compressed reply is what it was", compressed: true) { stage in
      let (connection, request) = try stage.compressed()
      let message = ScriptedConnection.echo(pattern(5_000))
      let frame = ZstdFrame(message, in: message.count).bytes
      connection.send(
        Frames.frame(
          .response, [.more, .compressed], stream: request.stream, Array(frame[..<2_000])),
        Frames.data(request.stream, Array(frame[2_000...])))
      try require(stage.driver.message(1) == pattern(5_000), "another reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("U02", "a decompression bomb ends its call alone", compressed: true) { stage in
      let (connection, request) = try stage.compressed()
      connection.send(
        Frames.frame(
          .response, .compressed, stream: request.stream,
          ZstdFrame([], zeros: 64 << 20, in: nil).bytes))
      try stage.driver.end(1, 8)
      try stage.expectAliveAfterCancel(connection)
    },
    ClientCase("U03", "a reply that does not decompress is INTERNAL", compressed: true) { stage in
      for bytes in [
        [1, 2, 3], [], ZstdFrame([1]).bytes + [0], ZstdFrame([1], windowLog: 21).bytes,
      ] {
        let (connection, request) = try stage.compressed()
        connection.send(Frames.frame(.response, .compressed, stream: request.stream, bytes))
        try stage.driver.end(1, 13)
        try stage.expectAliveAfterCancel(connection)
        try stage.driver.closeClient()
      }
      try stage.makeClient()
    },
    ClientCase("U04", "requests are compressed only after the server's HELLO", compressed: true) {
      stage in
      let (connection, request) = try stage.compressed()
      try require(!request.flags.contains(.compressed), "COMPRESSED before the HELLO")
      connection.respond(request.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
      let payload = [UInt8](repeating: 65, count: 20_000) + pattern(2_000)
      try stage.call(2, .unary, payload)
      let second = try connection.wholeRequest()
      var message = second.message
      if second.flags.contains(.compressed) {
        message = []
        try second.message.withUnsafeBytes { bytes in
          try Zstd().inflate(bytes, limit: 1 << 20) { message += $0 }
        }
      }
      try require(message == ScriptedConnection.echo(payload), "another request")
      connection.respond(second.stream, [])
      try require(stage.driver.message(2), is: [], "the reply")
      try stage.driver.end(2, 0)
    },
    ClientCase("U05", "COMPRESSED to a client that lists nothing is PROTOCOL_ERROR") { stage in
      let (connection, request) = try stage.opened()
      try require(connection.hello.compression, is: [], "the compression of the HELLO")
      connection.send(
        Frames.frame(.response, .compressed, stream: request.stream, ZstdFrame([1]).bytes))
      try connection.expectGoAway("PROTOCOL_ERROR")
    },
  ]
}

extension Stage {
  /// A client that compresses, with a unary call on a new connection whose server does too.
  func compressed() throws -> (
    connection: ScriptedConnection, request: ScriptedConnection.Request
  ) {
    try makeClient(compression: true)
    try call(1, .unary, [1, 2, 3])
    let connection = try listener.accept()
    try connection.greet { $0.compression = ["zstd"] }
    try require(connection.hello.compression, is: ["zstd"], "the compression of the HELLO")
    return (connection, try connection.wholeRequest())
  }
}
