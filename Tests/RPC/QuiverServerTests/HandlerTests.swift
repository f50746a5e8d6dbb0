import QuiverServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HandlerTests {
  @Test("Handlers of the four kinds answer their calls")
  func handlersOfTheFourKinds() async throws {
    try await withServer { _, address in
      try await withClient(address) { client in
        let got = try await client.call(Notes.get, Note("a", 1))
        #expect(got == Note("a", 1))
        var counted: [Int64] = []
        for try await note in try client.stream(Notes.count, Note("c", 3)) {
          counted.append(note.number)
        }
        #expect(counted == [0, 1, 2])
        let numbers = AsyncStream { continuation in
          for number: Int64 in 1...4 { continuation.yield(Note("", number)) }
          continuation.finish()
        }
        let sum = try await client.call(Notes.sum, sending: numbers)
        #expect(sum.number == 10)
        let words = AsyncStream { continuation in
          for word in ["x", "y"] { continuation.yield(Note(word)) }
          continuation.finish()
        }
        var heard: [String] = []
        for try await note in try client.stream(Notes.talk, sending: words) {
          heard.append(note.text)
        }
        #expect(heard == ["x", "y"])
      }
    }
  }

  @Test("A handler without await answers by itself or by what it throws, and runs in no task")
  func handlerWithoutAwait() async throws {
    let ran = Mutex<[Bool]>([])
    var handlers = NoteHandlers()
    handlers.add = .handle(Notes.add) { note, _ in
      let isTask = withUnsafeCurrentTask { $0 != nil }
      ran.withLock { $0.append(isTask || CallContext.current != nil) }
      guard note.number >= 0 else { throw RPCError(.outOfRange, "number: is negative") }
      return Note(note.text, note.number + 1)
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let added = try await client.call(Notes.add, Note("a", 1))
        #expect(added == Note("a", 2))
        let refused = await code { _ = try await client.call(Notes.add, Note("a", -1)) }
        #expect(refused == .outOfRange)
      }
    }
    #expect(ran.withLock { $0 } == [false, false])
  }

  @Test("An async handler and the tasks that it starts know the call that they answer")
  func currentCall() async throws {
    let known = Mutex<[UInt32?]>([])
    var handlers = NoteHandlers()
    handlers.get = { _, _ in
      let look: @Sendable () -> Void = {
        known.withLock { $0.append(CallContext.current?.timeLeftMilliseconds) }
      }
      look()
      await Task.yield()
      look()
      async let child: Void = look()
      await child
      await Task { look() }.value
      return Note()
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        _ = try await client.call(Notes.get, Note(), options: .init(timeout: .seconds(50)))
      }
    }
    #expect(known.withLock { $0 }.map { ($0 ?? 0) > 1_000 } == [true, true, true, true])
  }

  struct Oddity: Error { var secret = "hunter2" }

  @Test("An error of any type ends the call UNKNOWN and tells the caller nothing of it")
  func anErrorOfAnyType()
    async throws
  {
    var handlers = NoteHandlers()
    handlers.get = { note, _ in
      switch note.text {
      case "status": throw RPCError(.notFound, "no such note")
      case "cancelled": throw CancellationError()
      default: throw Oddity()
      }
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        let odd = await code { _ = try await client.call(Notes.get, Note("odd")) }
        let known = await code { _ = try await client.call(Notes.get, Note("status")) }
        let cancelled = await code { _ = try await client.call(Notes.get, Note("cancelled")) }
        #expect(odd == .unknown)
        #expect(known == .notFound)
        #expect(cancelled == .cancelled)
        do {
          _ = try await client.call(Notes.get, Note("odd"))
        } catch {
          #expect(!"\(error)".contains("hunter2"))
        }
      }
    }
  }

  @Test("A handler that ignores its cancellation does not hold the caller or a drain")
  func aHandlerThatIgnoresIts()
    async throws
  {
    let gate = Gate()
    var handlers = NoteHandlers()
    handlers.get = { note, _ in
      await gate.wait()
      return note
    }
    try await withServer(handlers) { server, address in
      try await withClient(address) { client in
        let call = Task { await code { _ = try await client.call(Notes.get, Note()) } }
        #expect(await eventually { gate.waitingCount == 1 })
        call.cancel()
        #expect(await call.value == .cancelled)
      }
    }
    gate.open()
  }

  @Test("A writer that is used after the end of its call throws CANCELLED")
  func aWriterThatIsUsed() async throws {
    let escaped = Mutex<ReplyWriter<Note>?>(nil)
    var handlers = NoteHandlers()
    handlers.count = { note, _, replies in
      escaped.withLock { $0 = replies }
      try await replies.send(note)
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        var heard = 0
        for try await _ in try client.stream(Notes.count, Note("only")) { heard += 1 }
        #expect(heard == 1)
        let writer = try #require(escaped.withLock { $0 })
        let late = await code { try await writer.send(Note("late")) }
        #expect(late == .cancelled)
        let next = try await client.call(Notes.get, Note("next"))
        #expect(next.text == "next")
      }
    }
  }

  @Test("The first answer of a responder counts")
  func theFirstAnswerOfA() async throws {
    var handlers = NoteHandlers()
    handlers.add = .responding(Notes.add) { note, _, responder in
      responder.reply(note)
      responder.reply(Note("second"))
      responder.end(with: RPCError(.internal, "third"))
    }
    try await withServer(handlers) { _, address in
      try await withClient(address) { client in
        for _ in 0..<3 {
          let reply = try await client.call(Notes.add, Note("first"))
          #expect(reply.text == "first")
        }
      }
    }
  }

  @Test("A message above the limit is refused and the connection goes on")
  func aMessageAboveTheLimit() async throws {
    try await withServer(NoteHandlers().with { $0.limits.maxMessageBytes = 8_192 }) { _, address in
      try await withClient(address) { client in
        _ = try await client.call(Notes.get, Note("small"))
        let large = Note(String(repeating: "x", count: 10_000))
        let refused = await code { _ = try await client.call(Notes.get, large) }
        #expect(refused == .resourceExhausted)
        _ = try await client.call(Notes.get, Note("small"))
      }
    }
  }

  @Test("An interceptor sees each call and its end, and may refuse it")
  func anInterceptorSeesEachCall() async throws {
    let seen = Seen()
    try await withServer(NoteHandlers().with { $0.interceptors = [seen] }) { _, address in
      try await withClient(address) { client in
        _ = try await client.call(Notes.get, Note("a"))
        let refused = await code {
          _ = try await client.call(
            Notes.get, Note(), options: CallOptions(metadata: ["deny": "yes"]))
        }
        #expect(refused == .permissionDenied)
      }
    }
    #expect(seen.all == ["test.notes.v1.Notes/Get OK", "refused"])
  }

  final class Seen: ServerInterceptor {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func start(
      _ method: CalledMethod, _ call: CallContext
    ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
      guard call.metadata["deny"] == nil else {
        lines.withLock { $0.append("refused") }
        throw RPCError(.permissionDenied, "denied by its metadata")
      }
      return { outcome in self.lines.withLock { $0.append("\(method.name) \(outcome.code)") } }
    }
  }
}
