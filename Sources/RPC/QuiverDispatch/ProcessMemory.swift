import Dispatch
import QuiverPlatform
import Synchronization

/// How the process's allocator deals with the kernel.
package enum ProcessMemory {
  /// Freed memory at the end of each heap that is kept for the next message, in bytes.
  private static let keptByteCount: Int32 = 8 * 1024 * 1024
  /// Larger blocks are allocated and released by the kernel one by one; no message or buffer is as
  /// large unless its limit is raised.
  private static let ownByteCount: Int32 = 16 * 1024 * 1024

  /// When freed memory was last returned, in monotonic nanoseconds.
  private static let lastRelease = Atomic<UInt64>(0)
  /// Returning it visits every heap, so it is not done more often.
  private static let releaseInterval: UInt64 = 5_000_000_000

  /// Returns freed memory to the kernel soon, on a thread of its own and at most every five seconds
  /// (malloc_trim(3)). May be called from any thread.
  package static func releaseFreedSoon() {
    let now = SystemCall.monotonicNanoseconds()
    let last = lastRelease.load(ordering: .relaxed)
    let due = max(now, last == 0 ? now : last &+ releaseInterval)
    // One that is planned already returns what is freed until then.
    guard last <= now,
      lastRelease.compareExchange(expected: last, desired: due, ordering: .relaxed).exchanged
    else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(
      deadline: .now() + .nanoseconds(Int(clamping: due - now)) + .milliseconds(100)
    ) { Platform.releaseFreedMemory() }
  }

  /// Keeps what large messages needed for those that follow: else the allocator hands it back after
  /// each, and the kernel clears the pages again (mallopt(3)). For a server, before it serves.
  ///
  /// Returns false if the allocator has no such settings; nothing has changed then.
  @discardableResult
  package static func keepFreed() -> Bool {
    Platform.keepFreedMemory(kept: keptByteCount, own: ownByteCount)
  }
}
