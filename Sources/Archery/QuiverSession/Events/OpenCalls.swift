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
    "SELECT sequence, method_id FROM open_call WHERE idempotency_key = ?1")
  private static let forget = SQLText(
    "DELETE FROM open_call WHERE method_id = ?1 AND sequence < ?2")

  /// Methods that set a state which a later change can take back. The others add or remove
  /// something that comes once, or name the revision that they change.
  private static let reversible = [
    Events.updateEventEntry.info, Events.setEventEntryState.info, Events.drawTargets.info,
    Events.placeEventEntry.info, Events.setEventOfficial.info, Events.removeEventOfficial.info,
    Events.setSessionPlaces.info,
    Events.setPaperTotal.info, Events.reopenScoreCard.info, Events.setEventLeases.info,
    Events.leaveTarget.info, Elimination.decideTie.info, Elimination.forfeitMatch.info,
    Elimination.reopenMatch.info, Elimination.placeMatches.info, Elimination.placeMatch.info,
    Elimination.substituteTeamMember.info, Events.ruleOnEnd.info, Events.applyEndRule.info,
    Events.pauseShooting.info, Events.resumeShooting.info,
    Events.sendEventNotice.info, Rounds.setRoundStatus.info,
  ].map { Int64($0.id) }

  /// Methods that remove what others have added: the same addition after them is another one.
  private static let additions: [Int64: [Int64]] = Dictionary(
    uniqueKeysWithValues: [
      (
        Elimination.deleteStage.info,
        [
          Elimination.cutCategory.info, Elimination.cutTeams.info, Elimination.drawGroups.info,
          Elimination.cutGroups.info,
        ]
      ),
      (Events.removeTypedTotal.info, [Events.setTypedTotal.info]),
      (Events.deleteEventCategory.info, [Events.createEventCategory.info]),
      (Events.deleteEventSession.info, [Events.createEventSession.info]),
      (Events.removeQualificationRound.info, [Events.addQualificationRound.info]),
    ].map { (Int64($0.0.id), $0.1.map { Int64($0.id) }) })

  /// The key of the same call, whose reply is missing; otherwise stores `key`, and returns it. A
  /// call before another one that may have taken it back is not the same, and neither is one that
  /// somebody else may have taken back in the minutes since.
  func openCall(
    _ method: UInt32, _ request: [UInt8], at now: Int64, orWith key: [UInt8],
    limits: SessionLimits
  ) throws(SessionError) -> [UInt8] {
    let oldest = now - OfflineSession.openCallMilliseconds
    let isReversible = Self.reversible.contains(Int64(method))
    let after = isReversible ? now - OfflineSession.reversibleCallMilliseconds : oldest
    let known = try first(
      Self.find, .integer(Int64(method)), .blob(request), .integer(after),
      .integer(isReversible ? 1 : 0)
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
    let found = try first(Self.place, .blob(key)) { (place: $0.int64(0), method: $0.int64(1)) }
    if let found {
      for method in Self.reversible + (Self.additions[found.method] ?? []) {
        try run(Self.forget, .integer(method), .integer(found.place))
      }
    }
    try closeCall(key)
  }
}
