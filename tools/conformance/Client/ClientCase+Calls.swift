import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// The four kinds of call and their forms of reply.
  static let calls: [ClientCase] = [
    ClientCase("C01", "a unary call carries its method, its timeout and its message") { stage in
      let (connection, request) = try stage.opened(.unary, [1, 2, 3], ["timeout_ms": 5_000])
      try require(request.head.methodID, is: ScriptedMethod.unary.id, "the method")
      try require(request.payload, is: [1, 2, 3], "the request")
      try require(
        (1...5_000).contains(request.head.timeoutMilliseconds),
        "a timeout of \(request.head.timeoutMilliseconds)")
      try require(connection.hello.authToken, is: Array("good".utf8), "the token")
      try require(connection.hello.versionMin, is: 1, "version_min")
      connection.respond(request.stream, [4, 5])
      try require(stage.driver.message(1), is: [4, 5], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("C02", "a reply of HEADERS, DATA and STATUS brings its metadata") { stage in
      let (connection, request) = try stage.opened()
      var head = ResponseHead()
      head.metadata = [entry("first", [0, 255])]
      connection.send(
        Frames.frame(.headers, stream: request.stream, head.serializedBytes()))
      connection.data(request.stream, [7])
      connection.status(request.stream, 0) { $0.metadata = [entry("last", [1])] }
      try require(stage.driver.message(1), is: [7], "the reply")
      let end = try stage.driver.end(1, 0)
      try require(end.initial, is: "first=00ff", "the initial metadata")
      try require(end.trailing, is: "last=01", "the trailing metadata")
    },
    ClientCase("C03", "a reply in parts is put together, also in a DATA") { stage in
      let (connection, request) = try stage.opened()
      let message = ScriptedConnection.echo(pattern(9_000))
      connection.send(
        Frames.frame(.response, .more, stream: request.stream, Array(message[..<1_024])),
        Frames.data(request.stream, Array(message[1_024..<8_000]), .more),
        Frames.data(request.stream, Array(message[8_000...])))
      try require(stage.driver.message(1), is: pattern(9_000), "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("C04", "an empty reply is a message") { stage in
      let (connection, request) = try stage.opened(.unary, [])
      try require(request.message, is: [], "the request")
      connection.send(Frames.frame(.response, stream: request.stream, []))
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase(
      "C05", "a request stream sends all messages in order and then its end", body: upload),
    ClientCase("C06", "the messages of a reply stream come in order", body: download),
    ClientCase("C07", "a bidirectional call takes a reply to each message", body: talk),
    ClientCase("C08", "replies come in any order", body: reversed),
    ClientCase("C09", "a call waits for a server whose HELLO is late") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [1])
      let connection = try stage.listener.accept()
      try stage.driver.expectNothing(1)
      try connection.greet()
      let request = try connection.wholeRequest()
      connection.respond(request.stream, [2])
      try require(stage.driver.message(1), is: [2], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("C10", "the metadata of a request arrives as it was given") { stage in
      let (connection, request) = try stage.opened(
        .unary, [], ["metadata": "a=00,a=ff,b-c.d_9=6162"])
      let found = request.head.metadata.map { "\($0.key)=\(Hex.encode($0.value))" }
      try require(found, is: ["a=00", "a=ff", "b-c.d_9=6162"], "the metadata")
      connection.respond(request.stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("C11", "no connection has more calls than the server allows", body: fullConnection),
    ClientCase("C12", "a client without a token keeps to the small limits", body: anonymous),
    ClientCase("C13", "a server's larger limits are used") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [1])
      let connection = try stage.greeted {
        $0.maxFrameBytes = 65_536
        $0.initialStreamCredit = 1 << 20
        $0.initialConnectionCredit = 1 << 21
      }
      connection.largestFrame = 65_536
      connection.respond(try connection.wholeRequest().stream, [])
      try require(stage.driver.message(1), is: [], "the reply")
      try stage.driver.end(1, 0)
      try stage.call(2, .unary, pattern(500_000))
      // All of it must come without any CREDIT.
      var request = try connection.request()
      var flags = request.flags
      while flags.contains(.more) {
        let frame = try connection.next()
        request.message += frame.payload
        flags = frame.header.flags
      }
      try require(request.payload == pattern(500_000), "another request")
      connection.respond(request.stream, [2])
      try require(stage.driver.message(2), is: [2], "the reply")
      try stage.driver.end(2, 0)
    },
  ]

  static func entry(_ key: String, _ value: [UInt8]) -> MetadataMessage {
    var entry = MetadataMessage()
    entry.key = key
    entry.value = value
    return entry
  }

  private static func upload(_ stage: Stage) throws {
    try stage.makeClient()
    try stage.call(1, .upload)
    for number in 0..<20 { try stage.send(1, pattern(number * 100)) }
    try stage.finish(1)
    let connection = try stage.greeted()
    let request = try connection.request()
    try require(request.head.idempotencyKey, is: [], "the key of a stream")
    var messages: [[UInt8]] = []
    if request.flags.contains(.end) || !request.message.isEmpty { messages.append(request.payload) }
    var ends = request.flags.contains(.end)
    while !ends, let (message, isLast) = try connection.streamed(request.stream) {
      messages.append((try EchoMessage(serializedBytes: message)).payload)
      ends = isLast
    }
    try require(messages == (0..<20).map { pattern($0 * 100) }, "\(messages.count) messages came")
    connection.respond(request.stream, [20])
    try require(stage.driver.message(1), is: [20], "the reply")
    try stage.driver.end(1, 0)
  }

  private static func download(_ stage: Stage) throws {
    let (connection, request) = try stage.opened(.download)
    connection.send(Frames.frame(.headers, stream: request.stream, []))
    for number in 0..<30 { connection.data(request.stream, [UInt8(number)]) }
    connection.status(request.stream, 0)
    try stage.read(1, 0)
    for number in 0..<30 {
      try require(stage.driver.message(1), is: [UInt8(number)], "message \(number)")
    }
    try stage.driver.end(1, 0)
  }

  private static func talk(_ stage: Stage) throws {
    try stage.makeClient()
    try stage.call(1, .talk)
    try stage.send(1, [0])
    let connection = try stage.greeted()
    let request = try connection.request()
    try stage.read(1, 0)
    for number in 0..<10 {
      if number > 0 { try stage.send(1, [UInt8(number)]) }
      guard let (message, _) = try connection.streamed(request.stream) else {
        throw Failure("the request side ended")
      }
      try require(
        try EchoMessage(serializedBytes: message).payload, is: [UInt8(number)], "the message")
      connection.data(request.stream, [UInt8(number), 1])
      try require(stage.driver.message(1), is: [UInt8(number), 1], "the answer")
    }
    try stage.finish(1)
    if let (message, ends) = try connection.streamed(request.stream) {
      throw Failure("a message of \(message.count) bytes at the end, END \(ends)")
    }
    connection.status(request.stream, 0)
    try stage.driver.end(1, 0)
  }

  private static func reversed(_ stage: Stage) throws {
    try stage.makeClient()
    for id in 1...5 { try stage.call(id, .unary, [UInt8(id)]) }
    let connection = try stage.greeted()
    var requests: [ScriptedConnection.Request] = []
    for _ in 1...5 { requests.append(try connection.wholeRequest()) }
    for request in requests.reversed() {
      connection.respond(request.stream, request.payload + [0])
    }
    for id in 1...5 {
      try require(stage.driver.message(id), is: [UInt8(id), 0], "the reply of call \(id)")
      try stage.driver.end(id, 0)
    }
  }

  private static func fullConnection(_ stage: Stage) throws {
    try stage.makeClient()
    for id in 1...130 { try stage.call(id, .unary, [UInt8(id)]) }
    let first = try stage.greeted()
    var requests: [ScriptedConnection.Request] = []
    while requests.count < 100 { requests.append(try first.wholeRequest()) }
    if let frame = try first.nextIfAny(within: 200) {
      throw Failure("\(frame.words), with 100 calls open")
    }
    // The other calls come on other connections or when there is room.
    for request in requests { first.respond(request.stream, request.payload) }
    var connections = [first]
    for _ in 0..<30 {
      let (connection, request) = try nextRequest(stage, &connections) { try $0.greet() }
      connection.respond(request.stream, request.payload)
    }
    for id in 1...130 {
      try require(stage.driver.message(id), is: [UInt8(id)], "the reply of call \(id)")
      try stage.driver.end(id, 0)
    }
  }

  /// The next unary call on any of the connections, or on a new one, which is greeted.
  private static func nextRequest(
    _ stage: Stage, _ connections: inout [ScriptedConnection],
    greet: (ScriptedConnection) throws -> Void
  ) throws -> (connection: ScriptedConnection, request: ScriptedConnection.Request) {
    let limit = now() + Int(Driver.patience)
    while now() < limit {
      if let another = stage.listener.acceptIfAny(within: 5) {
        try greet(another)
        connections.append(another)
      }
      for connection in connections {
        guard let frame = try connection.nextIfAny(within: 5) else { continue }
        return (connection, try ScriptedConnection.parse(frame))
      }
    }
    throw Failure("no further call came")
  }

  private static func anonymous(_ stage: Stage) throws {
    try stage.makeClient(token: "")
    try stage.call(1, .unary, pattern(3_000))
    let connection = try stage.listener.accept()
    try connection.readHello()
    try require(connection.hello.authToken, is: [], "the token")
    connection.send(Preface.bytes, Frames.frame(.hello, Hello().serializedBytes()))
    let request = try connection.wholeRequest()
    try stage.call(2, .unary, [2])
    if let frame = try connection.nextIfAny(within: 100) {
      throw Failure("\(frame.words), where one call is allowed")
    }
    connection.respond(request.stream, [1])
    try require(stage.driver.message(1), is: [1], "the reply")
    try stage.driver.end(1, 0)
    // The second call comes here, or on a connection of its own.
    var connections = [connection]
    let (open, second) = try nextRequest(stage, &connections) { another in
      try another.readHello()
      another.send(Preface.bytes, Frames.frame(.hello, Hello().serializedBytes()))
    }
    open.respond(second.stream, [2])
    try require(stage.driver.message(2), is: [2], "the reply")
    try stage.driver.end(2, 0)
  }
}
