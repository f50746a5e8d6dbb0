import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@Suite("Large messages of streams", .timeLimit(.minutes(5)))
struct StreamCreditTests {
  @Test("A message above what may wait is sent at once if the connection has room for it")
  func roomAtOnce() throws {
    var limits = Limits()
    limits.streamOutputBytes = 1 << 20
    let network = VirtualNetwork("a", clientLimits: limits)
    let client = network.client("a")
    let note = Note(payload: [UInt8](repeating: 1, count: 70_000))
    let counts = try network.run {
      let call = try client.open(Notes.talk)
      var replies = call.replies.makeAsyncIterator()
      var counts: [Int?] = []
      // The first one waits for the connection.
      for sent in [Note(number: 1), note] {
        try await call.send(sent)
        counts.append(try await replies.next()?.payload.count)
      }
      call.finish()
      return counts
    }
    #expect(counts == [0, 70_000])
  }

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
