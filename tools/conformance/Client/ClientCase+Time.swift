import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// Keepalive and the time limits of a connection, with limits that are short.
  static let timeLimits: [ClientCase] = [
    ClientCase("L01", "a client with an open call pings a silent server", timed: true) { stage in
      let (connection, request) = try stage.timed(["keepalive_ms": 200])
      let frame = try connection.next()
      try require(
        frame.header.type == .ping && !frame.header.flags.contains(.end), frame.words)
      connection.send(Frames.frame(.ping, .end, frame.payload))
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("L02", "a PING without an answer ends the connection", timed: true) { stage in
      let (connection, _) = try stage.begun(["keepalive_ms": 1_000, "keepalive_timeout_ms": 1_000])
      let frame = try connection.next()
      try require(frame.header.type == .ping, frame.words)
      try connection.expectGoAway("TIMEOUT")
      try stage.driver.end(1, 14)
    },
    ClientCase("L03", "any frame of the server is as good as an answer", timed: true) { stage in
      let (connection, request) = try stage.timed(
        ["keepalive_ms": 400, "keepalive_timeout_ms": 5_000], .download)
      try stage.read(1, 0)
      // Longer than a client lives that takes nothing but an answer.
      for number in 0..<15 {
        connection.data(request.stream, [UInt8(number)])
        try require(stage.driver.message(1), is: [UInt8(number)], "the message")
        if let frame = try connection.nextIfAny(within: 600) {
          try require(frame.header.type == .ping, frame.words)
        }
      }
      connection.status(request.stream, 0)
      try stage.driver.end(1, 0)
    },
    ClientCase("L04", "a client without a call does not ping", timed: true) { stage in
      let (connection, request) = try stage.timed(["keepalive_ms": 200])
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
      // Some may have been sent while the call was open: they come before the answer to this one.
      connection.send(Frames.ping(1))
      let limit = now() + Int(Driver.patience)
      while connection.pingsAnswered == 0 {
        try require(now() < limit, "no answer to PING came")
        guard let frame = try connection.nextIfAny(within: 20) else { continue }
        try require(frame.header.type == .ping, frame.words)
        connection.send(Frames.frame(.ping, .end, frame.payload))
      }
      if let frame = try connection.nextIfAny(within: 700) { throw Failure(frame.words) }
    },
    ClientCase("L05", "a frame that is not complete in time ends the connection", timed: true) {
      stage in
      let (connection, request) = try stage.begun(["frame_timeout_ms": 1_500])
      connection.send(Frames.header(type: 4, stream: request.stream, promising: 100) + [1])
      try connection.expectGoAway("TIMEOUT")
      try stage.driver.end(1, 14)
    },
    ClientCase("L06", "bytes that drip in do not extend the time of a frame", timed: true) {
      stage in
      let (connection, request) = try stage.begun(["frame_timeout_ms": 1_500])
      connection.send(Frames.header(type: 4, stream: request.stream, promising: 4_000))
      let limit = now() + 9_000
      while now() < limit {
        guard connection.send([0]), try connection.nextIfAny(within: 100) == nil else { break }
      }
      try require(now() < limit, "the connection was still open after 9 s")
      try stage.driver.end(1, 14)
    },
    ClientCase("L07", "a message that receives nothing ends its call alone", timed: true) { stage in
      let (connection, request) = try stage.timed(["message_timeout_ms": 300])
      connection.send(Frames.frame(.response, .more, stream: request.stream, pattern(2_000)))
      try stage.driver.end(1, 8)
      let frame = try connection.next()
      try require(frame.header.type == .cancel, "\(frame.words), not CANCEL")
      try stage.expectAlive(connection)
    },
    ClientCase("L08", "a server without a HELLO is given up", timed: true) { stage in
      try stage.makeClient(limits: ["hello_timeout_ms": 300])
      try stage.call(1, .unary, [], ["timeout_ms": 30_000])
      let limit = now() + 25_000
      var connections: [ScriptedConnection] = []
      while now() < limit {
        if let connection = stage.listener.acceptIfAny(within: 50) {
          connections.append(connection)
          try? connection.readHello()
        }
        guard case .end(let end) = try stage.driver.eventIfAny(1) else { continue }
        try require(end.code, is: 14, "the code")
        return
      }
      throw Failure("the call was still open after 25 s, over \(connections.count) connections")
    },
  ]
}

extension Stage {
  /// A reply stream that has begun, so that the call is not repeated.
  func begun(
    _ limits: [String: Any]
  ) throws -> (connection: ScriptedConnection, request: ScriptedConnection.Request) {
    let (connection, request) = try timed(limits, .download)
    connection.data(request.stream, [1])
    try read(1, 0)
    try require(driver.message(1), is: [1], "the message")
    return (connection, request)
  }

  /// As `opened`, with other time limits.
  func timed(
    _ limits: [String: Any], _ method: ScriptedMethod = .unary
  ) throws -> (connection: ScriptedConnection, request: ScriptedConnection.Request) {
    try makeClient(limits: limits)
    try call(1, method, [1], ["timeout_ms": 30_000])
    let connection = try greeted()
    return (connection, try connection.wholeRequest())
  }
}
