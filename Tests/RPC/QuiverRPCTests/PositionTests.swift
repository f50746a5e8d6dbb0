import QuiverWire
import Synchronization
import Testing

@testable import QuiverRPC

/// The positions of a store that the test moves.
private final class TestPositions: PositionSource {
  let isStatedByReads: Bool
  private let state: Mutex<State>

  private struct State {
    var known: Int64
    var completions: [@Sendable (RPCError?) -> Void] = []
  }

  static let epoch: UInt64 = 0x9f3c_0a2b_51d7_e846

  init(at known: Int64, isStatedByReads: Bool = false) {
    self.isStatedByReads = isStatedByReads
    state = Mutex(State(known: known))
  }

  var stated: StorePosition {
    StorePosition(epoch: Self.epoch, sequence: state.withLock { $0.known })
  }

  var waitingCount: Int { state.withLock { $0.completions.count } }

  func admission(
    of position: StorePosition, _ connection: ConnectionInfo, timeLeftMilliseconds: UInt32?
  ) -> PositionAdmission {
    guard position.epoch == Self.epoch, position.sequence > stated.sequence else {
      return .admitted
    }
    return .waits { completion in self.state.withLock { $0.completions.append(completion) } }
  }

  /// Lets the calls that wait start, or ends them.
  func complete(_ error: RPCError? = nil) {
    let completions = state.withLock { state in
      defer { state.completions = [] }
      return state.completions
    }
    for completion in completions { completion(error) }
  }
}

@Suite("Calls state positions", .timeLimit(.minutes(5)))
struct PositionTests {
  private static let unreached = RPCError(
    .unavailable, "the store has not come so far", isNotProcessed: true)

  private static func call(
    _ stream: UInt32, _ method: UInt32, at position: Int64,
    epoch: UInt64 = TestPositions.epoch, _ message: [UInt8] = blob(encoded: 20),
    _ flags: FrameFlags = .end, timeoutMilliseconds: UInt32 = 0, user: Int64? = nil
  ) -> [UInt8] {
    let text = StorePosition(epoch: epoch, sequence: position).bytes
    return request(stream, method, message, flags, timeoutMilliseconds: timeoutMilliseconds) {
      head in
      head.metadata = [MetadataMessage(StorePosition.key, text)]
      if let user { head.metadata.append(MetadataMessage(ActingUser.key, Array("\(user)".utf8))) }
    }
  }

