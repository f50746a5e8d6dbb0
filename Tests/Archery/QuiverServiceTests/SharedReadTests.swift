import Dispatch
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import QuiverService
@testable import QuiverStore

@Suite("Watches of the same thing share reads", .timeLimit(.minutes(5)))
struct SharedReadTests {
  /// Runs jobs at once.
  private final class DirectReactor: Reactor {
    var isCurrent: Bool { true }
    var nowNanoseconds: UInt64 { 0 }
    func run(_ job: @escaping @Sendable () -> Void) { job() }
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }

  private func key(_ principal: Int64, seen: Int64) -> SharedReads.Key {
    SharedReads.Key(
      owner: .principal(1), source: WatchIdentity(HubWatch(principal: principal)),
      place: WatchPlace(seen: seen, lastSent: seen, nextPart: nil))
  }

  @Test("Equal reads that wait are one read, and a read that runs is not joined")
  func joined() {
    let scheduler = ReadScheduler(.short)
    let shared = SharedReads(WatchReads(scheduler, crowded: scheduler))
    let reactor = DirectReactor()
    let (reads, results) = (Counter(), Counter())
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let submit = { (key: SharedReads.Key, isHeld: Bool) in
      shared.submit(
        key, on: reactor,
        { () throws(StoreError) in
          reads.add()
          if isHeld {
            begun.signal()
            gate.wait()
          }
          return WatchReading(place: key.place, bytes: nil, hasMore: false)
        },
        { outcome in
          if case .success(let reading) = outcome, reading.place == key.place { results.add() }
          ended.signal()
        })
    }
    // They hold all threads that the principal may have.
    for _ in 0..<StoreLimits.readThreadsPerOwner {
      submit(key(1, seen: 5), true)
      begun.wait()
    }
    for _ in 0..<1_000 { submit(key(1, seen: 5), false) }
    // Another position, and another source.
    submit(key(1, seen: 6), false)
    submit(key(2, seen: 5), false)
    for _ in 0..<StoreLimits.readThreadsPerOwner { gate.signal() }
    for _ in 0..<1_002 + StoreLimits.readThreadsPerOwner { ended.wait() }
    #expect(results.count == 1_002 + StoreLimits.readThreadsPerOwner)
    #expect(reads.count == 3 + StoreLimits.readThreadsPerOwner)
  }

  @Test("A change reaches all of many watches of a principal")
  func change() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var watches: [ReplyStream<WatchHubResponse>.AsyncIterator] = []
      for _ in 0..<90 {
        var watch = try client.client.stream(
          Equipment.watchHub, WatchHubRequest(), options: CallOptions(timeout: .seconds(60))
        ).makeAsyncIterator()
        #expect(try await watch.next()?.span?.isSnapshot == true)
        watches.append(watch)
      }
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      let last = try server.lastSequence()
      for index in watches.indices {
        var upto: Int64 = 0
        while upto < last { upto = try #require(try await watches[index].next()?.span?.upto) }
      }
    }
  }
}
