public import QuiverRPC
import QuiverWire

extension RPCClient {
  /// Waits until the server, or one of its services, reports that it serves; checks ten times a
  /// second, whatever the delays between connections are, and needs no token.
  ///
  /// Throws the error of the last check when `timeout` is over, NOT_FOUND at once if the server has
  /// no such service, and CANCELLED when the task is cancelled.
  public func waitForReady(service: String = "", timeout: Duration) async throws(RPCError) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: timeout)
    var request = HealthCheckRequest()
    request.service = service
    while true {
      var latest: RPCError
      do throws(RPCError) {
        reconnect()
        let left = max(clock.now.duration(to: end), .milliseconds(1))
        let answer = try await call(
          Health.check, request, options: CallOptions(timeout: min(left, .seconds(5))))
        if answer.status == .serving { return }
        latest = RPCError(.unavailable, "the server does not serve", isNotProcessed: true)
      } catch {
        latest = error
        switch error.code {
        case .unavailable, .deadlineExceeded, .resourceExhausted: break
        default: throw error
        }
      }
      guard clock.now < end else { throw latest }
      do {
        try await clock.sleep(for: .milliseconds(100))
      } catch {
        throw RPCError(
          .cancelled, "the task that waited was cancelled", isNotProcessed: true, origin: .client)
      }
    }
  }
}
