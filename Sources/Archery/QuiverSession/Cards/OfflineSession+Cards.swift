import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Second cards: their ends are stored on this device first and sent in order.
extension OfflineSession {
  /// Takes or renews the lease on the second card of a target, sends what waited for it, and
  /// fetches the cards of who shoots there.
  func joinSecondCard(_ code: String, _ store: LocalStore) async throws(SessionError) {
    let lease = try await lease(code, card: 2)
    let limits = configuration.limits
    try await store.write { (transaction) throws(SessionError) in
      try transaction.take(
        lease, code: code, fetchedAt: WallClock.nowMilliseconds(), limits: limits)
      try transaction.resumeDeferred(limit: .max)
    }
    // What was NOT_YET before is sent now.
    let report = await syncCycle()
    if let error = report.error { throw error }
    for entry in lease.entries { try await fetchCard(entry.participantID, store) }
  }

  /// Takes or renews the lease on a card of a target for this device.
  private func lease(_ code: String, card: UInt32) async throws(SessionError) -> TargetLease {
    let device = configuration.device
    guard !device.isEmpty else {
      throw SessionError(
        .invalid, "must be the name of this device, with which it joins a target", field: "device")
    }
    let request = JoinTargetRequest.with { request in
      (request.code, request.device, request.card) = (code, device, card)
    }
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(
        Events.joinTarget.info, request.serializedBytes(), key: IdempotencyKey.random().bytes)
    } catch {
      throw SessionError(error)
    }
    guard let joined = try? JoinTargetResponse(serializedBytes: answer) else {
      throw SessionError(.call(.internal), "the server's answer cannot be read")
    }
    guard joined.choices.isEmpty else {
      let names = joined.choices.map(\.name).joined(separator: ", ")
      throw SessionError(
        .notPossible, "several are open on this target (\(names)); use the code of one of them",
        field: "code")
    }
    // A server from before there was the field has those of the lease in its place.
    guard let lease = try? joined.lease ?? TargetLease(serializedBytes: answer) else {
      throw SessionError(.call(.internal), "the server's answer cannot be read")
    }
    return lease
  }

  /// Takes or renews the lease of this device on the first card of a target, also of a target of
  /// matches, by the code of its QR code; needs a connection.
  ///
  /// Ends and arrows that waited for it are sent with the next synchronization. Throws while
  /// another device holds the lease. It ends at the returned time, unless it is renewed.
  @discardableResult
  public func joinTarget(_ code: String) async throws(SessionError) -> JoinedTarget {
    let store = try await signedIn()
    let lease = try await lease(code, card: 1)
    try await store.write { (transaction) throws(SessionError) in
      try transaction.resumeDeferred(limit: .max)
    }
    wakeups.send([.outbox])
    return JoinedTarget(lease)
  }

  /// Fetches both cards of a participant, and its round.
  func fetchCard(_ id: Int64, _ store: LocalStore) async throws(SessionError) {
    let card = try await call(Events.getComparedCard, .with { $0.participantID = id })
    let round = try await call(Rounds.getScorecard, .with { $0.participantID = id })
    let limits = configuration.limits
    try await store.write { (transaction) throws(SessionError) in
      try transaction.take(
        card, round.format ?? RoundFormat(), fetchedAt: WallClock.nowMilliseconds(),
        limits: limits)
    }
  }

  /// Sends the end of a row.
  ///
  /// Its client_id has its effect once, so that it can be sent again after a lost reply.
  func sendCardEnd(
    _ row: OutboxRow, from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    var request = ApplyCardOperationsRequest()
    request.operations = [try row.cardOperation()]
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
    let response = try? ApplyCardOperationsResponse(serializedBytes: answer)
    guard let response, response.verdicts.count == 1 else {
      throw SessionError(.call(.internal), "the server's verdict cannot be read")
    }
    let state = try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.recorded(row, response.verdicts[0])
    }
    switch state {
    case nil: report.sentCount += 1
    case .waiting?: report.notYetCount += 1
    case .conflict?: report.conflictCount += 1
    default: report.refusedCount += 1
    }
  }

  /// Confirms a card that is shown at a revision, and sends what waits if there is a connection.
  ///
  /// Throws if it has changed since, on this device or at the server.
  func confirmScoreCard(
    _ role: CardRole, of participant: Int64, part: Int, signature: [UInt8],
    shown revision: UInt64
  ) async throws(SessionError) {
    try await cardEdit { (edits) throws(SessionError) in
      try edits.confirm(
        role, of: participant, part: part, signature: signature, shown: revision)
    }
    guard isOnline else { return }
    // Without a connection it waits.
    _ = await load { _ in }
    let card = try await store().read { (transaction) throws(SessionError) in
      try transaction.card(ofParticipant: participant)
    }
    let own = card?.confirmations.first {
      $0.request.role == role && Int($0.request.part) == part && $0.row.needsAttention
    }
    if let own { throw SessionError(.notPossible, own.row.verdict) }
  }

  private static let confirmationAttempts = 5

  /// Sends the confirmation of a row, if the server's cards are those that were confirmed.
  ///
  /// The revision and the key are stored before it is sent: after a lost reply the same request is
  /// sent again, which has its effect once.
  func sendCardConfirmation(
    _ row: OutboxRow, from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    var row = row
    var request = try row.cardConfirmation()
    for _ in 0..<Self.confirmationAttempts {
      if request.revision == 0 {
        guard let card = try await serverCard(row, store, &report) else { return }
        request.revision = card.revision
        row.idempotencyKey = IdempotencyKey.random().bytes
        try await save(request, in: &row, store)
      }
      let answer: [UInt8]
      do throws(RPCError) {
        answer = try await answered(row.method, row.request, key: row.idempotencyKey)
      } catch {
        if error.code == .aborted {
          request.revision = 0
          try await save(request, in: &row, store)
          continue
        }
        try await ends(error, of: [row], in: store, &report)
        return try await refuseConfirmation(row, error, store, &report)
      }
      guard let confirmed = try? ComparedCard(serializedBytes: answer) else {
        throw SessionError(.call(.internal), "the server's answer cannot be read")
      }
      let sent = row
      try await store.reconcile { (reconciliation) throws(SessionError) in
        try reconciliation.confirmedCard(sent, confirmed)
      }
      report.sentCount += 1
      return
    }
    let error = RPCError(.aborted, "it changes too often; confirm it again", origin: .server)
    try await refuseConfirmation(row, error, store, &report)
  }

  /// The server's card, if its content is what a row confirms; otherwise the row needs attention.
  private func serverCard(
    _ row: OutboxRow, _ store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) -> ComparedCard? {
    let id = row.objectKey - .min
    do throws(SessionError) {
      try await fetchCard(id, store)
    } catch {
      guard let status = error.code.status, !error.isTransient, status != .unauthenticated else {
        throw error
      }
      let refusal = RPCError(status, error.message, origin: .server)
      try await refuseConfirmation(row, refusal, store, &report)
      return nil
    }
    let card = try await store.read { (transaction) throws(SessionError) in
      try transaction.card(ofParticipant: id)
    }
    guard let card else { return nil }
    let plain = LocalCard(
      participant: id, message: card.message, format: card.format, rows: [])
    let part = Int(try row.cardConfirmation().part)
    if CardView(plain).content(ofPart: part).serializedBytes() == row.draft { return card.message }
    try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.confirmedOtherCard(row, card.message)
    }
    report.conflictCount += 1
    return nil
  }

  private func save(
    _ request: ConfirmScoreCardRequest, in row: inout OutboxRow, _ store: LocalStore
  ) async throws(SessionError) {
    row.request = request.serializedBytes()
    let changed = row
    try await store.write { (transaction) throws(SessionError) in
      guard try transaction.outboxRow(changed.sequence) != nil else { return }
      var row = changed
      try transaction.save(&row)
    }
  }

  private func refuseConfirmation(
    _ row: OutboxRow, _ error: RPCError, _ store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.refusedScoring(row, error)
    }
    report.refusedCount += 1
  }

  /// Stores a change of a second card, and wakes the sync loop.
  func cardEdit(
    _ body: @escaping @Sendable (CardEdits) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let limits = configuration.limits
    let device = configuration.device
    try await scoring { (transaction) throws(SessionError) in
      try body(
        CardEdits(
          transaction: transaction, limits: limits, nowMilliseconds: WallClock.nowMilliseconds(),
          device: device))
    }
  }
}
