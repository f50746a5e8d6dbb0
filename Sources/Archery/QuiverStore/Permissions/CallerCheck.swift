/// Checks in the transaction of a command whether its caller may still call: whether its token is
/// valid, its certificate is bound, its account is active, and whoever acts for it has a grant.
///
/// The connection was authenticated when it was opened, and the call when it arrived; the command
/// may have waited since then. What ends permissions waits for transactions that have checked
/// before (``PermissionFence``).
extension Snapshot {
  fileprivate static let tokenState = Query(
    """
    SELECT t.principal_id, t.revoked_at_ms, t.expires_at_ms, p.disabled_at_ms, p.deleted_at_ms
    FROM token t JOIN principal p ON p.id = t.principal_id WHERE t.id = ?1
    """)
  fileprivate static let principalState = Query(
    "SELECT disabled_at_ms, deleted_at_ms FROM principal WHERE id = ?1")
  fileprivate static let binding = Query(
    "SELECT principal_id FROM certificate_binding WHERE id = ?1")

  /// Sends the queries of ``Transaction/checkCallerIsActive()`` ahead (``Session/prefetch(_:_:)``).
  func prefetchState(of caller: CommandCaller) throws(StoreError) {
    if caller.tokenID != 0 {
      try session.prefetch(Self.tokenState, [.integer(caller.tokenID)])
    }
    if caller.needsPrincipalState {
      try session.prefetch(Self.principalState, [.integer(caller.principal)])
    }
    if caller.certificateBindingID != 0 {
      try session.prefetch(Self.binding, [.integer(caller.certificateBindingID)])
    }
  }
}

extension CommandCaller {
  /// Whether the state of the token does not tell that of the principal.
  fileprivate var needsPrincipalState: Bool { tokenID == 0 || actor != principal }
}

extension Transaction {
  /// Throws for a caller whose token, certificate, account or grant has ended since its call was
  /// authorized.
  func checkCallerIsActive() throws(StoreError) {
    guard caller.principal != 0 else { return }
    if caller.tokenID != 0 { try checkToken() }
    if caller.needsPrincipalState {
      let hasEnded = try snapshot.first(Snapshot.principalState, .integer(caller.principal)) {
        row in !row.isNull(0) || !row.isNull(1)
      }
      if hasEnded == true { throw Self.principalEnded }
    }
    if caller.certificateBindingID != 0 { try checkCertificate() }
    try checkActorIsGranted()
  }

  private func checkToken() throws(StoreError) {
    let now = nowMilliseconds
    let actor = caller.actor
    let state = try snapshot.first(Snapshot.tokenState, .integer(caller.tokenID)) { row in
      (
        isValid: row.int64(0) == actor && row.isNull(1)
          && (row.optionalInt64(2).map { $0 > now } ?? true),
        isActive: row.isNull(3) && row.isNull(4)
      )
    }
    // The tokens of a disabled principal are valid, and those of a deleted one are not.
    if state?.isActive == false { throw Self.principalEnded }
    guard state?.isValid == true else {
      throw StoreError(
        .unauthenticated, "the token was revoked or has expired", notProcessed: true)
    }
  }

  private func checkCertificate() throws(StoreError) {
    let owner = try snapshot.first(Snapshot.binding, .integer(caller.certificateBindingID)) { row in
      row.int64(0)
    }
    guard owner == caller.actor else {
      throw StoreError(
        .unauthenticated, "the certificate is no longer bound to a principal", notProcessed: true)
    }
  }

  private static var principalEnded: StoreError {
    StoreError(.permissionDenied, "the principal was disabled or deleted", notProcessed: true)
  }
}
