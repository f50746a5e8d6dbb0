import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Synchronization
import TestTransports
import Testing

@testable import QuiverClient
@testable import QuiverRPC

/// Records its events, and refuses calls on request.
private final class Listener: ClientInterceptor, ServerInterceptor {
  private let notes = Mutex<[String]>([])
  private let name: String
  private let refused: String?

  init(_ name: String = "", refusing refused: String? = nil) {
    self.name = name
    self.refused = refused
  }

  var events: [String] { notes.withLock { $0 } }

  private func note(_ text: String) { notes.withLock { $0.append(name + text) } }

  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    call.options.metadata.append("from", name)
    return try start(call.method)
  }

  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    try start(method)
  }

  private func start(
    _ method: CalledMethod
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    let short = String(method.name.split(separator: "/").last ?? "")
    note("+\(short)")
    if short == refused { throw RPCError(.permissionDenied, "not this one", isNotProcessed: false) }
    return { [self] outcome in
      note("-\(short) \(outcome.code.name)")
      if outcome.duration < .zero { note("backwards") }
    }
  }
}

@Suite("Interceptors", .timeLimit(.minutes(5)), .eachReadiness)
struct InterceptorTests {
  /// The four kinds of call, by the name of the method.
  private static func make(_ kind: String, _ client: RPCClient) async throws {
    switch kind {
    case "Echo": _ = try await client.call(Notes.echo, Note())
    case "Count": for try await _ in try client.stream(Notes.count, Note(number: 2)) {}
    case "Sum":
      let call = try client.open(Notes.sum)
      try await call.send(Note(number: 1))
      _ = try await call.reply()
    default:
      let call = try client.open(Notes.talk)
      try await call.send(Note(number: 1))
      call.finish()
      for try await _ in call.replies {}
    }
  }

  private static let kinds = ["Echo", "Count", "Sum", "Talk"]

  @Test(
    "interceptors of both ends see the start and the end of calls of every kind", arguments: kinds)
  func told(_ kind: String) throws {
    let (outer, inner, server) = (Listener("1"), Listener("2"), Listener())
    let network = VirtualNetwork("a", interceptors: [server])
    let client = network.client("a") { $0.interceptors = [outer, inner] }
    try network.run { try await Self.make(kind, client) }
    #expect(outer.events == ["1+\(kind)", "1-\(kind) OK"])
    #expect(inner.events == ["2+\(kind)", "2-\(kind) OK"])
    #expect(server.events == ["+\(kind)", "-\(kind) OK"])
  }

