import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverClient

@Suite("Requests that are a sequence's messages")
struct SequenceTests {
  @Test("what the sequence throws gives the call up and is thrown on, be it as a server's failure")
  func fails() throws {
    let town = Town("a")
    let client = town.client("a")
    let broken = RPCError(.dataLoss, "the file is cut off")
    let notes = AsyncThrowingStream<Note, any Error> { source in
      source.yield(Note(number: 1))
      source.finish(throwing: broken)
    }
    let call = town.start { try await client.call(Notes.sum, sending: notes) }
    #expect(try town.failure(call) == broken)
    town.reactor.runReady()
    #expect(try town.house("a").visits.isEmpty)
    #expect(town.serverEnds.allSatisfy { $0.connection.pointee.core.streams.isEmpty })
  }

  @Test("a server that answers before it has read them all is heard, and the rest is not sent")
  func answered() throws {
    let town = Town("a")
    let client = town.client("a")
    let missing = ClientStreamingMethod<Note, Note>("test.Notes/Nowhere", id: 25698)
    let endless = AsyncStream<Note> { Note(payload: [UInt8](repeating: 1, count: 1_000)) }
    let call = town.start { try await client.call(missing, sending: endless) }
    let error = try town.failure(call)
    #expect(error.code == .unimplemented && error.origin == .server)
  }
}
