import QuiverSQLite

/// Calls that change something and whose replies are missing.
extension LocalTransaction {
  private static let find = SQLText(
    """
    SELECT idempotency_key FROM open_call
    WHERE method_id = ?1 AND request = ?2 AND created_at_ms > ?3 ORDER BY sequence DESC LIMIT 1
    """)
  private static let open = SQLText(
    """
    INSERT INTO open_call(method_id, request, idempotency_key, created_at_ms)
    VALUES (?1, ?2, ?3, ?4)
    """)
  private static let removeOld = SQLText(
    """
    DELETE FROM open_call WHERE created_at_ms <= ?2 OR sequence IN (
      SELECT sequence FROM open_call ORDER BY sequence DESC LIMIT -1 OFFSET ?1)
    """)
  private static let close = SQLText("DELETE FROM open_call WHERE idempotency_key = ?1")

  /// The key of the same call, whose reply is missing; otherwise stores `key`, and returns it.
  func openCall(
    _ method: UInt32, _ request: [UInt8], at now: Int64, orWith key: [UInt8],
    limits: SessionLimits
  ) throws(SessionError) -> [UInt8] {
    let oldest = now - OfflineSession.openCallMilliseconds
    let known = try first(
      Self.find, .integer(Int64(method)), .blob(request), .integer(oldest)
    ) { $0.bytes(0) }
    if let known { return known }
    try run(
      Self.open, .integer(Int64(method)), .blob(request), .blob(key), .integer(now))
    try run(Self.removeOld, .integer(limits.maxOpenCalls), .integer(oldest))
    return key
  }

  /// Removes a call whose reply was seen.
  func closeCall(_ key: [UInt8]) throws(SessionError) { try run(Self.close, .blob(key)) }
}
