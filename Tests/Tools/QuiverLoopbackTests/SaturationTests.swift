import QuiverLoopback
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Saturation", .timeLimit(.minutes(5)))
struct SaturationTests {
  @Test(
    "F10: large messages arrive in both directions over a slow transport, whatever its capacity",
    arguments: [600, 5_000, 100_000])
  func bothDirections(_ capacity: Int) throws {
    let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
    var link = LoopbackLink()
    link.chunkBytes = 1...1_500
    link.delayNanoseconds = 0...20_000
    link.capacityBytes = capacity
    let transport = LoopbackTransport(on: reactor, link: link)
    let work = Work()
    let client = transport.connect(
      to: work.server(on: reactor), ConnectOptions(software: "test"))
    let calls = (1...24).map { number in
      var ask = Ask()
      ask.number = UInt32(number)
      ask.replyBytes = 150_000
      ask.padding = [UInt8](repeating: 7, count: 150_000)
      return RecordedCall(number % 2 == 0 ? Work.atOnce : Work.later, ask)
    }
    for call in calls { client.submit(call) }
    let isDone = reactor.advance(upToNanoseconds: 600_000_000_000) {
      calls.allSatisfy { !$0.outcomes.isEmpty }
    }
    #expect(isDone)
    for call in calls {
      guard case .reply(let answer) = call.outcomes.first else {
        Issue.record("call \(call.ask.number): \(call.outcomes)")
        continue
      }
      #expect(answer.padding.count == 150_000)
    }
    // The state machine is empty afterwards.
    #expect(client.connection.pointee.core.streams.isEmpty)
    #expect(client.connection.pointee.core.reassemblyBytes == 0)
    client.closed("done")
  }
}
