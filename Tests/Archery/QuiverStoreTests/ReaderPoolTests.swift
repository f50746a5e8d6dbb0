import Dispatch
import Glibc
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The pool of readers", .timeLimit(.minutes(5)))
struct ReaderPoolTests {
  /// Runs `body` in so many reads inside one another.
  private static func nest(
    _ count: Int, _ store: Store, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    guard count > 0 else { return try body() }
    try store.read { (_) throws(StoreError) in try nest(count - 1, store, body) }
  }

  @Test("As many reads run at once as there are readers, and another one is refused after a while")
  func limit() throws {
    let store = try TemporaryDirectory().open()
    let refusal = #expect(throws: StoreError.self) {
      try Self.nest(StoreLimits.readers + 1, store) {}
    }
    #expect(refusal?.code == .unavailable && refusal?.message == "no reader became free")
    try Self.nest(StoreLimits.readers, store) {}
  }

  @Test("A read that waits for a reader gets one when it is returned")
  func waiting() throws {
    let store = try TemporaryDirectory().open()
    // A read that is not woken waits for five seconds.
    for _ in 0..<200 {
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      try Self.nest(StoreLimits.readers, store) { () throws(StoreError) in
        DispatchQueue.global().async {
          begun.signal()
          #expect(throws: Never.self) {
            try store.read { (snapshot) throws(StoreError) in _ = try snapshot.lastSequence() }
          }
          ended.signal()
        }
        begun.wait()
        // It needs a moment to begin to wait.
        for _ in 0..<100 { sched_yield() }
      }
      ended.wait()
    }
  }

  @Test("A read that ends during a checkpoint keeps no snapshot, so that the log can start again")
  func checkpoint() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    // A connection has no log before it has read.
    try connection.execute("SELECT count(*) FROM journal")
    let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      #expect(throws: Never.self) {
        try store.read { (snapshot) throws(StoreError) in
          _ = try snapshot.lastSequence()
          begun.signal()
          mayEnd.wait()
        }
      }
      ended.signal()
    }
    begun.wait()
    // The snapshot needs the frames before these.
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    let checkpoint = try store.readers.withoutKeptSnapshots { () throws(SQLiteError) in
      mayEnd.signal()
      ended.wait()
      return try connection.checkpoint(.restart)
    }
    #expect(checkpoint.logFrameCount > 0)
    #expect(!checkpoint.wasBusy && checkpoint.copiedFrameCount == checkpoint.logFrameCount)
    // The readers keep their snapshots again.
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    _ = try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    #expect(try connection.checkpoint(.restart).wasBusy)
  }
}
