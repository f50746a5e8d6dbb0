extension SQLiteSchema {
  /// Imports of many weight entries, whose entries are stored here until all of them are and the
  /// import is decided.
  static let weightImports = """
    CREATE TABLE weight_import (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      decided_at_ms INTEGER,
      server_id INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX weight_import_by_principal ON weight_import (principal_id);

    CREATE TABLE weight_import_entry (
      id INTEGER PRIMARY KEY,
      import_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      day INTEGER NOT NULL,
      measured_at_ms INTEGER NOT NULL,
      thousandths INTEGER NOT NULL,
      unit INTEGER NOT NULL,
      note TEXT NOT NULL,
      body_fat REAL
    );
    CREATE INDEX weight_import_entry_by_import ON weight_import_entry (import_id);

    """
}

extension CountedTable {
  /// The tables of migration 16. The rate counts entries when they are moved into the log.
  static let weightImports = [
    CountedTable("weight_import_entry", fixed: 128, texts: ["note"], isRated: false)
  ]
}

/// Ends the imports of weight entries that an ended process left: moves the entries of those that
/// were decided, and removes the others.
enum WeightImportRecovery {
  /// The first import, whether it was decided, and the time of its rows: the latest in the journal,
  /// whose times never decrease.
  private static let first = Query(
    """
    SELECT id, principal_id, CASE WHEN decided_at_ms IS NULL THEN 0 ELSE 1 END,
      max(coalesce(decided_at_ms, 0), coalesce(
        (SELECT at_ms FROM journal ORDER BY sequence DESC LIMIT 1), 0))
    FROM weight_import ORDER BY id LIMIT 1
    """)

  private static let ofEndedServers = Query(
    onlyPostgreSQL: """
      SELECT i.id, i.principal_id, CASE WHEN i.decided_at_ms IS NULL THEN 0 ELSE 1 END
      FROM weight_import i WHERE \(ServerPresence.hasEnded) LIMIT 1
      """)
  private static let dropEntriesOfOne = Query(
    "DELETE FROM weight_import_entry WHERE import_id = ?1")
  private static let dropOne = Query("DELETE FROM weight_import WHERE id = ?1")

  /// Ends an import of a server that has ended; false if there is none.
  static func endOfEndedServer(
    _ session: Session, nowMilliseconds: Int64
  ) throws(StoreError) -> Bool {
    let found = try session.first(ofEndedServers, []) { row in
      (id: row.int64(0), principal: row.int64(1), isDecided: row.bool(2))
    }
    guard let found else { return false }
    guard found.isDecided else {
      try session.run(dropEntriesOfOne, [.integer(found.id)])
      try session.run(dropOne, [.integer(found.id)])
      return true
    }
    let transaction = Transaction(
      snapshot: Snapshot(session: session, pageTokenKey: []),
      caller: CommandCaller(principal: found.principal), nowMilliseconds: nowMilliseconds,
      effects: CommitEffects())
    while try !transaction.moveStagedWeights(found.id) {}
    return true
  }

  /// Ends one import in a transaction, in statements of a few rows each: SQLite keeps what it needs
  /// to undo a statement in memory. Returns whether there is none left.
  @Sendable static func run(
    _ session: Session, _ effects: CommitEffects
  ) throws(StoreError) -> Bool {
    let found = try session.first(first, []) { row in
      (id: row.int64(0), principal: row.int64(1), isDecided: row.bool(2), time: row.int64(3))
    }
    guard let found else { return true }
    let savepoint = effects.savepoint
    do throws(StoreError) {
      try session.inTransaction { (session) throws(StoreError) in
        let transaction = Transaction(
          snapshot: Snapshot(session: session, pageTokenKey: []),
          caller: CommandCaller(principal: found.principal), nowMilliseconds: found.time,
          effects: effects)
        if found.isDecided {
          while try !transaction.moveStagedWeights(found.id) {}
        } else {
          while try !transaction.dropStagedWeights(found.id) {}
        }
      }
    } catch {
      effects.rollback(to: savepoint)
      throw error
    }
    return false
  }
}
