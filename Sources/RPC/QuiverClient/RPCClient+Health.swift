public import QuiverRPC
import QuiverWire

extension RPCClient {
  private static let notServing = RPCError(
    .unavailable, "the server does not serve", isNotProcessed: true)

  /// Waits until the server, or one of its services, reports that it serves; checks ten times a
  /// second, whatever the delays between connections are, and needs no token.
  ///
  /// Throws the error of the last check that was not cut short when `timeout` is over, NOT_FOUND at
  /// once if the server has no such service, UNAVAILABLE at once if what answers speaks another
  /// protocol and no server has answered this client before, and CANCELLED when the task is
  /// cancelled.
  public func waitForReady(service: String = "", timeout: Duration) async throws(RPCError) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: timeout)
    var request = HealthCheckRequest()
    request.service = service
    var latest: RPCError?
    while true {
      let left = max(clock.now.duration(to: end), .milliseconds(1))
      do throws(RPCError) {
        reconnect()
        let answer = try await call(
          Health.check, request, options: CallOptions(timeout: min(left, .seconds(5))))
        if answer.status == .serving { return }
        latest = Self.notServing
      } catch {
        // A check that `timeout` cuts short tells less than the one before.
        let isCut = error.code == .deadlineExceeded && left < .seconds(5)
        if !isCut || latest == nil { latest = error }
        switch error.code {
        case .unavailable where error.origin == .connection && channel.meetsOthers: throw error
        case .unavailable, .deadlineExceeded, .resourceExhausted: break
        default: throw error
        }
      }
      if clock.now >= end, let latest { throw latest }
      do {
        try await clock.sleep(for: .milliseconds(100))
      } catch {
        throw RPCError(
          .cancelled, "the task that waited was cancelled", isNotProcessed: true, origin: .client)
      }
    }
  }
}
