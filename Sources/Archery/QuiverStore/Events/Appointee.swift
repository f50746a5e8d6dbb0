import QuiverRules

/// Whom an organiser appoints.
package enum Appointee: Sendable, Equatable {
  /// Somebody who has a part in an event of the caller's; for administrators anybody.
  case id(Int64)
  /// Who shows this code (``Snapshot/introductionCode(of:nowMilliseconds:)``).
  case code(String)
}

extension Snapshot {
  private static let codes = SignedNumbers(prefix: "qi_", label: "introduction", count: 2)

  /// The events of both: of participants with an account, officials, scorers and organisers.
  private static let commonEvent = Query(
    """
    SELECT 1 FROM tournament t WHERE t.id IN (
      SELECT session_id FROM participant
        WHERE principal_id = ?2 AND kind = \(ParticipantRecord.Kind.user.rawValue)
      UNION SELECT event_id FROM event_official WHERE principal_id = ?2
      UNION SELECT tournament_id FROM tournament_scorer WHERE principal_id = ?2
      UNION SELECT id FROM shooting_session WHERE principal_id = ?2 AND is_tournament = 1)
    AND (EXISTS (SELECT 1 FROM shooting_session s WHERE s.id = t.id AND s.principal_id = ?1)
      OR EXISTS (SELECT 1 FROM event_official o WHERE o.event_id = t.id AND o.principal_id = ?1)
      OR EXISTS (SELECT 1 FROM participant p WHERE p.session_id = t.id
        AND p.principal_id = ?1 AND p.kind = \(ParticipantRecord.Kind.user.rawValue)))
    LIMIT 1
    """)

  /// A code that a principal shows to be appointed, and when it ends.
  ///
  /// It is not stored: a MAC with the store's key authenticates the principal and the end.
  package func introductionCode(
    of principal: Int64, nowMilliseconds: Int64
  ) -> (code: String, expiresAtMilliseconds: Int64) {
    let end = nowMilliseconds + StoreLimits.introductionCodeMilliseconds
    return (Self.codes.text([principal, end], key: pageTokenKey), end)
  }

  /// The principal that an organiser appoints, whose account must be active.
  ///
  /// The id of an unknown user gives the same error as that of nobody, so that an organiser learns
  /// no names by trying ids.
  ///
  /// Who is bound to an event has a role there and gets nothing anywhere else; `event` is that of
  /// the role.
  func appointed(
    _ appointee: Appointee, by caller: Int64, nowMilliseconds: Int64, event: Int64? = nil
  ) throws(StoreError) -> PrincipalRecord {
    let id: Int64
    var field = "principal_id"
    switch appointee {
    case .id(let given):
      guard try isKnown(given, to: caller) else { throw Self.noPrincipal }
      id = given
    case .code(let text):
      field = "principal_code"
      guard let numbers = Self.codes.numbers(in: text, key: pageTokenKey) else {
        throw StoreError(.notFound, "nobody has this code", field: field)
      }
      guard numbers[1] > nowMilliseconds else {
        throw StoreError(.failedPrecondition, "the code has ended; ask for a new one", field: field)
      }
      id = numbers[0]
    }
    let record: PrincipalRecord
    do throws(StoreError) {
      record = try principal(id: id)
    } catch {
      throw error.code == .notFound ? Self.noPrincipal : error
    }
    if record.kind == .device {
      guard let event, try storedRole(of: id, in: event) != nil,
        try device(principal: id)?.event == event
      else { throw Self.noPrincipal }
    }
    guard record.isActive else {
      throw StoreError(.failedPrecondition, "is disabled or deleted", field: field)
    }
    return record
  }

  private static let noPrincipal = StoreError(
    .notFound, "there is no such principal; ask for its code", field: "principal_id")

  private func isKnown(_ id: Int64, to caller: Int64) throws(StoreError) -> Bool {
    if id == caller { return true }
    if try first(Self.commonEvent, .integer(caller), .integer(id), map: { _ in true }) != nil {
      return true
    }
    return try principal(id: caller).kind == .administrator
  }
}
