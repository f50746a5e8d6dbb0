import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Matches: their ends are stored on this device first and sent in order.
extension OfflineSession {
  /// Fetches a match with its cards.
  func fetchMatch(_ id: Int64, _ store: LocalStore) async throws(SessionError) {
    var request = GetMatchRequest()
    request.matchID = id
    let match = try await call(Elimination.getMatch, request)
    try await keep(match, store)
  }

  private func keep(_ match: EliminationMatch, _ store: LocalStore) async throws(SessionError) {
    let limits = configuration.limits
    try await store.write { (transaction) throws(SessionError) in
      try transaction.take(
        match, saysWhoMayScore: true, fetchedAt: WallClock.nowMilliseconds(), limits: limits)
    }
  }

  /// Sends the end of a row.
  ///
  /// Its client_id has its effect once, so that it can be sent again after a lost reply.
  func sendMatchEnd(
    _ row: OutboxRow, from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    var request = ApplyMatchOperationsRequest()
    request.operations = [try row.matchOperation()]
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(
        row.method, request.serializedBytes(), key: IdempotencyKey.random().bytes)
    } catch {
      try await ends(error, of: [row], in: store, &report)
      try await store.reconcile { (reconciliation) throws(SessionError) in
        try reconciliation.refusedScoring(row, error)
      }
      report.refusedCount += 1
      return
    }
    let response = try? ApplyMatchOperationsResponse(serializedBytes: answer)
    guard let response, response.verdicts.count == 1 else {
      throw SessionError(.call(.internal), "the server's verdict cannot be read")
    }
    let state = try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.recorded(row, response.verdicts[0], limits: store.limits)
    }
    switch state {
    case nil: report.sentCount += 1
    case .conflict?: report.conflictCount += 1
    default: report.refusedCount += 1
    }
  }

  /// Stores a change of a match, and wakes the sync loop.
  func matchEdit(
    _ body: @escaping @Sendable (MatchEdits) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let limits = configuration.limits
    let device = configuration.device
    try await scoring { (transaction) throws(SessionError) in
      try body(
        MatchEdits(
          transaction: transaction, limits: limits, nowMilliseconds: WallClock.nowMilliseconds(),
          device: device))
    }
  }

  /// Confirms a card of a match that is shown at a revision; needs a connection.
  ///
  /// Throws if changes of the match wait, and if it has changed since.
  func confirmCard(
    _ side: Int, of id: Int64, shown revision: UInt64
  ) async throws(SessionError) {
    try await checkShown(id, revision, try store())
    let failure = await load { (store) throws(SessionError) in
      // It sends what waits, and may take a change of the match with a verdict.
      try await self.checkShown(id, revision, store)
      var request = ConfirmMatchCardRequest()
      request.matchID = id
      request.side = UInt32(clamping: side)
      request.revision = revision
      let answer: [UInt8]
      do throws(RPCError) {
        answer = try await self.answered(
          Elimination.confirmMatchCard.info, request.serializedBytes(),
          key: IdempotencyKey.random().bytes)
      } catch {
        // Others may have changed it: the card is shown before it is confirmed.
        if error.code == .aborted { try? await self.fetchMatch(id, store) }
        throw SessionError(error)
      }
      guard let confirmed = try? EliminationMatch(serializedBytes: answer) else {
        throw SessionError(.call(.internal), "the server's answer cannot be read")
      }
      let limits = store.limits
      try await store.write { (transaction) throws(SessionError) in
        try transaction.take(
          confirmed, saysWhoMayScore: false, fetchedAt: WallClock.nowMilliseconds(),
          limits: limits)
      }
    }
    if let failure { throw failure }
  }

  /// Throws unless this device has a match as it is at a revision, without waiting changes.
  private func checkShown(
    _ id: Int64, _ revision: UInt64, _ store: LocalStore
  ) async throws(SessionError) {
    let match = try await store.read { (transaction) throws(SessionError) in
      try transaction.match(id)
    }
    guard let match else { throw SessionError(.notFound, "this match is not here") }
    guard match.rows.isEmpty else {
      throw SessionError(
        .notPossible, "\(match.rows.count) changes of it are not at the server")
    }
    guard match.message.revision == revision else {
      throw SessionError(.notPossible, "it has changed since it was shown; read it again")
    }
  }

  /// Keeps the local copy of a match current, until the task is cancelled or the session is closed.
  ///
  /// Returns the error with which the server permanently ended the watch.
  func followMatch(
    _ id: Int64, onUpdate: @escaping @Sendable () async -> Void
  ) async -> SessionError? {
    guard let store = try? store(),
      let known = try? await store.read({ (transaction) throws(SessionError) in
        try transaction.match(id)
      })
    else { return nil }
    var request = WatchMatchRequest()
    request.tournamentID = known.message.tournamentID
    request.matchID = id
    return await watch(Elimination.watchMatch, request) { (message) throws(SessionError) in
      guard let match = message.match else { return }
      try await self.keep(match, store)
      await onUpdate()
    }
  }
}
