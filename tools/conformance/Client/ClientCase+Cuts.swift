import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// Connections that are cut at each frame of a conversation, and inside each.
  static let cuts: [ClientCase] = [
    ClientCase("Q01", "a keyed call survives a cut at each byte of its reply", repeated: false) {
      stage in
      let reply = ScriptedConnection.echo([1, 2, 3])
      for count in 0...(8 + reply.count) {
        try stage.makeClient()
        try stage.call(1, .mutate, [5], ["wait_for_ready": true])
        let connection = try stage.greeted()
        let first = try connection.wholeRequest()
        connection.sendAndCut(
          Frames.frame(.response, stream: first.stream, reply), after: count)
        try finish(stage, after: first)
      }
    },
    ClientCase("Q02", "a keyed call survives a cut behind each frame of the server") { stage in
      let payload = pattern(5_000)
      let reply = ScriptedConnection.echo(payload)
      for number in 0...5 {
        try stage.makeClient()
        try stage.call(1, .mutate, [5], ["wait_for_ready": true])
        let connection = try stage.listener.accept()
        try connection.readHello()
        var frames: [[UInt8]] = [Preface.bytes + Frames.frame(.hello, Hello().serializedBytes())]
        guard number > 0 else {
          connection.cut()
          try finish(stage, after: nil)
          continue
        }
        connection.send(frames.removeFirst())
        let first = try connection.wholeRequest()
        frames = [
          Frames.frame(.headers, stream: first.stream, []),
          Frames.data(first.stream, Array(reply[..<2_000]), .more),
          Frames.data(first.stream, Array(reply[2_000..<4_000]), .more),
          Frames.data(first.stream, Array(reply[4_000...])),
        ]
        for frame in frames.prefix(number - 1) { connection.send(frame) }
        connection.cut()
        // A reply that has begun may end the call, or the call is sent again under its key.
        try finish(stage, after: first, mayEnd: number > 1)
      }
    },
    ClientCase("Q03", "a stream that is cut ends UNAVAILABLE behind its messages") { stage in
      for number in 0...3 {
        let (connection, request) = try stage.opened(.download)
        for message in 0..<number { connection.data(request.stream, [UInt8(message)]) }
        connection.send(Array(Frames.frame(.status, stream: request.stream, [8, 0]).prefix(9)))
        connection.cut()
        try stage.read(1, 0)
        // A stream without a reply may be opened again.
        if number == 0 {
          try endReopened(stage)
        } else {
          for message in 0..<number {
            try require(stage.driver.message(1), is: [UInt8(message)], "the message")
          }
          try stage.driver.end(1, 14)
        }
        try stage.driver.closeClient()
      }
      try stage.makeClient()
    },
    ClientCase("Q04", "a watch resumes behind a cut in each of its messages") { stage in
      try stage.makeClient()
      try stage.call(1, .watch)
      try stage.read(1, 0)
      var position: Int64 = 0
      for number in 1...4 {
        let connection = try stage.greeted()
        let request = try connection.wholeRequest()
        try require(request.head.afterSequence, is: position, "the position of opening \(number)")
        let message = Self.watched(after: position, upto: position + 1)
        connection.send(Frames.frame(.data, stream: request.stream, message))
        position += 1
        try require(stage.driver.span(1).upto, is: Int(position), "upto")
        let next = Frames.frame(
          .data, stream: request.stream, Self.watched(after: position, upto: position + 1))
        connection.sendAndCut(next, after: number * 4)
      }
    },
    ClientCase("Q05", "all calls of a connection end when it is cut") { stage in
      try stage.makeClient()
      for id in 1...20 { try stage.call(id, .download) }
      let connection = try stage.greeted()
      for _ in 1...20 {
        let request = try connection.wholeRequest()
        connection.send(Frames.frame(.headers, stream: request.stream, []))
        connection.data(request.stream, [1])
      }
      for id in 1...20 {
        try stage.read(id, 1)
        try require(stage.driver.message(id), is: [1], "the message")
      }
      connection.cut()
      for id in 1...20 {
        try stage.read(id, 0)
        try stage.driver.end(id, 14)
      }
    },
  ]

  /// Ends a stream that comes again on another connection with code 9; it may also have ended.
  private static func endReopened(_ stage: Stage) throws {
    switch try stage.arrival(of: 1) {
    case .connection(let again):
      try again.greet()
      again.status(try again.wholeRequest().stream, 9)
      try stage.driver.end(1, 9)
    case .event(.end(let end)): try require(end.code, is: 14, "the code (\(end.text))")
    case .event, .frame: throw Failure("a message came")
    }
  }

  /// Answers a call that comes again on another connection, with its key and a higher attempt.
  private static func finish(
    _ stage: Stage, after first: ScriptedConnection.Request?, mayEnd: Bool = false
  ) throws {
    let limit = now() + Int(Driver.patience)
    while now() < limit {
      if let event = try stage.driver.eventIfAny(1) {
        switch event {
        case .message: try stage.driver.end(1, 0)
        case .end(let end):
          try require(mayEnd && end.code == 14, "code \(end.code) (\(end.text))")
        case .span: throw Failure("a message of a watch came")
        }
        return try stage.driver.closeClient()
      }
      guard let connection = stage.listener.acceptIfAny(within: 30) else { continue }
      try connection.greet()
      let again = try connection.wholeRequest()
      if let first {
        try require(again.head.idempotencyKey, is: first.head.idempotencyKey, "the key")
        try require(again.head.attempt, is: 1, "the attempt")
      } else {
        // It may have been written before the HELLO of the server.
        try require(again.head.attempt <= 1, "attempt \(again.head.attempt)")
      }
      connection.respond(again.stream, [7])
      try require(stage.driver.message(1), is: [7], "the reply")
      try stage.driver.end(1, 0)
      return try stage.driver.closeClient()
    }
    throw Failure("the call neither came again nor ended")
  }
}
