import QuiverServer
import Synchronization
import TestSupport
import Testing

/// What handlers may do wrong: each call ends with a status, and the connection and the server go
/// on.
@Suite(.timeLimit(.minutes(1))) struct HandlerFaultTests {
  /// Calls that must be answered still.
  static func goesOn(_ client: RPCClient) async throws {
    let reply = try await client.call(Notes.hello, Note())
    #expect(!reply.text.isEmpty)
  }

  @Test("A handler that never returns holds a drain up for its limit only")
  func aHandlerThatNeverReturns() async throws {
    let gate = Gate()
    var handlers = NoteHandlers()
    handlers.get = { note, _ in
      await gate.wait()
      return note
    }
    var configuration = RPCServer.Configuration(
      addresses: ["127.0.0.1:0"], services: [handlers.service])
    configuration.limits.drainTime = .milliseconds(200)
    let server = try RPCServer(configuration)
    let address = try server.start()[0]
    let running = Task { try await server.run() }
    try await withClient(address) { client in
      let call = Task {
        await code {
          _ = try await client.call(
            Notes.get, Note(), options: CallOptions(timeout: .seconds(600)))
        }
      }
      #expect(await eventually { gate.waitingCount == 1 })
      running.cancel()
      try await running.value
      let ended = await call.value
      #expect(ended == .cancelled || ended == .unavailable)
    }
    #expect(gate.waitingCount == 1)
    gate.open()
  }

  @Test("A responder that is released without an answer ends its call INTERNAL")
  func aResponderThatIsReleased() async throws {
    var handlers = NoteHandlers()
    handlers.add = .responding(Notes.add) { _, _, _ in }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let ended = await code { _ = try await client.call(Notes.add, Note()) }
        #expect(ended == .internal)
        try await Self.goesOn(client)
      }
    }
  }

  struct Convertible: RPCErrorConvertible {
    let rpcError: RPCError
  }

  /// Errors that no status can carry as they are, with the code that the caller gets.
  static let errors: [(error: any RPCErrorConvertible, code: StatusCode)] = {
    var success = RPCError(.internal, "the code was set afterwards")
    success.code = .ok
    var metadata = Metadata()
    for number in 0..<100 { metadata.append("key-\(number)", "value") }
    let large = RPCError.Detail(
      type: "test.notes.v1.Note", value: [UInt8](repeating: 1, count: 100_000))
    return [
      (Convertible(rpcError: RPCError(.ok, "it went well")), .unknown),
      (Convertible(rpcError: success), .unknown), (success, .unknown),
      (RPCError(.aborted, String(repeating: "é", count: 100_000)), .aborted),
      (RPCError(.notFound, "details", details: [large, large]), .notFound),
      (RPCError(.notFound, "metadata", metadata: metadata), .notFound),
      (RPCError(.notFound, "metadata", metadata: ["Not A Key": "x"]), .notFound),
      (RPCError(StatusCode(rawValue: 4_000), "a code of its own"), StatusCode(rawValue: 4_000)),
    ]
  }()

  @Test("An error that no status can carry ends its call all the same", arguments: 0..<8)
  func anErrorThatNoStatus(_ index: Int) async throws {
    let (thrown, expected) = Self.errors[index]
    var handlers = NoteHandlers()
    handlers.get = { _, _ in throw thrown }
    handlers.count = { note, _, replies in
      try await replies.send(note)
      throw thrown
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let unary = await code { _ = try await client.call(Notes.get, Note()) }
        #expect(unary == expected)
        var heard = 0
        let stream = await code {
          for try await _ in try client.stream(Notes.count, Note("only")) { heard += 1 }
        }
        #expect(stream == expected)
        #expect(heard <= 1)
        try await Self.goesOn(client)
      }
    }
  }

  @Test("A handler that returns before its requests have ended ends the call")
  func aHandlerThatReturnsBefore() async throws {
    try await withServer(NoteHandlers().with { $0.services = [Early.service] }) { _, address in
      try await withClient(address) { client in
        let sum = try client.open(Notes.sum)
        try await sum.send(Note("", 1))
        let reply = try await sum.reply()
        #expect(reply.message.number == 1)
        let talk = try client.open(Notes.talk)
        // The handler answers without a request, perhaps before this one is sent.
        let sent = await code { try await talk.send(Note("hello")) }
        #expect([.ok, .cancelled].contains(sent))
        var heard: [String] = []
        for try await note in talk.replies { heard.append(note.text) }
        #expect(heard == ["goodbye"])
        let late = await code { while true { try await talk.send(Note("late")) } }
        #expect(late != .ok)
      }
    }
  }

  /// Handlers that take one message of their requests and answer.
  enum Early {
    static var service: Service {
      Service(
        Notes.self,
        [
          .handle(Notes.get) { note, _ in note }, .handle(Notes.add) { note, _ in note },
          .handle(Notes.hello) { note, _ in note },
          .handle(Notes.count) { _, _, _ in },
          .handle(Notes.sum) { notes, _ in
            var iterator = notes.makeAsyncIterator()
            return try await iterator.next() ?? Note()
          },
          .handle(Notes.talk) { _, _, replies in try await replies.send(Note("goodbye")) },
        ])
    }
  }

  @Test("Tasks of one handler may send at the same time, and every message arrives")
  func tasksOfOneHandlerMay() async throws {
    var handlers = NoteHandlers()
    handlers.count = { note, _, replies in
      try await withThrowingTaskGroup { group in
        for number in 0..<note.number {
          group.addTask { try await replies.send(Note(note.text, number)) }
        }
        try await group.waitForAll()
      }
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        var heard: Set<Int64> = []
        for try await note in try client.stream(Notes.count, Note("c", 300)) {
          heard.insert(note.number)
        }
        #expect(heard == Set(0..<300))
      }
    }
  }

  @Test("A handler that sends on after its caller is gone gets CANCELLED each time")
  func aHandlerThatSendsOn() async throws {
    let codes = Mutex<[StatusCode]>([])
    let gate = Gate()
    var handlers = NoteHandlers()
    handlers.count = { note, _, replies in
      try await replies.send(note)
      await gate.wait()
      _ = await eventually { Task.isCancelled }
      for _ in 0..<3 {
        let ended = await code { try await replies.send(note) }
        codes.withLock { $0.append(ended) }
      }
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let ended = await code {
          let options = CallOptions(timeout: .milliseconds(100))
          for try await _ in try client.stream(Notes.count, Note("c"), options: options) {}
        }
        #expect(ended == .deadlineExceeded)
        gate.open()
        #expect(await eventually { codes.withLock { $0.count } == 3 })
        #expect(codes.withLock { $0 }.allSatisfy { $0 == .cancelled })
        try await Self.goesOn(client)
      }
    }
  }

  @Test("A reply above the limit of its caller ends the call, of a stream as well")
  func aReplyAboveTheLimit() async throws {
    let limit = 4_194_304
    var handlers = NoteHandlers()
    handlers.get = { _, _ in Note(String(repeating: "x", count: limit + 1)) }
    handlers.count = { note, _, replies in
      try await replies.send(note)
      try await replies.send(Note(String(repeating: "x", count: limit + 1)))
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let unary = await code { _ = try await client.call(Notes.get, Note()) }
        #expect(unary == .resourceExhausted)
        var heard = 0
        let stream = await code {
          for try await _ in try client.stream(Notes.count, Note("first")) { heard += 1 }
        }
        #expect(stream == .resourceExhausted)
        #expect(heard <= 1)
        try await Self.goesOn(client)
      }
    }
  }

  @Test("A message above the limit ends the stream of requests that it came on")
  func aMessageAboveTheLimit() async throws {
    try await withServer(NoteHandlers().with { $0.limits.maxMessageBytes = 8_192 }) { _, address in
      try await withClient(address) { client in
        let ended = await code {
          let sum = try client.open(Notes.sum)
          try await sum.send(Note("small", 1))
          try await sum.send(Note(String(repeating: "x", count: 10_000)))
          _ = try await sum.reply()
        }
        #expect(ended == .resourceExhausted)
        try await Self.goesOn(client)
      }
    }
  }

  @Test("Initial and trailing metadata above the limits end their call with the reason")
  func initialAndTrailingMetadataAbove() async throws {
    var many = Metadata()
    for number in 0..<65 { many.append("key-\(number)", "value") }
    let metadata = many
    var handlers = NoteHandlers()
    handlers.add = .handleReply(Notes.add) { note, _ in
      note.number == 0
        ? Reply(message: note, initialMetadata: metadata)
        : Reply(message: note, trailingMetadata: metadata)
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        for number: Int64 in 0...1 {
          let ended = await code { _ = try await client.call(Notes.add, Note("a", number)) }
          #expect(ended == .resourceExhausted)
        }
        try await Self.goesOn(client)
      }
    }
  }

  @Test("A handler that traps ends its process, as every trap of Swift does")
  func aHandlerThatTrapsEnds() async {
    await #expect(processExitsWith: .failure) {
      var handlers = NoteHandlers()
      handlers.get = { _, _ in preconditionFailure("a defect of the handler") }
      try await withServer(handlers) { _, address in
        try await withClient(address) { client in
          _ = try? await client.call(Notes.get, Note())
        }
      }
    }
  }
}
