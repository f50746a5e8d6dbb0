import Dispatch
import Glibc
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
}
