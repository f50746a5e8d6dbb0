/// Removes the sets of discarded series, and discards imports that an ended process left
/// unfinished.
enum LiftExpirer {
  private static let series = Query("SELECT series_id FROM lift_garbage LIMIT 1")
  private static let ofClients = Query(
    """
    SELECT id, client_id FROM lift_set WHERE series_id = ?1 AND client_id IS NOT NULL
    LIMIT ?2
    """)
  private static let deleteOne = Query("DELETE FROM lift_set WHERE id = ?1")
  private static let delete = Query(
    """
    DELETE FROM lift_set WHERE id IN (
      SELECT id FROM lift_set WHERE series_id = ?1 LIMIT ?2)
    """)
  private static let forget = Query("DELETE FROM lift_garbage WHERE series_id = ?1")

  private static let hasImport = Query("SELECT id FROM lift_import LIMIT 1")
  private static let abandon = [
    Query(
      """
      INSERT INTO lift_garbage (series_id)
      SELECT s.id FROM lift_import i JOIN lift_series s
        ON s.principal_id = i.principal_id AND s.import_id = i.id
      WHERE true ON CONFLICT DO NOTHING
      """),
    Query(
      """
      DELETE FROM lift_series WHERE id IN (
        SELECT s.id FROM lift_import i JOIN lift_series s
          ON s.principal_id = i.principal_id AND s.import_id = i.id)
      """),
    Query("DELETE FROM lift_import"),
  ]

  /// One of a server that has ended.
  private static let ofEndedServers = Query(
    onlyPostgreSQL: """
      SELECT i.id, i.principal_id FROM lift_import i WHERE \(ServerPresence.hasEnded) LIMIT 1
      """)

  /// Discards an import of a server that has ended; false if there is none.
  static func discardOfEndedServer(
    _ session: Session, nowMilliseconds: Int64
  ) throws(StoreError) -> Bool {
    let found = try session.first(ofEndedServers, []) { row in (row.int64(0), row.int64(1)) }
    guard let (id, principal) = found else { return false }
    let transaction = Transaction(
      snapshot: Snapshot(session: session, pageTokenKey: []),
      caller: CommandCaller(principal: principal), nowMilliseconds: nowMilliseconds,
      effects: CommitEffects())
    try AbandonLiftImport(id).apply(in: transaction)
    return true
  }

  /// Removes at most a slice of sets, series by series; returns how many rows it removed.
  @Sendable static func expire(_ context: ExpiryContext) throws(StoreError) -> Int64 {
    try expire(
      context.session,
      atMost: context.isIdle
        ? Int64(StoreLimits.setsPerImportBatch) : StoreLimits.expiredRowsPerSlice)
  }

  /// Removes at most `rowCount` rows; returns how many it removed.
  static func expire(_ session: Session, atMost rowCount: Int64) throws(StoreError) -> Int64 {
    var left = rowCount
    while left > 0, let id = try session.first(series, [], { row in row.int64(0) }) {
      left -= try expireWithClientIDs(session, series: id, atMost: left)
      left -= try session.runCounting(delete, [.integer(id), .integer(left)])
      if left > 0 { left -= try session.runCounting(forget, [.integer(id)]) }
    }
    return rowCount - left
  }

  /// Removes the sets of a series that have a client_id, and their content hashes.
  private static func expireWithClientIDs(
    _ session: Session, series: Int64, atMost rowCount: Int64
  ) throws(StoreError) -> Int64 {
    var found: [(id: Int64, clientID: [UInt8])] = []
    try session.forEach(ofClients, [.integer(series), .integer(rowCount)]) { row in
      found.append((row.int64(0), row.bytes(1)))
    }
    for (id, clientID) in found {
      try session.forgetContent(of: .liftSet, id: id, clientID: clientID)
      try session.run(deleteOne, [.integer(id)])
    }
    return Int64(found.count)
  }

  /// Discards every unfinished import in one transaction.
  ///
  /// When a store is opened, an unfinished import belongs to a process that has ended.
  @Sendable static func discardImports(
    _ session: Session, _ effects: CommitEffects
  ) throws(StoreError) -> Bool {
    guard try session.first(hasImport, [], { _ in true }) != nil else { return true }
    try session.inTransaction { (session) throws(StoreError) in
      for query in abandon { try session.run(query, []) }
    }
    return true
  }
}