  @Test("A position is read as it is written, and no other text is one")
  func text() {
    for (epoch, sequence, text) in [
      (0x9f3c_0a2b_51d7_e846, 904_387_231_743, "9f3c0a2b51d7e846-904387231743"),
      (0, 1, "0000000000000000-1"), (7, .max, "0000000000000007-9223372036854775807"),
      (.max, 10, "ffffffffffffffff-10"),
    ] as [(UInt64, Int64, String)] {
      let position = StorePosition(epoch: epoch, sequence: sequence)
      #expect(String(decoding: position.bytes, as: UTF8.self) == text)
      #expect(StorePosition(Array(text.utf8)) == position)
    }
    for text in [
      "", "-", "1", "0000000000000000", "0000000000000000-", "0000000000000000-0",
      "0000000000000000-01", "0000000000000000--1", "0000000000000000-+1", "0000000000000000-1 ",
      " 0000000000000000-1", "000000000000000-11", "00000000000000000-1", "000000000000000A-1",
      "000000000000000g-1", "0000000000000000-9223372036854775808",
      "0000000000000000-99999999999999999999", "0000000000000000_1", "0000000000000000-1\u{0}",
    ] {
      #expect(StorePosition(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("A reply of a method that changes data states the position, another reply does not")
  func stated() throws {
    let server = ServerHarness(positions: TestPositions(at: 41))
    server.receive(request(1, Number.change))
    let call = server.held.take()
    call.responder.succeed(Blob(count: 3))
    #expect(server.drainOutput() == ["DATA 1: 5", "STATUS 1 OK"])
    let entry = try #require(server.lastStatus?.metadata.first)
    #expect(entry.key == "quiver-position")
    #expect(String(decoding: entry.value, as: UTF8.self) == "9f3c0a2b51d7e846-41")
    server.receive(request(3, Number.hold))
    server.held.take().responder.succeed(Blob(count: 3))
    #expect(server.drainOutput() == ["RESPONSE 3: 5"])
    #expect(server.openStreams == 0)
  }

  @Test("A failure of a method that changes data states no position")
  func failed() {
    let server = ServerHarness(positions: TestPositions(at: 41))
    server.receive(request(1, Number.change))
    server.held.take().responder.fail(RPCError(.aborted, "no"))
    #expect(server.drainOutput() == ["STATUS 1 ABORTED"])
    #expect(server.lastStatus?.metadata.isEmpty == true)
  }

  @Test("Where reads state positions too, a reply can state another one than the latest")
  func statedByReads() {
    let server = ServerHarness(positions: TestPositions(at: 41, isStatedByReads: true))
    server.receive(request(1, Number.hold))
    server.held.take().responder.succeed(Blob(count: 3))
    #expect(server.drainOutput() == ["DATA 1: 5", "STATUS 1 OK"])
    #expect(server.lastStatus?.metadata.map(\.value) == [Array("9f3c0a2b51d7e846-41".utf8)])
    server.receive(request(3, Number.hold))
    server.held.take().responder.succeed(
      encoded: [], trailing: [StorePosition.key: "9f3c0a2b51d7e846-40"])
    #expect(server.drainOutput() == ["DATA 3: 0", "STATUS 3 OK"])
    #expect(server.lastStatus?.metadata.map(\.value) == [Array("9f3c0a2b51d7e846-40".utf8)])
  }

  @Test("A call waits for its position, and others are answered meanwhile")
  func waits() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    #expect(server.receive(Self.call(1, Number.echo, at: 42)).isEmpty)
    #expect(server.receive(Self.call(3, Number.echo, at: 41)) == ["RESPONSE 3: 20"])
    #expect(server.receive(Self.call(5, Number.echo, at: 42, epoch: 9)) == ["RESPONSE 5: 20"])
    #expect(server.receive(request(7, Number.echo, blob(encoded: 9))) == ["RESPONSE 7: 9"])
    #expect(server.openStreams == 1 && positions.waitingCount == 1)
    positions.complete()
    #expect(server.drainOutput() == ["RESPONSE 1: 20"])
    #expect(server.openStreams == 0)
  }

  @Test("A server without positions ignores those of calls")
  func ignored() {
    let server = ServerHarness()
    #expect(server.receive(Self.call(1, Number.echo, at: .max)) == ["RESPONSE 1: 20"])
    let garbage = request(3, Number.echo, blob(encoded: 9)) { head in
      head.metadata = [MetadataMessage(StorePosition.key, Array("garbage".utf8))]
    }
    #expect(server.receive(garbage) == ["RESPONSE 3: 9"])
  }

  @Test("A call whose position is not reached ends not processed, without its handler")
  func refused() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    server.receive(Self.call(1, Number.hold, at: 42), Self.call(3, Number.serverStream, at: 42))
    positions.complete(Self.unreached)
    #expect(
      server.drainOutput() == [
        "STATUS 1 UNAVAILABLE, not processed", "STATUS 3 UNAVAILABLE, not processed",
      ])
    #expect(server.held.count == 0 && server.openStreams == 0)
  }

  @Test("A call that waits at its deadline ends DEADLINE_EXCEEDED, not processed")
  func expired() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    server.receive(Self.call(1, Number.hold, at: 42, timeoutMilliseconds: 100))
    #expect(server.advance(milliseconds: 200) == ["STATUS 1 DEADLINE_EXCEEDED, not processed"])
    positions.complete()
    #expect(server.drainOutput().isEmpty)
    #expect(server.held.count == 0 && server.openStreams == 0)
  }

  @Test("A call that is given up while it waits never starts, and frees its stream at once")
  func cancelled() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    let before = server.end.heldBytes
    server.receive(Self.call(1, Number.hold, at: 42), cancel(1))
    server.drainOutput()
    #expect(server.openStreams == 0 && server.end.heldBytes == before)
    positions.complete()
    server.drainOutput()
    #expect(server.held.count == 0)
    server.receive(Self.call(3, Number.hold, at: 42))
    server.end.closed("the test closes it")
    server.drainOutput()
    positions.complete()
    server.drainOutput()
    #expect(server.held.count == 0)
  }

  @Test("A malformed position, and two of them, end INVALID_ARGUMENT, not processed")
  func malformed() {
    let server = ServerHarness(positions: TestPositions(at: 41))
    for (number, texts) in [["garbage"], [""], Array(repeating: "9f3c0a2b51d7e846-1", count: 2)]
      .enumerated()
    {
      let stream = UInt32(number) * 2 + 1
      let answer = server.receive(
        request(stream, Number.echo, blob(encoded: 9)) { head in
          head.metadata = texts.map { MetadataMessage(StorePosition.key, Array($0.utf8)) }
        })
      #expect(answer == ["STATUS \(stream) INVALID_ARGUMENT, not processed"])
      #expect(server.lastStatus?.message.hasPrefix("quiver-position: ") == true)
    }
    #expect(server.openStreams == 0)
  }

  @Test("Messages that came while a call waited, and the end of its request, reach the handler")
  func streamed() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    let answer = server.receive(
      Self.call(1, Number.sum, at: 42, [], []), data(1, blob(encoded: 20)),
      data(1, blob(encoded: 9)), frame(.close, stream: 1))
    #expect(answer == [] && server.openStreams == 1)
    positions.complete()
    // 18 and 7 bytes of data, and the bytes of their field.
    #expect(server.drainOutput() == ["HEADERS 1", "RESPONSE 1: 27"])
  }

  @Test("A call for a user waits for its position as that user, with its messages")
  func acting() {
    let positions = TestPositions(at: 41)
    let server = ServerHarness(positions: positions)
    server.receive(
      Self.call(1, Number.hold, at: 42, user: 7), Self.call(3, Number.sum, at: 42, [], [], user: 7),
      data(3, blob(encoded: 20)))
    server.lookups.answer(7)
    server.lookups.answer(7)
    #expect(server.drainOutput().isEmpty && positions.waitingCount == 2)
    server.receive(data(3, blob(encoded: 9)), frame(.close, stream: 3))
    positions.complete()
    #expect(server.drainOutput() == ["HEADERS 3", "RESPONSE 3: 27"])
    let held = server.held.take()
    #expect(held.context.caller?.principalID == 7)
    held.responder.succeed(held.request)
    #expect(server.drainOutput() == ["RESPONSE 1: 20"])
    server.receive(request(5, Number.hold))
    #expect(server.held.take().context.caller?.principalID == 1)
  }
}
