import CEpoll

/// How the process's allocator deals with the kernel.
package enum ProcessMemory {
  /// Freed memory at the end of each heap that is kept for the next message, in bytes.
  private static let keptByteCount: Int32 = 8 * 1024 * 1024
  /// Larger blocks come from the kernel and go back to it, each by itself; no message and no room
  /// that one grows through is as large unless its limit is raised.
  private static let ownByteCount: Int32 = 16 * 1024 * 1024

  /// Keeps what large messages needed for those that follow: else the allocator hands it back after
  /// each, and the kernel clears the pages again (mallopt(3)). For a server, before it serves.
  ///
  /// Answers false where the allocator has no such settings: then nothing has changed.
  @discardableResult
  package static func keepFreed() -> Bool { quiver_keep_freed(keptByteCount, ownByteCount) != 0 }
}
