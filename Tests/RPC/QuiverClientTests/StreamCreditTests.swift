import QuiverClient
import QuiverRPC
import Testing

@Suite("Large messages of streams", .timeLimit(.minutes(5)))
struct StreamCreditTests {
  @Test("Credit of each large reply is returned when it is read")
  func replies() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    // Two of them exceed the credit of a stream.
    let note = Note(payload: [UInt8](repeating: 1, count: 40_000))
    let count = try network.run {
      let call = try client.open(Notes.talk)
      var replies = call.replies.makeAsyncIterator()
      var count = 0
      for _ in 0..<10 {
        try await call.send(note)
        if try await replies.next()?.payload.count == 40_000 { count += 1 }
      }
      call.finish()
      return count
    }
    #expect(count == 10)
  }
}
