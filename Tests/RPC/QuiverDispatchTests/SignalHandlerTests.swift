import Dispatch
import Glibc
import QuiverPlatform
import Synchronization
import Testing

@Suite("Signal handlers", .serialized, .timeLimit(.minutes(1)))
struct SignalHandlerTests {
  @Test("A signal that arrives as soon as it has a handler is neither lost nor ends the process")
  func handlesAtOnce() async {
    // The first handlers of these signals in this process: Dispatch keeps what it once took over.
    for number in [SIGUSR2, SIGWINCH, SIGURG, SIGCONT] {
      let count = Atomic<Int>(0)
      let arrived = AsyncStream<Void>.makeStream()
      let handler = SignalHandler(number, on: DispatchQueue(label: "test")) {
        count.add(1, ordering: .relaxed)
        arrived.continuation.yield()
      }
      kill(getpid(), number)
      for await _ in arrived.stream { break }
      #expect(count.load(ordering: .relaxed) == 1, "signal \(number)")
      withExtendedLifetime(handler) {}
    }
  }

  @Test("Each of many signals, one after the other, is one call")
  func handlesEach() async {
    let count = Atomic<Int>(0)
    let arrived = AsyncStream<Void>.makeStream()
    let handler = SignalHandler(SIGUSR2, on: DispatchQueue(label: "test")) {
      count.add(1, ordering: .relaxed)
      arrived.continuation.yield()
    }
    var replies = arrived.stream.makeAsyncIterator()
    for _ in 0..<200 {
      kill(getpid(), SIGUSR2)
      _ = await replies.next()
    }
    #expect(count.load(ordering: .relaxed) == 200)
    withExtendedLifetime(handler) {}
  }
}
