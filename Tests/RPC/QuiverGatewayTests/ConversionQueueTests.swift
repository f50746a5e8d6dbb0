import Dispatch
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import QuiverGateway

@Suite("Conversions of large messages", .timeLimit(.minutes(1)))
struct ConversionQueueTests {
  /// What has happened, in order.
  private final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    private let changed = DispatchSemaphore(value: 0)

    func note(_ line: String) {
      lines.withLock { $0.append(line) }
      changed.signal()
    }

    /// The first lines, once so many are there.
    func first(_ count: Int) -> [String] {
      for _ in 0..<count { changed.wait() }
      return lines.withLock { $0 }
    }
  }

  private static func limits(perCaller: Int, all: Int) -> GatewayLimits {
    var limits = GatewayLimits()
    limits.maxWaitingConversionsPerCaller = perCaller
    limits.maxWaitingConversions = all
    return limits
  }

  /// Occupies the one thread of a queue until the semaphore is signalled.
  private static func occupied(_ queue: ConversionQueue) -> DispatchSemaphore {
    let (started, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = Conversion(isRefusable: true)
    first.wait { _ in
      started.signal()
      mayEnd.wait()
    }
    queue.submit(first, of: "first")
    started.wait()
    return mayEnd
  }

  private static func submit(
    _ name: String, of caller: String, isRefusable: Bool = true, to queue: ConversionQueue,
    _ journal: Journal, nanoseconds: UInt64 = 0
  ) -> Conversion {
    let conversion = Conversion(isRefusable: isRefusable)
    conversion.wait { error in
      let end = DispatchTime.now().uptimeNanoseconds + nanoseconds
      while DispatchTime.now().uptimeNanoseconds < end {}
      journal.note(error.map { "\(name): \($0.code.name)" } ?? name)
    }
    queue.submit(conversion, of: caller)
    return conversion
  }

  @Test("A caller with many waits for its turn behind one with few")
  func turns() {
    let queue = ConversionQueue(Self.limits(perCaller: 10, all: 100), threadCount: 1)
    let mayEnd = Self.occupied(queue)
    let journal = Journal()
    for number in 0..<4 {
      _ = Self.submit("a\(number)", of: "a", to: queue, journal, nanoseconds: 1_000_000)
    }
    _ = Self.submit("b", of: "b", to: queue, journal)
    mayEnd.signal()
    let order = journal.first(5)
    #expect(order.firstIndex(of: "b") ?? 9 <= 1, "\(order)")
    #expect(order.filter { $0.hasPrefix("a") } == ["a0", "a1", "a2", "a3"])
    queue.stop()
  }

  @Test("A caller has a bound on what waits, and replies are not refused")
  func bound() {
    let queue = ConversionQueue(Self.limits(perCaller: 2, all: 100), threadCount: 1)
    let mayEnd = Self.occupied(queue)
    let journal = Journal()
    for name in ["1", "2", "3"] { _ = Self.submit(name, of: "a", to: queue, journal) }
    #expect(journal.first(1) == ["3: RESOURCE_EXHAUSTED"])
    _ = Self.submit("reply", of: "a", isRefusable: false, to: queue, journal)
    _ = Self.submit("other", of: "b", to: queue, journal)
    #expect(queue.waitingCount == 3)
    mayEnd.signal()
    #expect(Set(journal.first(4)) == ["3: RESOURCE_EXHAUSTED", "1", "2", "reply", "other"])
    #expect(queue.waitingCount == 0)
    queue.stop()
  }

  @Test("Where all wait that may, the caller with most makes room for one with fewer")
  func displacement() {
    let queue = ConversionQueue(Self.limits(perCaller: 10, all: 4), threadCount: 1)
    let mayEnd = Self.occupied(queue)
    let journal = Journal()
    for number in 0..<4 { _ = Self.submit("a\(number)", of: "a", to: queue, journal) }
    _ = Self.submit("a4", of: "a", to: queue, journal)
    #expect(journal.first(1) == ["a4: RESOURCE_EXHAUSTED"])
    _ = Self.submit("b0", of: "b", to: queue, journal)
    _ = Self.submit("b1", of: "b", to: queue, journal)
    _ = Self.submit("b2", of: "b", to: queue, journal)
    let refused = ["a4", "a3", "a2", "b2"].map { $0 + ": RESOURCE_EXHAUSTED" }
    #expect(journal.first(3) == refused)
    mayEnd.signal()
    #expect(Set(journal.first(4)) == Set(refused + ["a0", "a1", "b0", "b1"]))
    queue.stop()
  }

  @Test("A cancelled conversion ends at once, and does nothing in its turn")
  func cancellation() {
    let queue = ConversionQueue(Self.limits(perCaller: 10, all: 10), threadCount: 1)
    let mayEnd = Self.occupied(queue)
    let journal = Journal()
    let conversion = Self.submit("a", of: "a", to: queue, journal)
    conversion.cancel()
    #expect(journal.first(1) == ["a: CANCELLED"])
    _ = Self.submit("b", of: "a", to: queue, journal)
    mayEnd.signal()
    #expect(journal.first(1) == ["a: CANCELLED", "b"])
    let late = Conversion(isRefusable: true)
    late.cancel()
    late.wait { journal.note("late: \($0?.code.name ?? "")") }
    #expect(journal.first(1).last == "late: CANCELLED")
    queue.stop()
  }
}
