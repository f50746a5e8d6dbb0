import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What organisers and judges change over the server. The server's limits and refusals hold.
extension MatchModel {
  /// Records that a side, 1 or 2, does not shoot, or stopped; `reason` has 1 to 200 characters.
  ///
  /// The match is decided then, and both cards are confirmed. Needs a connection; has its effect
  /// once, also if its reply is lost and it is made again.
  public func forfeit(side: Int, reason: String) async throws(SessionError) {
    try await recordForfeit(match: match, side: side, reason: reason)
  }

  /// Takes confirmations and forfeits back; `reason` has 1 to 200 characters.
  ///
  /// Later matches that depend on it and have scores refuse it, unless `voidsLater` empties them.
  /// Needs a connection; has its effect once, as ``forfeit(side:reason:)`` does.
  public func reopen(reason: String, voidsLater: Bool = false) async throws(SessionError) {
    try await takeBack(match: match, reason: reason, voidsLater: voidsLater)
  }
}

/// Matches in models of a match and of a stage.
extension OrganisedModel {
  func recordForfeit(
    match id: Int64, side: Int, reason: String
  ) async throws(SessionError) {
    try await changeMatch("record a forfeit", Elimination.forfeitMatch) {
      (request) throws(SessionError) in
      (request.matchID, request.reason) = (id, reason)
      request.side = try UInt32(side, field: "side")
    }
  }

  /// Takes the confirmations and forfeits of a match back.
  func takeBack(
    match id: Int64, reason: String, voidsLater: Bool
  ) async throws(SessionError) {
    try await changeMatch("reopen a match", Elimination.reopenMatch) {
      ($0.matchID, $0.reason, $0.voidLater) = (id, reason, voidsLater)
    }
  }

  /// Has a match changed, and stores it for ``MatchModel`` if it is on this device.
  func changeMatch<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, EliminationMatch>,
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let limits = session.configuration.limits
    try await organise(
      operation, method,
      keep: { (transaction, match) throws(SessionError) in
        try transaction.takeChanged(match, limits: limits)
      }, fill)
  }
}
