import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  /// Operations that the server has answered NOT_YET and that are tried again in each pass; all of
  /// them are once anything is taken.
  static let resumedOperationCount: Int64 = 100

  /// Sends rows about an event: one that makes something, or a batch of operations, which goes over
  /// the line of the pass.
  func sendScoring(
    _ rows: [OutboxRow], from store: LocalStore, over stream: ScoringBatchStream,
    _ report: inout SyncReport
  ) async throws(SessionError) {
    guard let first = rows.first else { return }
    if first.action == .score {
      try await sendBatch(rows, by: first.method, from: store, over: stream, &report)
    } else {
      let answer: [UInt8]
      do throws(RPCError) {
        answer = try await answered(first.method, first.request, key: first.idempotencyKey)
      } catch {
        return try await refused(error, rows, in: store, &report)
      }
      try await store.reconcile { (reconciliation) throws(SessionError) in
        try reconciliation.made(first, answer, limits: store.limits)
      }
      report.sentCount += 1
    }
  }

  private func sendBatch(
    _ rows: [OutboxRow], by method: MethodInfo, from store: LocalStore,
    over stream: ScoringBatchStream,
    _ report: inout SyncReport
  ) async throws(SessionError) {
    let request = try await store.operations(of: rows)
    let response: ApplyOperationsResponse
    do throws(RPCError) {
      response = try await stream.apply(request, by: method)
    } catch {
      return try await refused(error, rows, in: store, &report)
    }
    guard response.verdicts.count == rows.count else {
      throw SessionError(.call(.internal), "the server's verdicts cannot be read")
    }
    let counts = try await store.reconcile { (reconciliation) throws(SessionError) in
      try reconciliation.scored(rows, response)
    }
    report.sentCount += counts.stored
    report.refusedCount += counts.refused
    report.conflictCount += counts.conflicts
    report.notYetCount += counts.notYet
  }

  /// Keeps a refusal of rows; throws it where nothing more can be sent now.
  private func refused(
    _ error: RPCError, _ rows: [OutboxRow], in store: LocalStore, _ report: inout SyncReport
  ) async throws(SessionError) {
    try await ends(error, of: rows, in: store, &report)
    try await store.reconcile { (reconciliation) throws(SessionError) in
      for row in rows { try reconciliation.refusedScoring(row, error) }
    }
    report.refusedCount += rows.count
  }
}

extension LocalStore {
  /// The operations of rows, which name their participants by the server's ids by now. Of an arrow
  /// that was entered by its place the server finds the value.
  fileprivate func operations(
    of rows: [OutboxRow]
  ) async throws(SessionError) -> ApplyOperationsRequest {
    try await read { (transaction) throws(SessionError) in
      var request = ApplyOperationsRequest()
      var ids: [Int64: Int64] = [:]
      for row in rows {
        var operation = try row.operation()
        let key = row.participantKey ?? 0
        if ids[key] == nil { ids[key] = try transaction.participant(key)?.message.id ?? 0 }
        let id = ids[key] ?? 0
        if id != 0 {
          operation.participantID = id
          operation.participantClientID = []
        }
        if operation.input == .target {
          operation.value = nil
          operation.isX = false
        }
        request.operations.append(operation)
      }
      return request
    }
  }
}
