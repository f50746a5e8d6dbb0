import QuiverWire
import Synchronization
import Testing

@testable import QuiverLoopback
@testable import QuiverRPC

@Suite("Observers of a client's end", .timeLimit(.minutes(5)))
struct LateObserverTests {
  @Test("An observer that is added after the server's HELLO is notified of it once")
  func late() {
    let reactor = LoopbackReactor(.manual(startNanoseconds: 5_000_000_000))
    let work = Work()
    let transport = LoopbackTransport(on: reactor, limits: Limits(), link: LoopbackLink())
    let end = transport.connect(
      to: work.server(on: reactor, limits: Limits()), ConnectOptions(software: "test"))
    reactor.advance(byNanoseconds: 1_000_000_000)
    #expect(end.connection.pointee.serverHello != nil)
    let witness = Witness()
    end.observe(by: witness)
    reactor.advance(byNanoseconds: 1_000_000_000)
    #expect(witness.openings.withLock { $0 } == 1)
  }

  private final class Witness: ClientEndObserver {
    let openings = Mutex(0)

    func opened(_ end: ClientEnd) { openings.withLock { $0 += 1 } }
    func hasRoom(_ end: ClientEnd) {}
    func unusable(_ end: ClientEnd, _ ending: ClientEnding) {}
  }
}
