import Dispatch
import QuiverStore
import Synchronization
import Testing

@testable import QuiverService

@Suite("Long reads outside the event loops", .timeLimit(.minutes(5)))
struct LongReadsTests {
  @Test("One principal's long reads run one after another and do not delay other principals'")
  func turns() async throws {
    let reads = LongReads("test")
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Numbers()
    let first = Task.immediate {
      try await reads.run(of: 1) { () throws(StoreError) in
        begun.signal()
        gate.wait()
      }
    }
    await Self.wait(for: begun)
    let others = (0..<10).map { number in
      Task.immediate {
        try await reads.run(of: 1) { () throws(StoreError) in order.append(number) }
      }
    }
    // While all that waits for the first.
    let answer = try await reads.run(of: 2) { () throws(StoreError) in 7 }
    #expect(answer == 7)
    #expect(order.all.isEmpty)
    gate.signal()
    try await first.value
    for task in others { try await task.value }
    #expect(order.all == Array(0..<10))
  }

  @Test("A cancelled read in the queue does not run, and reads above the limit are refused")
  func limits() async throws {
    let reads = LongReads("test")
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = Numbers()
    let first = Task.immediate {
      try await reads.run(of: 1) { () throws(StoreError) in
        begun.signal()
        gate.wait()
      }
    }
    await Self.wait(for: begun)
    let waiting = (0..<LongReads.waitingPerPrincipal).map { _ in
      Task.immediate {
        try await reads.run(of: 1) { () throws(StoreError) in done.append(1) }
      }
    }
    let refusal = await #expect(throws: StoreError.self) {
      try await reads.run(of: 1) { () throws(StoreError) in }
    }
    #expect(refusal?.code == .resourceExhausted && refusal?.notProcessed == true)
    for task in waiting.dropFirst() { task.cancel() }
    gate.signal()
    try await first.value
    try await waiting[0].value
    for task in waiting.dropFirst() {
      let error = await #expect(throws: StoreError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
    #expect(done.all == [1])
  }

  /// Waits on a thread of Dispatch's, since tasks may not.
  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}

private final class Numbers: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}