  @Test(
    "interceptors of both ends see a failure, the client's once for all attempts", arguments: kinds)
  func failing(_ kind: String) throws {
    let (mine, server) = (Listener(), Listener())
    let network = VirtualNetwork("a", interceptors: [server])
    let client = network.client("a") { $0.interceptors = [mine] }
    try network.server("a").failAlways(RPCError(.aborted, "no"))
    #expect(
      try network.failure(network.start { try await Self.make(kind, client) }).code == .aborted)
    #expect(mine.events == ["+\(kind)", "-\(kind) ABORTED"])
    #expect(server.events == ["+\(kind)", "-\(kind) ABORTED"])
    try network.server("a").failAlways(nil)
    try network.server("a").script(RPCError(.unavailable, "busy", isNotProcessed: true))
    if kind == "Echo" {
      try network.run { try await Self.make(kind, client) }
      #expect(mine.events.suffix(2) == ["+Echo", "-Echo OK"])
      #expect(server.events.suffix(4) == ["+Echo", "-Echo UNAVAILABLE", "+Echo", "-Echo OK"])
    } else {
      // A stream is not retried after a message was sent or received.
      let error = try network.failure(network.start { try await Self.make(kind, client) })
      #expect(error.code == .unavailable)
      #expect(mine.events.suffix(2) == ["+\(kind)", "-\(kind) UNAVAILABLE"])
      #expect(server.events.suffix(2) == ["+\(kind)", "-\(kind) UNAVAILABLE"])
    }
    #expect(mine.events.count == 4)
  }

  @Test("a server's interceptor refuses before the handler, for all kinds", arguments: kinds)
  func refusedByServer(_ kind: String) throws {
    let (first, second, third) = (Listener("1"), Listener("2", refusing: kind), Listener("3"))
    let network = VirtualNetwork("a", interceptors: [first, second, third])
    let client = network.client("a")
    let error = try network.failure(network.start { try await Self.make(kind, client) })
    #expect(error.code == .permissionDenied && error.message == "not this one")
    #expect(error.origin == .server && error.isNotProcessed)
    #expect(try network.server("a").handledCalls.isEmpty)
    #expect(first.events == ["1+\(kind)", "1-\(kind) PERMISSION_DENIED"])
    #expect(second.events == ["2+\(kind)"] && third.events.isEmpty)
    // The connection still works.
    let other = kind == "Echo" ? "Sum" : "Echo"
    try network.run { try await Self.make(other, client) }
    #expect(network.connects.count == 1)
    #expect(network.serverEnds.allSatisfy { $0.connection.pointee.core.streams.isEmpty })
  }

  @Test("a client's interceptor fails a call, which is not sent", arguments: kinds)
  func refusedByClient(_ kind: String) throws {
    let (first, second) = (Listener("1"), Listener("2", refusing: kind))
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.interceptors = [first, second] }
    let error = try network.failure(network.start { try await Self.make(kind, client) })
    #expect(error.code == .permissionDenied && error.origin == .client && error.isNotProcessed)
    #expect(network.connects.isEmpty)
    #expect(first.events == ["1+\(kind)", "1-\(kind) PERMISSION_DENIED"])
  }

  @Test("a client's interceptors change metadata, one after the other")
  func metadata() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.interceptors = [Listener("1"), Listener("2")] }
    #expect(try network.run { try await client.call(Notes.metadata, Note("from")).text } == "1")
  }

  @Test(
    "the server's interceptors see a cancelled or disconnected call end CANCELLED"
  )
  func cancelled() throws {
    let server = Listener()
    let network = VirtualNetwork("a", interceptors: [server])
    let client = network.client("a") { $0.limits.maxAttempts = 1 }
    let calls = (0..<2).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    calls[0].cancel()
    network.reactor.runReady()
    let virtual = try network.server("a")
    #expect(virtual.cancelledCount == 1)
    virtual.release(1)
    network.reactor.runReady()
    #expect(server.events == ["+Hold", "+Hold", "-Hold CANCELLED"])
    network.cutAll()
    network.reactor.runReady()
    virtual.release()
    network.reactor.runReady()
    #expect(server.events.suffix(1) == ["-Hold CANCELLED"] && server.events.count == 4)
    #expect(calls.allSatisfy { $0.result != nil })
  }

  @Test("a call whose deadline passes while its handler runs ends when the handler returns")
  func expired() throws {
    let server = Listener()
    let network = VirtualNetwork("a", interceptors: [server])
    let client = network.client("a")
    let call = network.start {
      try await client.call(Notes.hold, Note(), options: CallOptions(timeout: .seconds(1)))
    }
    #expect(try network.failure(call).code == .deadlineExceeded)
    network.advance(milliseconds: 10)
    try network.server("a").release()
    network.reactor.runReady()
    #expect(server.events == ["+Hold", "-Hold DEADLINE_EXCEEDED"])
  }

  @Test("a call that is refused before interceptors run leaves no state")
  func refusedUnasked() throws {
    let server = Listener()
    let network = VirtualNetwork("a", interceptors: [server])
    let client = network.client("a")
    for (user, code) in [("7", StatusCode.permissionDenied), ("nobody", .invalidArgument)] {
      let options = CallOptions(metadata: [ActingUser.key: user])
      let call = network.start { try await client.call(Notes.echo, Note(), options: options) }
      #expect(try network.failure(call).code == code)
    }
    #expect(server.events.isEmpty)
    #expect(network.serverEnds.map { $0.connection.pointee.failures.count } == [0])
  }

  @Test(
    "a stream with an idempotency key fails at the client and is not sent, and interceptors see it")
  func keyedStreams() throws {
    let mine = Listener()
    let network = VirtualNetwork("a")
    let options = CallOptions(idempotencyKey: .random())
    for client in [network.client("a"), network.client("a") { $0.interceptors = [mine] }] {
      let calls: [() throws -> Void] = [
        { _ = try client.stream(Notes.count, Note(), options: options) },
        { _ = try client.open(Notes.sum, options: options) },
        { _ = try client.open(Notes.talk, options: options) },
      ]
      for call in calls {
        let error = #expect(throws: RPCError.self) { try call() }
        #expect(error?.code == .invalidArgument && error?.origin == .client)
        #expect(error?.isNotProcessed == true)
      }
    }
    #expect(network.connects.isEmpty)
    #expect(
      mine.events == ["Count", "Sum", "Talk"].flatMap { ["+\($0)", "-\($0) INVALID_ARGUMENT"] })
  }
}
