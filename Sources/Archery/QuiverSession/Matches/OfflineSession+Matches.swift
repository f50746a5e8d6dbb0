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
    case .waiting?: report.notYetCount += 1
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

  /// Confirms a card of a match that is shown at a revision, and sends what waits if there is a
  /// connection.
  ///
  /// Throws if it has changed since, on this device or at the server.
  func confirmCard(
    _ side: Int, of id: Int64, shown revision: UInt64
  ) async throws(SessionError) {
    try await matchEdit { (edits) throws(SessionError) in
      try edits.confirm(side: side, of: id, shown: revision)
    }
    guard isOnline else { return }
    // Without a connection it waits.
    _ = await load { _ in }
    let match = try await store().read { (transaction) throws(SessionError) in
      try transaction.match(id)
    }
    let own = match?.confirmations.first { Int($0.side) == side && $0.row.needsAttention }
    if let own { throw SessionError(.notPossible, own.row.verdict) }
  }

  /// Sends the confirmation of a row, if the server's cards are those that were confirmed.
  ///
  /// The server confirms a card once, so that it can be sent again after a lost reply.
  func sendMatchConfirmation(
    _ row: OutboxRow, from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    var request = try row.confirmRequest()
    for attempt in 0..<Self.confirmationAttempts {
      // Another device may have changed the match, also without changing its cards.
      if attempt > 0 { try await fetchMatch(request.matchID, store) }
      let id = request.matchID
      let match = try await store.read { (transaction) throws(SessionError) in
        try transaction.match(id)
      }
      guard let match else { break }
      let view = MatchView(LocalMatch(message: match.message, fetchedAt: 0, rows: []))
      guard view.cardContent.serializedBytes() == row.draft else {
        try await store.reconcile { (reconciliation) throws(SessionError) in
          try reconciliation.confirmedOtherwise(row, match.message)
        }
        report.conflictCount += 1
        return
      }
      request.revision = match.message.revision
      let answer: [UInt8]
      do throws(RPCError) {
        answer = try await answered(
          row.method, request.serializedBytes(), key: IdempotencyKey.random().bytes)
      } catch {
        if error.code == .aborted { continue }
        try await ends(error, of: [row], in: store, &report)
        return try await refuse(row, error, in: store, &report)
      }
      try await take(answer, confirming: row, in: store)
      report.sentCount += 1
      return
    }
    let error = RPCError(.aborted, "it changes too often; confirm it again", origin: .server)
    try await refuse(row, error, in: store, &report)
  }

  private static let confirmationAttempts = 5

  private func refuse(
    _ row: OutboxRow, _ error: RPCError, in store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.refusedScoring(row, error)
    }
    report.refusedCount += 1
  }

  private func take(
    _ answer: [UInt8], confirming row: OutboxRow, in store: LocalStore
  ) async throws(SessionError) {
    guard let confirmed = try? EliminationMatch(serializedBytes: answer) else {
      throw SessionError(.call(.internal), "the server's answer cannot be read")
    }
    let limits = store.limits
    try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.confirmed(row, confirmed, limits: limits)
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
