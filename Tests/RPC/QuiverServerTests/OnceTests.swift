import QuiverServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct OnceTests {
  static func handlers(_ store: MemoryIdempotencyStore<[String]>) -> NoteHandlers {
    var handlers = NoteHandlers()
    handlers.add = .handle(Notes.add, once: store) { note, _, notes in
      notes.append(note.text)
      guard note.text != "bad" else { throw RPCError(.invalidArgument, "text: is bad") }
      return Note(note.text, Int64(notes.count))
    }
    return handlers
  }

  @Test("A call that is sent again has its effect once and gets the same reply")
  func aCallThatIsSent()
    async throws
  {
    let store = MemoryIdempotencyStore<[String]>([])
    try await withServer(Self.handlers(store)) { _, address in
      try await withClient(address) { client in
        let options = CallOptions(idempotencyKey: .random())
        let first = try await client.call(Notes.add, Note("a"), options: options)
        let second = try await client.call(Notes.add, Note("a"), options: options)
        #expect(first == second)
        let other = await code {
          _ = try await client.call(Notes.add, Note("b"), options: options)
        }
        #expect(other == .alreadyExists)
        _ = try await client.call(Notes.add, Note("a"))
      }
    }
    #expect(store.state == ["a", "a"])
  }

  @Test("Work that throws changes nothing and its key stays free")
  func workThatThrowsChangesNothing() async throws {
    let store = MemoryIdempotencyStore<[String]>([])
    try await withServer(Self.handlers(store)) { _, address in
      try await withClient(address) { client in
        let options = CallOptions(idempotencyKey: .random())
        let bad = await code {
          _ = try await client.call(Notes.add, Note("bad"), options: options)
        }
        #expect(bad == .invalidArgument)
        _ = try await client.call(Notes.add, Note("good"), options: options)
      }
    }
    #expect(store.state == ["good"])
  }

  @Test("The oldest replies are removed above the limit of a principal")
  func theOldestRepliesAreRemoved() async throws {
    var retention = KeyRetention()
    retention.maxKeysPerPrincipal = 3
    let store = MemoryIdempotencyStore<[String]>([], retention: retention)
    for _ in 0..<5 {
      let call = KeyedCall(principal: "p", method: "m", key: .random(), request: [])
      _ = try await store.perform(call) { _ in [] }
    }
    #expect(store.keptReplyCount == 3)
  }
}
