import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization

/// A request that was sent, until its response is complete or it is given up.
final class HTTPCall: Sendable {
  let response = HTTPResponse()
  private let connection: HTTPClientEnd
  private let isWaiting = Atomic(true)

  private static let cancelled = RPCError(
    .cancelled, "the task of the call was cancelled", origin: .client)

  /// Sends the request at once.
  ///
  /// - Parameter timeout: until the response is complete, or until ``hasBegun()``.
  init(
    _ connection: HTTPClientEnd, _ request: [UInt8], _ transport: DispatchTransport,
    _ timeout: Duration
  ) {
    self.connection = connection
    connection.send(request, response)
    let nanoseconds = UInt64(timeout / .nanoseconds(1))
    transport.schedule(atNanoseconds: transport.nowNanoseconds &+ nanoseconds) { [weak self] in
      guard let self, isWaiting.load(ordering: .relaxed) else { return }
      giveUp(
        RPCError(
          .deadlineExceeded, "the gateway did not answer within \(timeout)", origin: .client))
    }
  }

  /// The timeout has no effect any more.
  func hasBegun() { isWaiting.store(false, ordering: .relaxed) }

  /// Closes the connection unless the response is complete; reading it throws `error`.
  func giveUp(_ error: RPCError) { connection.giveUp(response, error) }

  /// The reader has taken what had arrived.
  func read() { connection.wantsInputAgain() }

  /// Gives the call up if the task is cancelled meanwhile.
  func whileNotCancelled<Value: Sendable>(
    _ body: () async throws(RPCError) -> Value
  ) async throws(RPCError) -> Value {
    let result = await withTaskCancellationHandler {
      () async -> Result<Value, RPCError> in
      do throws(RPCError) { return .success(try await body()) } catch { return .failure(error) }
    } onCancel: {
      giveUp(Self.cancelled)
    }
    return try result.get()
  }
}
