import Glibc
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// Keys and retries.
  static let retries: [ClientCase] = [
    ClientCase("R01", "a mutating call has a key of 16 bytes, each its own") { stage in
      let (connection, first) = try stage.opened(.mutate)
      try require(first.head.idempotencyKey.count, is: 16, "the bytes of the key")
      connection.respond(first.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
      try stage.call(2, .mutate)
      let second = try connection.wholeRequest()
      try require(second.head.idempotencyKey != first.head.idempotencyKey, "the same key again")
      connection.respond(second.stream, [2])
      try require(stage.driver.message(2), is: [2], "the reply")
      try stage.driver.end(2, 0)
    },
    ClientCase("R02", "a key of the caller's is sent") { stage in
      let key = pattern(16)
      let (connection, request) = try stage.opened(.mutate, [], ["key": Hex.encode(key)])
      try require(request.head.idempotencyKey, is: key, "the key")
      connection.respond(request.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("R03", "a call with a key is sent again with the same key and a higher attempt") {
      stage in
      let (connection, first) = try stage.opened(.mutate, [5])
      connection.status(first.stream, 14)
      let second = try connection.wholeRequest()
      try require(second.head.idempotencyKey, is: first.head.idempotencyKey, "the key")
      try require(second.head.attempt, is: 1, "the attempt")
      try require(second.payload, is: [5], "the request")
      connection.respond(second.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("R04", "a call that survives the loss of its connection keeps its key") { stage in
      let (connection, first) = try stage.opened()
      connection.respond(first.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
      try stage.call(2, .mutate, [5], ["wait_for_ready": true])
      let second = try connection.wholeRequest()
      connection.cut()
      let again = try stage.greeted()
      let third = try again.wholeRequest()
      try require(third.head.idempotencyKey, is: second.head.idempotencyKey, "the key")
      try require(third.head.attempt, is: 1, "the attempt")
      again.respond(third.stream, [1])
      try require(stage.driver.message(2), is: [1], "the reply")
      try stage.driver.end(2, 0)
    },
    ClientCase("R05", "RESOURCE_EXHAUSTED without a push-back is not retried") { stage in
      let (connection, request) = try stage.opened(.mutate)
      connection.status(request.stream, 8) { $0.notProcessed = true }
      let end = try stage.driver.end(1, 8)
      try require(end.isNotProcessed, "not_processed is missing")
      if let frame = try connection.nextIfAny(within: 300) { throw Failure(frame.words) }
    },
    ClientCase("R06", "a push-back is waited for") { stage in
      let (connection, request) = try stage.opened(.mutate)
      let began = now()
      connection.status(request.stream, 8) {
        $0.notProcessed = true
        $0.retryAfterMilliseconds = 1_200
      }
      let second = try connection.wholeRequest()
      try require(now() - began > 1_000, "a retry before the push-back had passed")
      connection.respond(second.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("R07", "a push-back of -1 forbids a retry") { stage in
      let (connection, request) = try stage.opened()
      connection.status(request.stream, 14) {
        $0.notProcessed = true
        $0.retryAfterMilliseconds = -1
      }
      try stage.driver.end(1, 14)
      if let frame = try connection.nextIfAny(within: 300) { throw Failure(frame.words) }
    },
    ClientCase("R08", "attempts have a limit") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [])
      let connection = try stage.greeted()
      var attempts: [UInt32] = []
      while attempts.count < 20 {
        switch try stage.arrival(of: 1, on: [connection]) {
        case .frame(_, let frame):
          let request = try ScriptedConnection.parse(frame)
          attempts.append(request.head.attempt)
          connection.status(request.stream, 14)
          continue
        case .connection: throw Failure("another connection")
        case .event(let event): try unavailable(event)
        }
        break
      }
      try require((1...10).contains(attempts.count), "\(attempts.count) attempts")
      try require(attempts == (0..<UInt32(attempts.count)).map { $0 }, "the attempts \(attempts)")
    },
    ClientCase("R09", "a budget limits the retries of all calls", body: budget),
    ClientCase("R10", "a failure that is not UNAVAILABLE is not retried") { stage in
      for code in [2, 4, 10, 13] {
        let (connection, request) = try stage.opened(.mutate)
        connection.status(request.stream, UInt32(code))
        try stage.driver.end(1, code)
        if let frame = try connection.nextIfAny(within: 150) { throw Failure(frame.words) }
        try stage.driver.closeClient()
      }
      try stage.makeClient()
    },
    ClientCase("R11", "no retry goes past the deadline") { stage in
      let began = now()
      let (connection, request) = try stage.opened(.unary, [], ["timeout_ms": 10_000])
      connection.status(request.stream, 14) { $0.retryAfterMilliseconds = 60_000 }
      try stage.driver.end(1, 14)
      try require(now() - began < 10_000, "the call ended at its deadline only")
    },
    ClientCase("R13", "a keyed call that may have run waits for its server to come back") { stage in
      try stage.makeClient()
      try stage.call(1, .mutate, [5], ["timeout_ms": 9_000])
      let connection = try stage.greeted()
      let first = try connection.wholeRequest()
      stage.listener.stop()
      connection.cut()
      usleep(150_000)
      try stage.listener.restart()
      let again = try stage.greeted()
      let second = try again.wholeRequest()
      try require(second.head.idempotencyKey, is: first.head.idempotencyKey, "the key")
      // What was tried meanwhile was never written.
      try require(second.head.attempt, is: 1, "the attempt")
      again.respond(second.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("R12", "keyed calls over connections that are cut have one effect each", body: cuts),
  ]

  /// 60 calls that all fail UNAVAILABLE.
  private static func budget(_ stage: Stage) throws {
    try stage.makeClient()
    var attempts = 0
    var connection: ScriptedConnection?
    for id in 1...60 {
      try stage.call(id, .unary, [UInt8(id)])
      let open = try connection ?? stage.greeted()
      connection = open
      var isOver = false
      while !isOver {
        guard let frame = try open.nextIfAny(within: 20) else {
          isOver = try hasEnded(stage, id)
          continue
        }
        attempts += 1
        open.status(try ScriptedConnection.parse(frame).stream, 14)
      }
    }
    try require(attempts < 120, "\(attempts) attempts of 60 calls")
  }

  private static func hasEnded(_ stage: Stage, _ id: Int) throws -> Bool {
    guard let event = try stage.driver.eventIfAny(id) else { return false }
    try unavailable(event)
    return true
  }

  private static func unavailable(_ event: Driver.Event) throws {
    guard case .end(let end) = event else { throw Failure("a message came") }
    try require(end.code, is: 14, "the code")
  }

  /// A server that has each effect once, over connections that are cut after random requests,
  /// before or after their effect.
  private static func cuts(_ stage: Stage) throws {
    try stage.makeClient()
    var effects: [[UInt8]: [UInt8]] = [:]
    var random: UInt32 = 11
    func next(below bound: UInt32) -> UInt32 {
      random = random &* 1_664_525 &+ 1_013_904_223
      return (random >> 16) % bound
    }
    var connection: ScriptedConnection?
    for id in 1...40 {
      var cutsLeft = 2
      var options: [String: Any] = ["wait_for_ready": true, "timeout_ms": 20_000]
      options["key"] = Hex.encode([UInt8](repeating: UInt8(id), count: 16))
      try stage.call(id, .mutate, [UInt8(id)], options)
      var place = id
      while true {
        // A client that gives the call up leaves its repetition to the caller, who keeps the key.
        if let event = try stage.driver.eventIfAny(place) {
          guard case .end(let end) = event, end.code == 14 else { throw Failure("another end") }
          place += 100
          try stage.call(place, .mutate, [UInt8(id)], options)
        }
        if connection == nil {
          connection = stage.listener.acceptIfAny(within: 20)
          try connection?.greet()
        }
        guard let open = connection, let frame = try open.nextIfAny(within: 20) else { continue }
        let request = try ScriptedConnection.parse(frame)
        try require(request.payload, is: [UInt8(id)], "the request")
        let choice = cutsLeft > 0 ? next(below: 6) : 5
        if choice != 0 {
          let known = effects[request.head.idempotencyKey]
          try require(known ?? [UInt8(id)], is: [UInt8(id)], "the key of another call came")
          effects[request.head.idempotencyKey] = [UInt8(id)]
        }
        if choice < 2 {
          cutsLeft -= 1
          if choice == 1 { open.send(Frames.header(type: 5, stream: request.stream, promising: 3)) }
          open.cut()
          connection = nil
          continue
        }
        open.respond(request.stream, [UInt8(id), 1])
        break
      }
      try require(stage.driver.message(place), is: [UInt8(id), 1], "the reply of call \(id)")
      try stage.driver.end(place, 0)
    }
    try require(effects.count, is: 40, "the number of effects")
  }

  /// Drains, and servers that end connections.
  static let drains: [ClientCase] = [
    ClientCase("G01", "a drain: open calls end here, new ones go elsewhere", body: drain),
    ClientCase("G02", "a call above the last stream is sent again elsewhere") { stage in
      let (connection, request) = try stage.opened()
      connection.goAway(.noError, last: 0)
      let second = try stage.greeted()
      let again = try second.wholeRequest()
      try require(again.payload, is: request.payload, "the request")
      try require(again.head.attempt, is: 1, "the attempt")
      second.respond(again.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("G03", "a bad token is UNAUTHENTICATED, and is not sent again for the call") {
      stage in
      try stage.makeClient(token: "bad")
      try stage.call(1, .unary)
      let connection = try stage.greeted()
      connection.goAway(.unauthenticated, last: 0)
      connection.halfClose()
      try stage.driver.end(1, 16)
      try require(stage.listener.acceptIfAny(within: 200) == nil, "another connection")
    },
    ClientCase("G04", "a server of another version ends the connection") { stage in
      var preface = Preface.bytes
      preface[7] = 2
      try answerAll(
        stage,
        with: preface + Frames.frame(.hello, Hello().serializedBytes())
          + Frames.frame(.goAway, [8, 4]))
    },
    ClientCase("G05", "what is no Quiver server ends the connection") { stage in
      try answerAll(stage, with: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
    },
    ClientCase("G06", "an error of the connection ends its calls") { stage in
      let (connection, _) = try stage.opened(.download)
      connection.data(1, [1])
      connection.goAway(.internalError, last: 1)
      connection.halfClose()
      try stage.read(1, 0)
      try require(stage.driver.message(1), is: [1], "the message")
      try stage.driver.end(1, 14)
    },
    ClientCase("G07", "a server that closes each connection ends the call, without a storm") {
      stage in
      try stage.makeClient()
      try stage.call(1, .unary, [], ["timeout_ms": 1_500])
      var connections = 0
      let limit = now() + 1_400
      while now() < limit {
        if let connection = stage.listener.acceptIfAny(within: 50) {
          connections += 1
          connection.cut()
        }
      }
      let event = try stage.driver.event(1)
      guard case .end(let end) = event else { throw Failure("a message came") }
      try require(end.code == 14 || end.code == 4, "code \(end.code)")
      try require(connections < 15, "\(connections) connections in 1.4 s")
    },
  ]

  /// Answers each connection with bytes that make it useless; the call fails.
  private static func answerAll(_ stage: Stage, with bytes: [UInt8]) throws {
    try stage.makeClient()
    try stage.call(1, .unary, [], ["timeout_ms": 6_000])
    while true {
      switch try stage.arrival(of: 1) {
      case .event(.end(let end)):
        return try require([14, 4].contains(end.code), "code \(end.code)")
      case .event: throw Failure("a message came")
      case .frame: continue
      case .connection(let connection):
        connection.send(bytes)
        try connection.readHello()
        try connection.expectClose()
      }
    }
  }

  private static func drain(_ stage: Stage) throws {
    let (connection, request) = try stage.opened(.unary, [1])
    connection.goAway(.noError, last: 2_147_483_647)
    connection.send(Frames.ping(77))
    try connection.wait("the answer to PING") { connection.pingsAnswered == 1 }
    connection.goAway(.noError, last: request.stream)
    try stage.call(2, .unary, [2])
    let second = try stage.greeted()
    let other = try second.wholeRequest()
    second.respond(other.stream, [2])
    try require(stage.driver.message(2), is: [2], "the reply on the new connection")
    try stage.driver.end(2, 0)
    connection.respond(request.stream, [1])
    try require(stage.driver.message(1), is: [1], "the reply on the old connection")
    try stage.driver.end(1, 0)
    connection.halfClose()
    try connection.expectClose()
  }
}
