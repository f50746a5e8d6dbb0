import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

/// The error with which a call fails; records an issue if it succeeds.
func failure(_ body: () async throws(RPCError) -> Void) async -> RPCError {
  do throws(RPCError) {
    try await body()
  } catch {
    return error
  }
  Issue.record("the call was answered")
  return RPCError(.unknown, "the call was answered")
}

@Suite("Calls over TCP", .timeLimit(.minutes(5)), .eachReadiness)
struct CallTests {
  @Test("A reply carries metadata if the call asks for it")
  func answered() async throws {
    let client = try Fixture("a ").client()
    #expect(try await client.call(Notes.echo, Note("word", number: 5)) == Note("a word", number: 5))
    let reply = try await client.reply(to: Notes.echo, Note())
    #expect(reply.message.text == "a ")
    #expect(reply.initialMetadata.isEmpty && reply.trailingMetadata.isEmpty)
  }

  @Test("A failure has details, metadata, push-back and whether it had an effect")
  func failing() async throws {
    let client = try Fixture().client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.fail, Note())
    }
    #expect(error == Fixture.failure)
    #expect(
      error.description
        == "ABORTED from the server: the revision is stale; the call was not processed")
  }

  @Test("An unknown method fails with UNIMPLEMENTED and not processed")
  func unknownMethod() async throws {
    let client = try Fixture().client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.missing, Note())
    }
    #expect(error.code == .unimplemented && error.isNotProcessed && error.origin == .server)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("A reply that does not decode fails with INTERNAL at the client")
  func garbage() async throws {
    let client = try Fixture().client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.garbage, Note())
    }
    #expect(error.code == .internal && error.origin == .client && !error.isNotProcessed)
    #expect(try await client.call(Notes.echo, Note("on")).text == "on")
  }

  @Test("Large messages are sent and received in several frames")
  func large() async throws {
    let client = try Fixture().client()
    let up = (0..<271_828).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try await client.call(Notes.echo, Note(payload: up)).payload == up)
    let down = try await client.call(Notes.bytes, Note(number: 314_159))
    #expect(down.payload.count == 314_159 && down.payload.allSatisfy { $0 == 7 })
  }

  @Test("A request above the server's limit fails at the client and is not sent")
  func tooLarge() async throws {
    var limits = Limits()
    limits.maxMessageBytes = 100_000
    let client = try Fixture(limits: limits).client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(
        Notes.echo, Note(payload: [UInt8](repeating: 1, count: 5_000_000)))
    }
    #expect(error.code == .resourceExhausted && error.origin == .client && error.isNotProcessed)
  }

  @Test("A thousand concurrent calls share a connection that allows a hundred")
  func thousand() async throws {
    let fixture = try Fixture()
    let redirecting = try RedirectingTransport(fixture.endpoint)
    let client = redirecting.client()
    let sum = try await withThrowingTaskGroup(of: UInt32.self) { group in
      for number in 0..<1_000 as Range<UInt32> {
        group.addTask { try await client.call(Notes.echo, Note(number: number)).number }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    #expect(redirecting.connections.withLock { $0 } == 1)
  }

  @Test("metadata reaches the handler")
  func metadata() async throws {
    let client = try Fixture().client()
    let options = CallOptions(metadata: ["trace": "abc"])
    #expect(
      try await client.call(Notes.metadata, Note("trace"), options: options).text == "abc")
  }

  static let badMetadata: [(Metadata, StatusCode)] = {
    var many = Metadata()
    for number in 0...64 { many.append("key\(number)", "") }
    var large = Metadata()
    large.append("key", [UInt8](repeating: 0, count: 8_190))
    return [
      (many, .resourceExhausted), (large, .resourceExhausted), (["Key": ""], .invalidArgument),
    ]
  }()

  @Test("Metadata above its limits fails at the client and is not sent", arguments: 0..<3)
  func metadataFaults(_ number: Int) async throws {
    let (metadata, code) = Self.badMetadata[number]
    let client = try Fixture().client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(
        Notes.echo, Note(), options: CallOptions(metadata: metadata))
    }
    #expect(error.code == code && error.origin == .client && error.isNotProcessed)
  }

  @Test("A mutating call has its own key or the given one")
  func keys() async throws {
    let client = try Fixture().client()
    let first = try await client.call(Notes.key, Note()).payload
    let second = try await client.call(Notes.key, Note()).payload
    #expect(first.count == 16 && second.count == 16 && first != second)
    let given = IdempotencyKey([UInt8](0..<16))
    let third = try await client.call(
      Notes.key, Note(), options: CallOptions(idempotencyKey: given))
    #expect(third.payload == [UInt8](0..<16))
  }

  @Test("A call with encoded bytes returns bytes")
  func encoded() async throws {
    let client = try Fixture("a ").client()
    let reply = try await client.callEncoded(
      Notes.echo.info, Note("b").serializedBytes())
    #expect(try Note(serializedBytes: reply.message).text == "a b")
  }
}
