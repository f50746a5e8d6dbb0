import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Sends the batches of one sync cycle over one bidirectional stream, which opens with the first
/// batch; if the transport or the server has no such stream, each batch is a separate call.
///
/// The reply to a batch arrives before the next one is sent, because the outbox is sent in order.
final class ScoringBatchStream {
  private let session: OfflineSession
  private var stream: (any SessionStream)?
  private var batch: UInt64 = 0

  init(_ session: OfflineSession) { self.session = session }

  /// Applies a batch; `method` is the method of a separate call.
  ///
  /// A reply that cannot be decoded has no verdicts.
  func apply(
    _ request: ApplyOperationsRequest, by method: MethodInfo
  ) async throws(RPCError) -> ApplyOperationsResponse {
    if method.id == Tournament.applyOperations.info.id, session.withState({ $0.hasStreams }) {
      do throws(RPCError) {
        let response = try await session.noting { () async throws(RPCError) in
          try await self.exchange(request.operations)
        }
        var answer = ApplyOperationsResponse()
        answer.verdicts = response.verdicts
        return answer
      } catch {
        stream?.cancel(error)
        stream = nil
        guard error.code == .unimplemented else { throw error }
        session.withState { $0.hasStreams = false }
      }
    }
    // The client_ids identify repeated operations, so that batches need not have the same limits.
    let answer = try await session.answered(
      method, request.serializedBytes(), key: IdempotencyKey.random().bytes)
    return (try? ApplyOperationsResponse(serializedBytes: answer)) ?? ApplyOperationsResponse()
  }

  /// Ends the stream if one was opened.
  func end() {
    stream?.finishRequest()
    stream = nil
  }

  private func opened() throws(RPCError) -> any SessionStream {
    if let stream { return stream }
    let opened = try session.transport.stream(Tournament.syncOperations.info, [], after: nil)
    stream = opened
    return opened
  }

  private func exchange(
    _ operations: [ScoringOperation]
  ) async throws(RPCError) -> SyncOperationsResponse {
    let stream = try opened()
    batch += 1
    var request = SyncOperationsRequest()
    request.batch = batch
    request.operations = operations
    let timeout = session.configuration.limits.callTimeout
    let timer = Task {
      try await Task.sleep(for: timeout)
      stream.cancel(
        RPCError(.deadlineExceeded, "the server did not answer within \(timeout)", origin: .client))
    }
    defer { timer.cancel() }
    try await stream.send(request.serializedBytes())
    guard let bytes = try await stream.next() else {
      throw RPCError(.unavailable, "the server ended the call", origin: .client)
    }
    let response = try? SyncOperationsResponse(serializedBytes: bytes)
    guard let response, response.batch == batch else { return SyncOperationsResponse() }
    return response
  }
}
