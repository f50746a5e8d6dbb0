import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  /// The number of NOT_YET operations that each sync cycle sends again; all of them are sent again
  /// once the server has accepted another row.
  static let resumedOperationCount: Int64 = 100

  /// Sends rows of an event: one row that creates something, or a batch of operations over the
  /// cycle's batch stream.
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
      try reconciliation.scored(rows, response, limits: store.limits)
    }
    report.sentCount += counts.stored
    report.refusedCount += counts.refused
    report.conflictCount += counts.conflicts
    report.notYetCount += counts.notYet
  }

  /// Stores a refusal of rows; throws if nothing more can be sent now.
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
  /// The operations of rows, with participants by their server ids. The server computes the value
  /// of an arrow that was entered by its position.
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
