/// Erases all data of its caller permanently, and revokes its tokens.
///
/// The principal's id, kind and times stay, since audit rows refer to them. Its connections are
/// notified after the commit and the reply. If the account is erased already, nothing happens. It
/// is one transaction of any size: 100,000 items occupy the writer for about half a second.
package struct DeleteAccount: Command {
  package static var storesContent: Bool { false }

  package static var needsActiveCaller: Bool { false }

  private let confirmation: String

  private static let end = Query(
    """
    UPDATE principal SET display_name = '', time_zone = '', units = 0, bowstyle = 0, gender = 0,
      age_group = 0, revision = revision + 1, updated_at_ms = ?2, deleted_at_ms = ?2
    WHERE id = ?1
    """)
  private static let endTokens = Query(
    """
    UPDATE token SET label = '', revoked_at_ms = ifnull(revoked_at_ms, ?2)
    WHERE principal_id = ?1
    """)

  /// - Parameter confirmation: the caller's display name, exactly.
  package init(confirmation: String) { self.confirmation = confirmation }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let id = transaction.caller.principal
    let principal = try transaction.snapshot.principal(id: id)
    guard principal.deletedAtMilliseconds == nil else { return }
    try transaction.checkCallerIsActive()
    guard confirmation == principal.shownName else {
      throw .invalid("confirmation", "must be the profile's shown_name, to the letter")
    }
    try transaction.checkNotLastAdministrator(principal)
    let tokens = try transaction.snapshot.liveTokens(of: id)
    let items = try transaction.snapshot.all(AccountErasure.items, .integer(id)) { row in
      row.int64(0)
    }
    for token in tokens { transaction.effects.note(.deleted, of: .token, id: token) }
    for binding in try transaction.snapshot.certificateBindingIDs(of: id) {
      transaction.effects.note(.deleted, of: .certificateBinding, id: binding)
    }
    for item in items { transaction.effects.note(.deleted, of: .equipment, id: item) }
    let events = try transaction.snapshot.all(AccountErasure.events, .integer(id)) { row in
      row.int64(0)
    }
    for event in events {
      transaction.effects.note(.updated, of: .tournament, id: event, topic: event)
    }
    for statement in AccountErasure.statements { try transaction.run(statement, .integer(id)) }
    try transaction.run(Self.endTokens, .integer(id), .integer(transaction.nowMilliseconds))
    try transaction.run(Self.end, .integer(id), .integer(transaction.nowMilliseconds))
    try transaction.record(.deleted, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(action: "principal.delete", kind: .principal, objectID: id))
  }
}
