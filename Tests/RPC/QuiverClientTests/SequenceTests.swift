import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestTransports
import Testing

@testable import QuiverClient

@Suite("Requests from a sequence", .timeLimit(.minutes(5)), .eachReadiness)
struct SequenceTests {
  @Test(
    "an error of the sequence cancels the call and is thrown again, even if it is an RPCError"
  )
  func fails() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let broken = RPCError(.dataLoss, "the file is cut off")
    let notes = AsyncThrowingStream<Note, any Error> { source in
      source.yield(Note(number: 1))
      source.finish(throwing: broken)
    }
    let call = network.start { try await client.call(Notes.sum, sending: notes) }
    #expect(try network.failure(call) == broken)
    network.reactor.runReady()
    #expect(try network.server("a").handledCalls.isEmpty)
    #expect(network.serverEnds.allSatisfy { $0.connection.pointee.core.streams.isEmpty })
  }

  @Test("a server may reply before it has received every message, and the rest is not sent")
  func answered() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let missing = ClientStreamingMethod<Note, Note>("test.Notes/Nowhere", id: 25698)
    let endless = AsyncStream<Note> { Note(payload: [UInt8](repeating: 1, count: 1_000)) }
    let call = network.start { try await client.call(missing, sending: endless) }
    let error = try network.failure(call)
    #expect(error.code == .unimplemented && error.origin == .server)
  }

  @Test("a sequence of any kind can be sent over an open call", arguments: 0..<3)
  func contents(_ kind: Int) throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let notes = (1...4).map { Note(number: $0) }
    let sum = try network.run {
      let call: StreamingCall<Note, Note> = try client.open(Notes.sum)
      switch kind {
      case 0: try await call.send(contentsOf: notes)
      case 1:
        let (stream, source) = AsyncStream<Note>.makeStream()
        for note in notes { source.yield(note) }
        source.finish()
        try await call.send(contentsOf: stream)
      default:
        let (stream, source) = AsyncThrowingStream<Note, any Error>.makeStream()
        for note in notes { source.yield(note) }
        source.finish()
        try await call.send(contentsOf: stream)
      }
      return try await call.reply().message.number
    }
    #expect(sum == 10)
  }

  @Test("an error of a sequence that is sent over an open call cancels the call")
  func contentsFail() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let broken = RPCError(.dataLoss, "the file is cut off")
    let sending = network.start {
      let call: StreamingCall<Note, Note> = try client.open(Notes.sum)
      let (stream, source) = AsyncThrowingStream<Note, any Error>.makeStream()
      source.yield(Note(number: 1))
      source.finish(throwing: broken)
      try await call.send(contentsOf: stream)
    }
    #expect(try network.failure(sending) == broken)
    network.reactor.runReady()
    #expect(try network.server("a").handledCalls.isEmpty)
    #expect(network.serverEnds.allSatisfy { $0.connection.pointee.core.streams.isEmpty })
  }
}
