#if os(Linux) || os(Android)
  import Dispatch
  import Testing

  @testable import QuiverDispatch

  @Suite("Waiting for events by epoll", .timeLimit(.minutes(5)))
  struct EpollReadinessTests {
    @Test("A wake-up ends the wait that runs, or the next one, once")
    func wakeUp() throws {
      let readiness = try EpollReadiness(DispatchQueue(label: "test"))
      readiness.start {}
      defer { readiness.stop() }
      #expect(readiness.poll(milliseconds: 0) == 0)
      readiness.wake()
      readiness.wake()
      #expect(readiness.poll(milliseconds: -1) == 1)
      #expect(readiness.poll(milliseconds: 0) == 0)
      let waker = DispatchQueue(label: "waker")
      let wakeUp = UncheckedWakeUp(readiness: readiness)
      waker.async { wakeUp.readiness.wake() }
      // Without an end it would wait for ever.
      #expect(readiness.poll(milliseconds: -1) == 1)
      waker.sync {}
      // Nothing was written since, and no socket has the tag of the wake-up.
      #expect(readiness.poll(milliseconds: 0) == 0)
      #expect(SocketTable().socket(tagged: readiness[0].tag) == nil)
    }

    /// `wake()` alone may be called from any thread.
    private struct UncheckedWakeUp: @unchecked Sendable {
      let readiness: EpollReadiness
    }
  }
#endif
