import Dispatch
import QuiverDispatch
import QuiverWire
import Synchronization
import Testing

@Suite("Jobs of a shard", .timeLimit(.minutes(5)))
struct ShardJobTests {
  private final class Record: Sendable {
    private let state = Mutex((ran: 0, seen: 0, isOver: false))
    func ran() { state.withLock { $0.ran += 1 } }
    func see() { state.withLock { $0.seen = $0.ran } }
    func end() { state.withLock { $0.isOver = true } }
    var seen: Int { state.withLock { $0.seen } }
    var isOver: Bool { state.withLock { $0.isOver } }
  }

  /// Longer than a turn runs background jobs.
  private static func spin(on shard: Shard) {
    let end = shard.exactNanoseconds + 500_000
    while shard.exactNanoseconds < end {}
  }

  @Test("A job waits for one of the background jobs that were added before it, at most")
  func order() throws {
    let shard = try Shard(label: "test", limits: Limits())
    let record = Record()
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    shard.runInBackground {
      begun.signal()
      gate.wait()
      Self.spin(on: shard)
      record.ran()
    }
    for _ in 0..<100 {
      shard.runInBackground {
        Self.spin(on: shard)
        record.ran()
        ended.signal()
      }
    }
    begun.wait()
    shard.run { record.see() }
    gate.signal()
    for _ in 0..<100 { ended.wait() }
    #expect(record.seen == 1)
  }

  @Test("A background job runs although other jobs fill every turn")
  func part() throws {
    let shard = try Shard(label: "test", limits: Limits())
    let record = Record()
    let ended = DispatchSemaphore(value: 0)
    fill(shard, record, ended)
    for _ in 0..<10 { shard.runInBackground { record.ran() } }
    shard.runInBackground { record.end() }
    ended.wait()
    #expect(record.isOver)
  }

  /// A job that takes a turn and adds itself again until the background jobs have run.
  private func fill(_ shard: Shard, _ record: Record, _ ended: DispatchSemaphore) {
    shard.run {
      Self.spin(on: shard)
      Self.spin(on: shard)
      if record.isOver { ended.signal() } else { fill(shard, record, ended) }
    }
  }
}
