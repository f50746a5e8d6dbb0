import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Reads on threads of their own", .timeLimit(.minutes(5)))
struct ReadSchedulerTests {
  @Test("Long reads of one principal follow one another and delay nobody else")
  func turns() async throws {
    let reads = ReadScheduler(.long)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Numbers()
    let first = Task.immediate {
      try await reads.run(of: .principal(1)) { () throws(StoreError) in
        begun.signal()
        gate.wait()
      }
    }
    await Self.wait(for: begun)
    let others = (0..<10).map { number in
      Task.immediate {
        try await reads.run(of: .principal(1)) { () throws(StoreError) in order.append(number) }
      }
    }
    // While all that waits for the first.
    let answer = try await reads.run(of: .principal(2)) { () throws(StoreError) in 7 }
    #expect(answer == 7)
    #expect(order.all.isEmpty)
    gate.signal()
    try await first.value
    for task in others { try await task.value }
    #expect(order.all == Array(0..<10))
  }

  @Test("A cancelled read that waits is skipped; beyond the limit reads are refused")
  func limits() async throws {
    let reads = ReadScheduler(.long)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = Numbers()
    let first = Task.immediate {
      try await reads.run(of: .principal(1)) { () throws(StoreError) in
        begun.signal()
        gate.wait()
      }
    }
    await Self.wait(for: begun)
    let waiting = (0..<StoreLimits.waitingLongReadsPerOwner).map { _ in
      Task.immediate {
        try await reads.run(of: .principal(1)) { () throws(StoreError) in done.append(1) }
      }
    }
    let refusal = await #expect(throws: StoreError.self) {
      try await reads.run(of: .principal(1)) { () throws(StoreError) in }
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

  @Test("A principal with 400 reads delays the read of another by at most one of its own")
  func fairness() throws {
    var limits = ReadScheduler.Limits.short
    limits.threads = 1
    limits.threadsPerOwner = 1
    let reads = ReadScheduler(limits)
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let order = Numbers()
    try submit(to: reads, of: .principal(1)) {
      begun.signal()
      gate.wait()
    }
    begun.wait()
    for _ in 0..<400 {
      try submit(to: reads, of: .principal(1)) {
        order.append(1)
        ended.signal()
      }
    }
    for owner: Int64 in [2, 3] {
      try submit(to: reads, of: .principal(owner)) {
        order.append(Int(owner))
        ended.signal()
      }
    }
    #expect(reads.waitingCount == 402)
    gate.signal()
    for _ in 0..<402 { ended.wait() }
    #expect(Set(order.all.prefix(3)) == [1, 2, 3])
    #expect(reads.waitingCount == 0)
  }

  @Test("A principal whose reads hang leaves threads to the others")
  func hangingReads() throws {
    let reads = ReadScheduler(.short)
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for _ in 0..<400 {
      try submit(to: reads, of: .principal(1)) {
        begun.signal()
        gate.wait()
        ended.signal()
      }
    }
    for _ in 0..<StoreLimits.readThreadsPerOwner { begun.wait() }
    for owner: Int64 in 2..<100 {
      try submit(to: reads, of: .principal(owner)) { ended.signal() }
    }
    for _ in 2..<100 { ended.wait() }
    #expect(reads.waitingCount == 400 - StoreLimits.readThreadsPerOwner)
    for _ in 0..<400 { gate.signal() }
    for _ in 0..<400 { ended.wait() }
  }

  @Test("A stopped scheduler refuses the reads that wait and later ones")
  func stop() throws {
    let reads = ReadScheduler(.short)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let refused = Numbers()
    for _ in 0..<StoreLimits.readThreadsPerOwner {
      try submit(to: reads, of: .principal(1)) {
        begun.signal()
        gate.wait()
      }
    }
    for _ in 0..<StoreLimits.readThreadsPerOwner { begun.wait() }
    for number in 0..<10 {
      let refusal = reads.submit(of: .principal(1), CommandCancellation()) { refusal in
        #expect(refusal?.code == .unavailable && refusal?.notProcessed == true)
        refused.append(number)
      }
      #expect(refusal == nil)
    }
    reads.stop()
    #expect(refused.all == Array(0..<10))
    let refusal = reads.submit(of: .principal(2), CommandCancellation()) { _ in }
    #expect(refusal?.code == .unavailable)
    for _ in 0..<StoreLimits.readThreadsPerOwner { gate.signal() }
  }

  @Test("A cancelled read that runs is interrupted")
  func interruption() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let (cancellation, ended) = (CommandCancellation(), DispatchSemaphore(value: 0))
    let begun = DispatchSemaphore(value: 0)
    let errors = Mutex<[StoreError]>([])
    let refusal = store.reads.submit(of: .principal(1), cancellation) { _ in
      do throws(StoreError) {
        try store.read { (snapshot) throws(StoreError) in
          begun.signal()
          _ = try snapshot.first(Self.endless) { row in row.int64(0) }
        }
      } catch {
        errors.withLock { $0.append(error) }
      }
      ended.signal()
    }
    #expect(refusal == nil)
    begun.wait()
    cancellation.cancel()
    ended.wait()
    #expect(errors.withLock { $0.map(\.code) } == [.cancelled])
  }

  private static let endless = Query(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")

  private func submit(
    to reads: ReadScheduler, of owner: ReadScheduler.Owner, _ body: @escaping @Sendable () -> Void
  ) throws {
    let refusal = reads.submit(of: owner, CommandCancellation()) { _ in body() }
    if let refusal { throw refusal }
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
