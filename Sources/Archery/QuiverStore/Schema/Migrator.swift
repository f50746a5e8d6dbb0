import Glibc
import QuiverCrypto
import QuiverSQLite

/// Brings a database to the newest schema, each step in one transaction.
struct Migrator {
  let connection: Connection
  let path: String
  let nowMilliseconds: Int64

  /// Compares the steps that the database has with those of this program, and applies those that
  /// are missing.
  func migrate(_ migrations: [Migration] = Migration.all) throws {
    let version = Int64(try connection.value("PRAGMA user_version") ?? "") ?? 0
    guard version > 0 else {
      for (index, migration) in migrations.enumerated() {
        try apply(migration, isFirst: index == 0)
      }
      return
    }
    let missing = try steps(of: migrations, version).filter { $0.number > version }
    if !missing.isEmpty { try backUp(version: version) }
    for migration in missing { try apply(migration, isFirst: false) }
  }

  /// The steps of the database, which has those up to `version`: the given ones, or the older ones
  /// that make the same as the first of these.
  private func steps(of migrations: [Migration], _ version: Int64) throws -> [Migration] {
    let statement = try connection.prepare("SELECT number, checksum FROM migration")
    var applied: [Int64: [UInt8]] = [:]
    while try statement.step() {
      applied[statement.int64(0)] = statement.bytes(1)
    }
    var steps = migrations
    if let first = migrations.first, applied[first.number] != first.checksum {
      guard version >= Migration.oldestVersion else { throw tooOld(version) }
      let checksums = (1...Migration.oldestVersion).flatMap { applied[$0] ?? [] }
      guard SHA256.hash(checksums) == Migration.checksumOfOldest else {
        throw different(min(version, first.number))
      }
      steps = Migration.older + migrations.dropFirst()
    }
    for step in steps where step.number <= version && applied[step.number] != step.checksum {
      throw different(step.number)
    }
    return steps
  }

  private func different(_ number: Int64) -> StoreError {
    StoreError(
      .failedPrecondition,
      """
      \(path) was made with another step \(number) of the schema; run the version that made it, or \
      restore a backup
      """)
  }

  private func tooOld(_ version: Int64) -> StoreError {
    StoreError(
      .failedPrecondition,
      """
      \(path) has schema \(version), and this version reads \(Migration.oldestVersion) and later; \
      start quiverd of commit cfdfc24f on it once, which brings it to schema 44
      """)
  }

  /// The path of the copy of a database of schema `version` before it is migrated.
  func backupPath(version: Int64) -> String { "\(path).before-migrating-\(version)" }

  /// Writes a complete copy of the database beside it, and syncs it before anything changes.
  private func backUp(version: Int64) throws {
    let copy = backupPath(version: version)
    let unfinished = copy + ".new"
    // VACUUM INTO keeps the mode of an empty file.
    try BackupFile.begin(unfinished)
    do {
      let statement = try connection.prepare("VACUUM INTO ?1")
      try statement.bind(unfinished, at: 1)
      try statement.run()
      let descriptor = open(unfinished, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(unfinished) }
      defer { close(descriptor) }
      guard fsync(descriptor) == 0, rename(unfinished, copy) == 0 else {
        throw Self.failure(unfinished)
      }
    } catch {
      unlink(unfinished)
      throw error
    }
    try BackupFile.synchronize(BackupFile.folder(of: copy))
  }

  private static func failure(_ file: String) -> StoreError {
    StoreError(
      .failedPrecondition,
      "cannot write the copy \(file) before migrating: \(String(cString: strerror(errno)))")
  }

  private func apply(_ migration: Migration, isFirst: Bool) throws {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      if isFirst {
        try connection.execute(
          """
          CREATE TABLE migration (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum BLOB NOT NULL,
            applied_at_ms INTEGER NOT NULL
          )
          """)
      }
      try connection.execute(migration.script)
      if isFirst { try writeMeta() }
      let statement = try connection.prepare("INSERT INTO migration VALUES (?1, ?2, ?3, ?4)")
      try statement.bind(migration.number, at: 1)
      try statement.bind(migration.name, at: 2)
      try statement.bind(migration.checksum, at: 3)
      try statement.bind(nowMilliseconds, at: 4)
      try statement.run()
      try connection.execute("PRAGMA user_version = \(migration.number); COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Gives the store an identity that no other store has.
  func writeMeta() throws {
    let statement = try connection.prepare("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")
    let epoch = try RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) }
    try statement.bind("store_epoch", at: 1)
    try statement.bind(Int64(bitPattern: max(1, epoch)), at: 2)
    try statement.run()
    try statement.bind("page_token_key", at: 1)
    try statement.bind(try RandomBytes.make(SHA256.byteCount), at: 2)
    try statement.run()
  }
}
