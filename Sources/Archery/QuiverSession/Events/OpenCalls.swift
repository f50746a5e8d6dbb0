import QuiverAPI
import QuiverRPC
import QuiverSQLite

/// Calls that change something and whose replies are missing.
extension LocalTransaction {
  private static let find = SQLText(
    """
    SELECT idempotency_key FROM open_call
    WHERE method_id = ?1 AND request = ?2 AND created_at_ms > ?3
      AND (?4 = 0 OR sequence = (SELECT max(sequence) FROM open_call))
    ORDER BY sequence DESC LIMIT 1
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
  private static let place = SQLText(
    "SELECT sequence FROM open_call WHERE idempotency_key = ?1")
  private static let forget = SQLText(
    "DELETE FROM open_call WHERE method_id = ?1 AND sequence < ?2")

  /// Methods that set a state which a later change can take back. The others add or remove
  /// something that comes once, or name the revision that they change.
  private static let reversible = [
    Events.updateEventEntry.info, Events.setEventEntryState.info, Events.drawTargets.info,
    Events.placeEventEntry.info, Events.setEventOfficial.info, Events.removeEventOfficial.info,
    Events.setPaperTotal.info, Events.reopenScoreCard.info, Events.setEventLeases.info,
    Events.leaveTarget.info, Elimination.decideTie.info, Elimination.forfeitMatch.info,
    Elimination.reopenMatch.info, Elimination.placeMatches.info, Elimination.placeMatch.info,
    Elimination.substituteTeamMember.info,
  ].map { Int64($0.id) }

  /// The key of the same call, whose reply is missing; otherwise stores `key`, and returns it. A
  /// call before another one that may have taken it back is not the same.
  func openCall(
    _ method: UInt32, _ request: [UInt8], at now: Int64, orWith key: [UInt8],
    limits: SessionLimits
  ) throws(SessionError) -> [UInt8] {
    let oldest = now - OfflineSession.openCallMilliseconds
    let known = try first(
      Self.find, .integer(Int64(method)), .blob(request), .integer(oldest),
      .integer(Self.reversible.contains(Int64(method)) ? 1 : 0)
    ) { $0.bytes(0) }
    if let known { return known }
    try run(
      Self.open, .integer(Int64(method)), .blob(request), .blob(key), .integer(now))
    try run(Self.removeOld, .integer(limits.maxOpenCalls), .integer(oldest))
    return key
  }

  /// Removes a call that the server refused.
  func closeCall(_ key: [UInt8]) throws(SessionError) { try run(Self.close, .blob(key)) }

  /// Removes a call that had its effect, and the earlier ones that it may have taken back: the same
  /// change made again is another one then.
  func closeAnsweredCall(_ key: [UInt8]) throws(SessionError) {
    if let place = try first(Self.place, .blob(key), map: { $0.int64(0) }) {
      for method in Self.reversible { try run(Self.forget, .integer(method), .integer(place)) }
    }
    try closeCall(key)
  }
}
