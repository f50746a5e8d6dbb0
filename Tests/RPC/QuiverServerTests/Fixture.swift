import QuiverServer
import Synchronization

struct Note: Message {
  var text = ""
  var number: Int64 = 0

  static let schema = Schema<Self>(
    "test.notes.v1.Note", .string(1, "text", \.text), .int64(2, "number", \.number))

  init() {}
  init(_ text: String, _ number: Int64 = 0) {
    self.text = text
    self.number = number
  }
}

enum Notes: RPCService {
  struct Methods: Sendable {
    let get = UnaryMethod<Note, Note>("test.notes.v1.Notes/Get", id: 10_241)
    let add = UnaryMethod<Note, Note>("test.notes.v1.Notes/Add", id: 10_242, mutating: true)
    let count = ServerStreamingMethod<Note, Note>("test.notes.v1.Notes/Count", id: 10_243)
    let sum = ClientStreamingMethod<Note, Note>("test.notes.v1.Notes/Sum", id: 10_244)
    let talk = BidirectionalMethod<Note, Note>("test.notes.v1.Notes/Talk", id: 10_245)
    let hello = UnaryMethod<Note, Note>("test.notes.v1.Notes/Hello", id: 10_246, anonymous: true)
  }

  static let methods = Methods()
}

/// The handlers of ``Notes``; each can be replaced.
struct NoteHandlers: Sendable {
  var get: @Sendable (Note, CallContext) async throws -> Note = { note, _ in note }
  var add = Route.handle(Notes.add) { note, _ in note }
  var count: @Sendable (Note, CallContext, ReplyWriter<Note>) async throws -> Void = {
    note, _, replies in
    for number in 0..<note.number { try await replies.send(Note(note.text, number)) }
  }

  /// Changes the configuration of the server.
  var configure: @Sendable (inout RPCServer.Configuration) -> Void = { _ in }

  /// The same handlers behind another configuration.
  func with(_ change: @escaping @Sendable (inout RPCServer.Configuration) -> Void) -> Self {
    var changed = self
    changed.configure = change
    return changed
  }

  var service: Service {
    Service(
      Notes.self,
      [
        .handle(Notes.get, get), add, .handle(Notes.count, count),
        .handle(Notes.sum) { notes, _ in
          var sum = Note()
          for try await note in notes { sum.number += note.number }
          return sum
        },
        .handle(Notes.talk) { notes, _, replies in
          for try await note in notes { try await replies.send(note) }
        },
        .handle(Notes.hello) { note, call in Note(call.principal?.name ?? "nobody") },
      ])
  }
}

/// Runs a server of ``Notes`` while `body` runs, and drains it.
func withServer<Value: Sendable>(
  _ handlers: NoteHandlers = NoteHandlers(),
  _ body: @Sendable (RPCServer, String) async throws -> Value
) async throws -> Value {
  var configuration = RPCServer.Configuration(
    addresses: ["127.0.0.1:0"], services: [handlers.service])
  configuration.threadCount = 2
  configuration.limits.drainTime = .milliseconds(500)
  handlers.configure(&configuration)
  let server = try RPCServer(configuration)
  let address = try server.start()[0]
  let running = Task { try await server.run() }
  let result: Result<Value, any Error>
  do {
    result = .success(try await body(server, address))
  } catch {
    result = .failure(error)
  }
  running.cancel()
  try await running.value
  return try result.get()
}

/// A client of one server that closes when `body` is done.
func withClient<Value: Sendable>(
  _ address: String, token: String? = nil,
  _ body: @Sendable (RPCClient) async throws -> Value
) async throws -> Value {
  var configuration = RPCClient.Configuration(server: address, token: token)
  configuration.limits.maxAttempts = 1
  let client = try RPCClient(configuration)
  let result: Result<Value, any Error>
  do {
    result = .success(try await body(client))
  } catch {
    result = .failure(error)
  }
  await client.close(gracePeriod: .milliseconds(200))
  return try result.get()
}

/// The code that `body` fails with; OK if it does not.
func code(_ body: () async throws -> Void) async -> StatusCode {
  do {
    try await body()
    return .ok
  } catch {
    return (error as? RPCError)?.code ?? .unknown
  }
}

/// Opened once; tasks wait until then, also cancelled ones.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
