import Glibc
import Synchronization

/// The data directory of a server, locked by one process at a time.
///
/// The lock (`flock`) ends with the process; the pid in the lock file is for people only.
package final class DataDirectory: Sendable {
  package let path: String

  /// The lock file, and the database file once it is locked.
  private let descriptors: Mutex<[Int32]>

  package var databasePath: String { path + "/quiver.db" }
  /// A backup for another file system that is being copied.
  var unfinishedBackupPath: String { path + "/quiver.backup.unfinished" }
  var lockPath: String { path + "/quiver.lock" }
  package var adminTokenPath: String { path + "/admin.token" }

  /// Creates the directory if it is missing, and locks it until `self` is released.
  package init(path: String) throws(StoreError) {
    self.path = path
    try Self.make(path)
    let lockPath = path + "/quiver.lock"
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0, Self.isPlainFile(descriptor) else {
      let isLink = descriptor < 0 && errno == ELOOP
      defer { if descriptor >= 0 { close(descriptor) } }
      guard isLink || descriptor >= 0 else {
        throw Self.failure("cannot write the file", lockPath)
      }
      throw StoreError(
        .failedPrecondition,
        "\(lockPath) is a link or no ordinary file; move it away, and the server creates it anew")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.text(of: descriptor)
      close(descriptor)
      throw StoreError(
        .unavailable,
        "another server has the data directory \(path) (process \(holder)); stop it first")
    }
    descriptors = Mutex([descriptor])
    let pid = Array("\(getpid())\n".utf8)
    // Only people read it, so a full disk must not prevent the start.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, pid, pid.count, 0) }
  }

  deinit {
    release()
  }

  /// Unlocks the directory; may be called twice.
  func release() {
    descriptors.withLock { descriptors in
      for descriptor in descriptors {
        // A process that was just forked may have the descriptor too, so closing is not enough.
        flock(descriptor, LOCK_UN)
        close(descriptor)
      }
      descriptors = []
    }
  }

  /// Writes a file of mode 0600 atomically, and syncs it.
  package func write(_ text: String, to file: String) throws(StoreError) {
    let temporary = file + ".new"
    let bytes = Array(text.utf8)
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot write the file", temporary) }
    let isWritten =
      fchmod(descriptor, 0o600) == 0
      && Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let failure = isWritten ? nil : Self.failure("cannot write the file", temporary)
    close(descriptor)
    if let failure { throw failure }
    guard rename(temporary, file) == 0 else { throw Self.failure("cannot write the file", file) }
    try synchronize()
  }

  /// Removes the copy that an ended process left.
  func removeUnfinishedBackup() { unlink(unfinishedBackupPath) }

  /// Creates the database's file if it is missing, readable by its owner only; SQLite's log gets
  /// the same mode.
  func makeDatabaseFile() throws(StoreError) {
    let descriptor = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot write the file", databasePath) }
    close(descriptor)
    try synchronize()
  }

  /// Locks the database file itself, so that a second server that found no lock file, or another
  /// one, cannot use it. The lock ends with `release`.
  ///
  /// The descriptor stays open as long as SQLite uses the file: closing any descriptor of a file
  /// ends the `fcntl` locks that SQLite has on it.
  func lockDatabase() throws(StoreError) {
    let descriptor = open(databasePath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("cannot read the file", databasePath) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw StoreError(
        .unavailable, "another server has the database \(databasePath) open; stop it first")
    }
    descriptors.withLock { $0.append(descriptor) }
  }

  /// Refuses a directory without a database, before anything is created there.
  ///
  /// Where traces of an earlier database exist ``checkNotLost()`` refuses it with a better reason.
  static func requireDatabase(in path: String) throws(StoreError) {
    let database = path + "/quiver.db"
    try checkNoCopy(in: path)
    guard try DatabaseFile(path: database).isEmpty, traces(in: path).isEmpty else { return }
    throw StoreError(
      .failedPrecondition,
      """
      there is no database in \(path); correct --data, or create a new server there with quiverd \
      init --data \(path), or by starting with --init
      """)
  }

  /// The folder of an incomplete copy of a store on PostgreSQL (``SQLiteCopy``).
  static let copyFolder = "transfer"

  /// Refuses a directory with such a copy, which is not complete, and must not be begun anew.
  private static func checkNoCopy(in path: String) throws(StoreError) {
    guard try DatabaseFile(path: path + "/quiver.db").isEmpty,
      access(path + "/\(copyFolder)/quiver.db", F_OK) == 0
    else { return }
    throw StoreError(
      .failedPrecondition,
      """
      \(path) has an incomplete copy of a store on PostgreSQL; run quiverd migrate to-sqlite \
      --data \(path) --database URL again to complete it
      """)
  }

  /// Files that only a directory with a database has.
  private static func traces(in path: String) -> [String] {
    [path + "/quiver.clean", path + "/admin.token", path + "/quiver.db.unfinished"]
      .filter { access($0, F_OK) == 0 }
  }

  /// Refuses to start a new database where traces of an earlier one exist.
  ///
  /// A database that is missing or empty beside them was lost, and a new one would hide that.
  func checkNotLost() throws(StoreError) {
    try Self.checkNoCopy(in: path)
    guard let trace = Self.traces(in: path).first else { return }
    throw StoreError(
      .failedPrecondition,
      """
      \(databasePath) is missing or empty, but \(trace) shows that there was a database; put the \
      database back, or restore a backup with quiverd restore BACKUP --data \(path); to start a \
      new database, name another directory or move the files of this one away
      """)
  }

  /// Syncs the entries of the directory (`fsync`).
  package func synchronize() throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("cannot read the directory", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failure("cannot sync the directory", path) }
  }

  private static func make(_ path: String) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(.invalidArgument, "the data directory must have a name")
    }
    var made = path.hasPrefix("/") ? "/" : ""
    var refusal: Int32 = 0
    for part in path.split(separator: "/") {
      made += made.isEmpty || made == "/" ? String(part) : "/" + part
      refusal = mkdir(made, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      errno = refusal == 0 ? errno : refusal
      throw failure("cannot create the data directory", path)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw StoreError(
        .failedPrecondition, "the data directory \(path) is a file; name a directory")
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw failure("cannot write the data directory", path)
    }
    // A user with write access can replace the files of the server. In a directory with the sticky
    // bit only the owner of a file can.
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw StoreError(
        .failedPrecondition,
        "other users can write the data directory \(path); remove the permission with chmod go-w"
          + " \(path)")
    }
  }

  /// Whether a descriptor is of a regular file with one name.
  private static func isPlainFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_nlink == 1
  }

  private static func failure(_ what: String, _ path: String) -> StoreError {
    StoreError(.failedPrecondition, "\(what) \(path): \(String(cString: strerror(errno)))")
  }

  private static func text(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { $0 >= 48 && $0 <= 57 }
    return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
  }
}

/// The mark of a clean close: a file that exists only while no store is open.
///
/// If it is missing, the last store was not closed, and the next start checks everything.
extension DataDirectory {
  private var cleanMarkPath: String { path + "/quiver.clean" }

  /// Whether the last store here was closed.
  var hasCleanMark: Bool { access(cleanMarkPath, F_OK) == 0 }

  /// Removes the mark and syncs the removal.
  func removeCleanMark() throws(StoreError) {
    guard unlink(cleanMarkPath) == 0 || errno == ENOENT else {
      throw StoreError(
        .failedPrecondition,
        "cannot remove the file \(cleanMarkPath): \(String(cString: strerror(errno)))")
    }
    try synchronize()
  }

  /// Creates the mark, after everything is in the database and on the disk.
  func makeCleanMark() throws(StoreError) {
    try write("closed\n", to: cleanMarkPath)
  }
}
