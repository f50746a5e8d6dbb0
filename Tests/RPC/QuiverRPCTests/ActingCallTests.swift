import QuiverWire
import Synchronization
import Testing

@testable import QuiverRPC

/// Lookups of callers that the test answers.
final class HeldLookups: Sendable {
  private struct Lookup: Sendable {
    let user: Int64
    let completion: DeferredCaller.Completion
  }

  private let state = Mutex<[Lookup]>([])

  var users: [Int64] { state.withLock { $0.map(\.user) } }

  func add(_ user: Int64, _ completion: @escaping DeferredCaller.Completion) {
    state.withLock { $0.append(Lookup(user: user, completion: completion)) }
  }

  /// Answers the oldest lookup of a user; `isAllowed` false: with a denial.
  func answer(_ user: Int64, isAllowed: Bool = true, isCurrent: Bool = true) {
    let lookup = state.withLock { lookups in
      lookups.firstIndex { $0.user == user }.map { lookups.remove(at: $0) }
    }
    let caller = Caller(principalID: user, tokenID: 1, kind: .user, displayName: "B. Archer")
    lookup?.completion(isAllowed ? .success(caller) : .failure(ActingUser.denied)) { isCurrent }
  }
}

@Suite("Calls for users wait until their callers are known", .timeLimit(.minutes(5)))
struct ActingCallTests {
  private static func call(
    _ stream: UInt32, _ method: UInt32, user: Int64, _ message: [UInt8] = blob(encoded: 20),
    _ flags: FrameFlags = .end
  ) -> [UInt8] {
    request(stream, method, message, flags) { head in
      head.metadata = [MetadataMessage(ActingUser.key, Array("\(user)".utf8))]
    }
  }

  @Test("A call for a user waits, other calls of the connection are answered meanwhile")
  func others() {
    let server = ServerHarness()
    #expect(server.receive(Self.call(1, Number.echo, user: 7)).isEmpty)
    #expect(server.receive(request(3, Number.echo, blob(encoded: 9))) == ["RESPONSE 3: 9"])
    #expect(server.lookups.users == [7] && server.openStreams == 1)
    server.lookups.answer(7)
    #expect(server.drainOutput() == ["RESPONSE 1: 20"])
    #expect(server.openStreams == 0)
    #expect(server.end.info.caller?.principalID == 1)
  }

  @Test("The handler has the user as its caller, and the connection keeps its own")
  func caller() {
    let server = ServerHarness()
    server.receive(Self.call(1, Number.hold, user: 7))
    server.lookups.answer(7)
    server.drainOutput()
    let held = server.held.take()
    #expect(held.context.caller?.principalID == 7 && held.request.data.count == 18)
    held.responder.succeed(held.request)
    #expect(server.drainOutput() == ["RESPONSE 1: 20"])
    server.receive(request(3, Number.hold))
    #expect(server.held.take().context.caller?.principalID == 1)
  }

  @Test("Calls for users start in the order in which they came")
  func order() {
    let server = ServerHarness()
    server.receive(Self.call(1, Number.echo, user: 7), Self.call(3, Number.echo, user: 8))
    server.lookups.answer(8)
    #expect(server.drainOutput().isEmpty)
    server.lookups.answer(7)
    #expect(server.drainOutput() == ["RESPONSE 1: 20", "RESPONSE 3: 20"])
  }

  @Test("A denied call ends PERMISSION_DENIED as not processed, a stream too")
  func denied() {
    let server = ServerHarness()
    server.receive(
      Self.call(1, Number.echo, user: 7), Self.call(3, Number.serverStream, user: 7))
    server.lookups.answer(7, isAllowed: false)
    server.lookups.answer(7, isAllowed: false)
    #expect(
      server.drainOutput() == [
        "STATUS 1 PERMISSION_DENIED, not processed", "STATUS 3 PERMISSION_DENIED, not processed",
      ])
    #expect(server.held.count == 0 && server.openStreams == 0)
  }

  @Test("What was found before permissions ended is looked for again")
  func notCurrent() {
    let server = ServerHarness()
    server.receive(Self.call(1, Number.echo, user: 7))
    server.lookups.answer(7, isCurrent: false)
    #expect(server.drainOutput().isEmpty && server.lookups.users == [7])
    server.lookups.answer(7, isAllowed: false)
    #expect(server.drainOutput() == ["STATUS 1 PERMISSION_DENIED, not processed"])
  }

  @Test("A call that is given up while it waits never starts, and frees its stream")
  func cancelled() {
    let server = ServerHarness()
    server.receive(Self.call(1, Number.hold, user: 7))
    server.receive(cancel(1))
    server.lookups.answer(7)
    server.drainOutput()
    #expect(server.held.count == 0 && server.openStreams == 0)
    #expect(server.receive(request(3, Number.echo, blob(encoded: 9))) == ["RESPONSE 3: 9"])
  }

  @Test("A call of a connection that is closed while it waits never starts")
  func closed() {
    let server = ServerHarness()
    server.receive(Self.call(1, Number.hold, user: 7))
    server.end.closed("the test closes it")
    server.lookups.answer(7)
    server.drainOutput()
    #expect(server.held.count == 0)
  }

  @Test("Messages that came while a call waited, and the end of its request, reach the handler")
  func streamed() {
    let server = ServerHarness()
    let answer = server.receive(
      Self.call(1, Number.sum, user: 7, [], []), data(1, blob(encoded: 20)),
      data(1, blob(encoded: 9)), frame(.close, stream: 1))
    #expect(answer == [] && server.openStreams == 1)
    server.lookups.answer(7)
    // 18 and 7 bytes of data, and the bytes of their field.
    #expect(server.drainOutput() == ["HEADERS 1", "RESPONSE 1: 27"])
    #expect(server.openStreams == 0)
  }

  @Test("A waiting call's request counts as memory of the connection until it starts")
  func memory() {
    let server = ServerHarness()
    let before = server.end.heldBytes
    let message = blob(encoded: 10_000)
    server.receive(Self.call(1, Number.hold, user: 7, message))
    #expect(server.end.heldBytes == before + message.count)
    server.lookups.answer(7)
    server.drainOutput()
    #expect(server.end.heldBytes == before && server.held.count == 1)
  }
}
