import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  /// Runs one sync cycle on the queue.
  func syncCycle() async -> SyncReport {
    var report = SyncReport()
    do throws(SessionError) {
      let store = try await signIn()
      try await store.write { (transaction) throws(SessionError) in
        try transaction.resumeDeferred(limit: Self.resumedOperationCount)
      }
      try await sendAcknowledged(to: store)
      try await send(from: store, &report)
      if report.hasChangedObjects {
        // Sent changes may affect other objects. Their screens load them anyway.
        try? await fetchHub(store)
        try? await fetchSetups(store)
      }
    } catch {
      report.error = error
    }
    return report
  }

  /// Asks the server for the caller's identity, and opens that identity's file.
  func signIn() async throws(SessionError) -> LocalStore {
    let answer = try await call(Account.whoAmI, WhoAmIRequest())
    guard let principal = answer.principal, principal.id > 0, answer.storeEpoch != 0 else {
      throw SessionError(.call(.internal), "the server does not say who calls")
    }
    let identity = StoreIdentity(storeEpoch: answer.storeEpoch, principalID: principal.id)
    let known = withState { state in
      state.shownName = principal.shownName
      return state.store
    }
    if let known, known.identity == identity { return known }
    return try await adopt(identity, principal.shownName)
  }

  /// Adopts an identity for the session; the changes of another identity stay in its file, unsent.
  private func adopt(
    _ identity: StoreIdentity, _ shownName: String
  ) async throws(SessionError) -> LocalStore {
    let signal = signal
    let store = try await LocalStore.open(
      identity, in: directory, limits: configuration.limits
    ) { signal.send($0) }
    try await directory.remember(
      fingerprint, identity, shownName: shownName, at: WallClock.nowMilliseconds())
    let former = withState { state in
      defer { state.store = store }
      return state.store
    }
    if let former {
      let hasRows = try await former.read { (transaction) throws(SessionError) in
        try transaction.hasRows()
      }
      await former.close()
      // Data of another database is never shown.
      if !hasRows && former.identity.storeEpoch != identity.storeEpoch {
        try await directory.removeStore(former.identity)
      }
    }
    signal.send([.connection, .outbox, .orphanedChanges])
    return store
  }

  /// Sends pending rows one at a time, until none is left or the server accepts no more.
  private func send(
    from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    let batches = ScoringBatchStream(self)
    defer { batches.end() }
    while true {
      let rows = try await store.takeNextRows()
      guard let row = rows.first else { return }
      guard !withState({ $0.isClosed }) else { return try await store.release(rows) }
      if row.action.isScoring {
        try await sendScoring(rows, from: store, over: batches, &report)
        continue
      }
      if try await sendCard(row, from: store, &report) { continue }
      let answer: [UInt8]
      do throws(RPCError) {
        answer = try await answered(row.method, row.request, key: row.idempotencyKey)
      } catch {
        try await record(error, of: row, in: store, &report)
        continue
      }
      try await store.reconcile { (reconciliation) throws(SessionError) in
        try reconciliation.applied(row, response: answer)
      }
      report.sentCount += 1
      report.hasChangedObjects = true
    }
  }

  /// Sends a change of a match or of a second card; returns whether the row is one.
  private func sendCard(
    _ row: OutboxRow, from store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) -> Bool {
    switch row.action {
    case .matchEnd: try await sendMatchEnd(row, from: store, &report)
    case .matchConfirmation: try await sendMatchConfirmation(row, from: store, &report)
    case .cardEnd: try await sendCardEnd(row, from: store, &report)
    case .cardConfirmation: try await sendCardConfirmation(row, from: store, &report)
    default: return false
    }
    return true
  }

  /// Records a failure; throws if nothing more can be sent now.
  private func record(
    _ error: RPCError, of row: OutboxRow, in store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    try await ends(error, of: [row], in: store, &report)
    let verdict = try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.refused(row, error)
    }
    report.hasChangedObjects = true
    switch verdict {
    case .applied: report.sentCount += 1
    case .needsAttention(.conflict): report.conflictCount += 1
    case .needsAttention: report.refusedCount += 1
    case .rebased: break
    }
  }

  /// Throws a failure after which nothing more can be sent now; returns if the server's answer is
  /// final.
  func ends(
    _ error: RPCError, of rows: [OutboxRow], in store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    switch Disposition(error) {
    case .definite: return
    case .transient(let pushBack): report.pushBack = pushBack
    case .signedOut: break
    }
    if error.isNotProcessed { try await store.release(rows) }
    throw SessionError(error)
  }

  /// Calls a method that only reads.
  func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async throws(SessionError) -> Response {
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(method.info, request.serializedBytes(), key: [])
    } catch {
      throw SessionError(error)
    }
    do throws(DecodeError) {
      return try Response(serializedBytes: answer)
    } catch {
      throw SessionError(.call(.internal), "the server's answer cannot be read: \(error)")
    }
  }

  /// Calls a method and records what its outcome shows about the connection.
  func answered(
    _ method: MethodInfo, _ request: [UInt8], key: [UInt8]
  ) async throws(RPCError) -> [UInt8] {
    let key = IdempotencyKey(key)
    // Keys and the objects that calls name are those of the open file.
    let epoch = key == nil ? 0 : withState { $0.store?.identity.storeEpoch ?? 0 }
    return try await noting { () async throws(RPCError) in
      try await transport.call(
        method, request, key: key, storeEpoch: epoch, timeout: configuration.limits.callTimeout)
    }
  }

  /// Records what the outcome of a call shows about the connection.
  func noting<Answer>(
    _ body: () async throws(RPCError) -> Answer
  ) async throws(RPCError) -> Answer {
    do throws(RPCError) {
      let answer = try await body()
      note(.online)
      return answer
    } catch {
      switch error.code {
      case .unauthenticated: note(.signedOut)
      case .unavailable, .deadlineExceeded: note(.offline)
      case .cancelled: break
      default: note(error.origin == .server ? .online : .offline)
      }
      throw error
    }
  }

  func note(_ connection: Connection) {
    let hasChanged = withState { state in
      if connection == .online { state.lastAnswerMilliseconds = WallClock.nowMilliseconds() }
      defer { state.connection = connection }
      return state.connection != connection
    }
    if hasChanged { signal.send([.connection]) }
  }
}
