import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// Statuses, with all that they carry.
  static let statuses: [ClientCase] =
    (1...16).map { code in
      ClientCase("K\(code < 10 ? "0" : "")\(code)", "a call ends with code \(code)") { stage in
        let (connection, request) = try stage.opened()
        connection.status(request.stream, UInt32(code)) {
          $0.message = "as asked, ä"
          $0.details = [detail("quiver.v1.Riser", [8, 1]), detail("unknown.Type", [255])]
          $0.metadata = [entry("last", [1])]
          $0.retryAfterMilliseconds = -1
        }
        let end = try stage.driver.end(1, code)
        try require(end.text, is: "as asked, ä", "the text")
        try require(end.details, is: "quiver.v1.Riser=0801,unknown.Type=ff", "the details")
        try require(end.trailing, is: "last=01", "the trailing metadata")
        try require(!end.isNotProcessed, "not_processed where it was not sent")
        try require(end.retryAfterMilliseconds, is: -1, "the push-back")
        try stage.expectAlive(connection)
      }
    } + [
      ClientCase("K17", "an unknown code is UNKNOWN, or shown as it is") { stage in
        let (connection, request) = try stage.opened()
        connection.status(request.stream, 4_711)
        guard case .end(let end) = try stage.driver.event(1) else { throw Failure("no end") }
        try require([2, 4_711].contains(end.code), "code \(end.code)")
      },
      ClientCase("K18", "not_processed reads as false after HEADERS") { stage in
        let (connection, request) = try stage.opened()
        connection.send(Frames.frame(.headers, stream: request.stream, []))
        connection.status(request.stream, 9) { $0.notProcessed = true }
        let end = try stage.driver.end(1, 9)
        try require(!end.isNotProcessed, "not_processed")
      },
      ClientCase("K19", "an error may come after messages") { stage in
        let (connection, request) = try stage.opened(.download)
        connection.data(request.stream, [1])
        connection.status(request.stream, 14)
        try stage.read(1, 0)
        try require(stage.driver.message(1), is: [1], "the message")
        try stage.driver.end(1, 14)
        if let frame = try connection.nextIfAny(within: 300) {
          throw Failure("\(frame.words), after a stream that had begun")
        }
      },
      ClientCase("K20", "an error ends a request stream that still sends") { stage in
        try stage.makeClient()
        try stage.call(1, .upload)
        try stage.send(1, [1])
        let connection = try stage.greeted()
        let request = try connection.request()
        connection.status(request.stream, 9)
        try stage.driver.end(1, 9)
        try stage.expectAlive(connection, behind: request.stream)
      },
      ClientCase("K21", "the server's CANCEL ends a call with its code") { stage in
        let (connection, request) = try stage.opened(.download)
        connection.send(Frames.frame(.cancel, stream: request.stream, [8, 14]))
        try stage.read(1, 0)
        // UNAVAILABLE before any message: a client may try again.
        switch try stage.arrival(of: 1, on: [connection]) {
        case .event(.end(let end)): try require(end.code, is: 14, "the code")
        case .event: throw Failure("a message came")
        case .connection: throw Failure("another connection")
        case .frame(_, let frame):
          try require(frame.header.type == .request, "\(frame.words), not REQUEST")
          let again = try ScriptedConnection.parse(frame)
          connection.send(Frames.frame(.cancel, stream: again.stream, [8, 9]))
          try stage.driver.end(1, 9)
        }
      },
      ClientCase("K22", "a reply with too much metadata ends the call alone") { stage in
        let (connection, request) = try stage.opened()
        var head = ResponseHead()
        head.metadata = [entry("a", pattern(8_192))]
        connection.send(Frames.frame(.headers, stream: request.stream, head.serializedBytes()))
        try stage.driver.end(1, 8)
        _ = try connection.next()
        try stage.expectAlive(connection)
      },
      ClientCase("K23", "a reply with an invalid metadata key is INTERNAL") { stage in
        let (connection, request) = try stage.opened()
        var head = ResponseHead()
        head.metadata = [entry("Not a key", [1])]
        connection.send(Frames.frame(.headers, stream: request.stream, head.serializedBytes()))
        try stage.driver.end(1, 13)
        _ = try connection.next()
        try stage.expectAlive(connection)
      },
      ClientCase("K24", "a reply that does not decode is INTERNAL") { stage in
        let (connection, request) = try stage.opened()
        connection.send(Frames.frame(.response, stream: request.stream, [0x0A, 0x05, 1]))
        try stage.driver.end(1, 13)
        try stage.expectAlive(connection)
      },
    ]

  static func detail(_ type: String, _ value: [UInt8]) -> DetailMessage {
    var detail = DetailMessage()
    detail.type = type
    detail.value = value
    return detail
  }

  /// Deadlines, cancellation, and connections that end.
  static let endings: [ClientCase] = [
    ClientCase("D01", "the client ends a call at its deadline, with CANCEL and code 4") { stage in
      let connection = try stage.warmed()
      let request = try stage.timed(2, .unary, milliseconds: 2_000, on: connection)
      try stage.driver.end(2, 4)
      let frame = try connection.next()
      try require(frame.header.type == .cancel, "\(frame.words), not CANCEL")
      try require(frame.header.stream, is: request.stream, "the stream")
      try require(try CancelMessage(serializedBytes: frame.payload).code, is: 4, "the code")
      connection.respond(request.stream, [1])
      try stage.expectAlive(connection)
    },
    ClientCase("D10", "a deadline covers the look-up of the server's name", repeated: false) {
      stage in
      try stage.makeClient(token: "", limits: ["server": "slow.example:7450"])
      let began = now()
      try stage.call(1, .unary, [], ["timeout_ms": 400])
      guard case .end(let end) = try stage.driver.event(1) else { throw Failure("a message came") }
      try require([4, 14].contains(end.code), "code \(end.code)")
      try require(now() - began < 4_500, "the call ended after \(now() - began) ms")
    },
    ClientCase("D02", "a deadline covers a server that sends no HELLO") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [], ["timeout_ms": 1_000])
      var connections: [ScriptedConnection] = []
      while true {
        switch try stage.arrival(of: 1) {
        case .connection(let connection): connections.append(connection)
        case .event(.end(let end)): return try require(end.code, is: 4, "the code")
        case .event, .frame: throw Failure("a message came")
        }
      }
    },
    ClientCase("D03", "a deadline covers a request that waits for credit") { stage in
      let connection = try stage.warmed()
      try stage.call(2, .unary, pattern(300_000), ["timeout_ms": 3_000])
      _ = try connection.request()
      try stage.driver.end(2, 4)
    },
    ClientCase("D04", "a stream ends at its deadline while messages come") { stage in
      let connection = try stage.warmed()
      let request = try stage.timed(2, .download, milliseconds: 5_000, on: connection)
      connection.data(request.stream, [1])
      try stage.read(2, 0)
      try require(stage.driver.message(2), is: [1], "the message")
      try stage.driver.end(2, 4)
      try stage.expectAliveAfterCancel(connection)
    },
    ClientCase("D05", "cancelling sends CANCEL, and frames that come later are dropped") { stage in
      let (connection, request) = try stage.opened()
      try stage.cancel(1)
      try stage.driver.end(1, 1)
      let frame = try connection.next()
      try require(frame.header.type == .cancel, "\(frame.words), not CANCEL")
      connection.send(
        Frames.frame(.headers, stream: request.stream, []),
        Frames.data(request.stream, pattern(2_000), .more))
      connection.respond(request.stream, [1])
      connection.status(request.stream, 5)
      try stage.expectAlive(connection)
    },
    ClientCase("D06", "cancelling a call that waits for a HELLO sends no CANCEL") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [1])
      let connection = try stage.listener.accept()
      try stage.cancel(1)
      try stage.driver.end(1, 1)
      try connection.greet()
      try stage.expectAliveAfterCancel(connection)
    },
    ClientCase("D07", "cancelling a stream ends it at the server") { stage in
      let (connection, request) = try stage.opened(.download)
      connection.data(request.stream, [1])
      try stage.read(1, 1)
      try require(stage.driver.message(1), is: [1], "the message")
      try stage.cancel(1)
      let frame = try connection.next()
      try require(frame.header.type == .cancel, "\(frame.words), not CANCEL")
    },
    ClientCase("D08", "a call without an outcome is UNAVAILABLE when the connection ends") {
      stage in
      let (connection, request) = try stage.opened(.download)
      connection.data(request.stream, [1])
      try stage.read(1, 0)
      try require(stage.driver.message(1), is: [1], "the message")
      connection.cut()
      let end = try stage.driver.end(1, 14)
      try require(!end.isNotProcessed, "not_processed")
    },
    ClientCase("D09", "a client that is closed ends its calls and its connections") { stage in
      let (connection, _) = try stage.opened(.download)
      try stage.read(1, 0)
      try stage.driver.closeClient()
      try connection.expectClose()
    },
  ]
}

extension Stage {
  /// `expectAlive` after frames of calls that the client has given up.
  func expectAliveAfterCancel(_ connection: ScriptedConnection) throws {
    try call(98, .unary, [9])
    while true {
      let frame = try connection.next()
      if frame.header.type == .cancel { continue }
      guard frame.header.type == .request else { throw Failure("\(frame.words), not REQUEST") }
      let request = try ScriptedConnection.parse(frame)
      guard request.payload == [9] else { continue }
      connection.respond(request.stream, [9, 9])
      break
    }
    try require(driver.message(98), is: [9, 9], "the reply of a further call")
    try driver.end(98, 0)
  }
}
