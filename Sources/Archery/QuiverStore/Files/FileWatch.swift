import Glibc

/// Detects that a file of the store was removed or replaced while the store is open.
///
/// A commit to a removed database would be acknowledged and lost. A second server that found no
/// lock file could commit to the same database. It belongs to the writer's thread.
struct FileWatch {
  private let paths: [String]
  private let isActive: Bool
  private let identities: Identities

  // A class, so that `check` can remember without `mutating`.
  private final class Identities {
    var known: [String: FileIdentity] = [:]
    var lastCheck: UInt64 = 0
  }

  /// Watches database, log and lock file of a directory; nothing if files are reached through
  /// another layer than the system's own.
  init(_ directory: DataDirectory, _ configuration: StoreConfiguration) {
    paths = [
      directory.databasePath, directory.lockPath, directory.databasePath + "-wal",
    ]
    isActive = configuration.fileSystem == nil
    identities = Identities()
    for path in paths { identities.known[path] = FileIdentity(path: path) }
  }

  /// Why the store must not be written any more, checked at most once in
  /// `StoreLimits.fileCheckIntervalMilliseconds`, or in any case; nil if all is well.
  func check(monotonicNanoseconds now: UInt64, isLast: Bool = false) -> StoreError? {
    let interval = StoreLimits.fileCheckIntervalMilliseconds * 1_000_000
    guard isActive,
      isLast || now &- identities.lastCheck >= interval || identities.lastCheck == 0
    else { return nil }
    identities.lastCheck = now
    for path in paths {
      let found = FileIdentity(path: path)
      if let known = identities.known[path] {
        guard found == known else { return Self.fault(path, isRemoved: found == nil) }
      } else {
        // SQLite makes the log with its first transaction.
        identities.known[path] = found
      }
    }
    return nil
  }

  private static func fault(_ path: String, isRemoved: Bool) -> StoreError {
    StoreError(
      .unavailable,
      """
      the file \(path) was \(isRemoved ? "removed" : "replaced") while the server was running; \
      the server is stopping and stores nothing more
      """, notProcessed: true)
  }
}

/// What tells one file from another: its device and inode.
struct FileIdentity: Equatable {
  let device: UInt64
  let inode: UInt64

  /// The file at a path; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
