import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// One server of a ``BalancedClient``: its connections, the calls on them and its health.
final class BalancedServer: Sendable {
  let client: RPCClient
  let outstandingCount = Atomic<Int>(0)
  private let state = Mutex(State())

  private struct State {
    /// By its health service; nil: not known.
    var isServing: Bool?
    /// When a server that could not be reached is tried again.
    var excludedUntil: ContinuousClock.Instant?
    var failures = 0
    var watch: Task<Void, Never>?
  }

  init(_ client: RPCClient) { self.client = client }

  /// Whether calls should go here: the server can be reached as far as is known, and it serves.
  func isReady(_ now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      if let until = state.excludedUntil, until > now { return false }
      return state.isServing ?? true
    }
  }

  /// The server has answered a call, with a reply or with a status of its own.
  func answered() {
    state.withLock {
      $0.failures = 0
      $0.excludedUntil = nil
    }
  }

  /// The server could not be reached: other servers take the calls until `backoff` is over.
  func failed(_ backoff: Backoff, _ now: ContinuousClock.Instant) {
    state.withLock { state in
      state.excludedUntil = now + backoff.delay(after: state.failures)
      state.failures = min(state.failures + 1, 1_000)
    }
  }

  /// Watches the health of a service until ``stop()``.
  func watchHealth(of service: String, _ backoff: Backoff) {
    let task = Task { [weak self] in
      var failures = 0
      while !Task.isCancelled {
        guard let client = self?.client else { return }
        do {
          var request = HealthCheckRequest()
          request.service = service
          for try await reply in try client.stream(Health.watch, request) {
            self?.set(isServing: reply.status == .serving)
            failures = 0
          }
          self?.set(isServing: nil)
        } catch {
          // A server without the health service is one that serves.
          self?.set(isServing: nil)
          if (error as? RPCError)?.code == .unimplemented { return }
        }
        try? await Task.sleep(for: backoff.delay(after: failures))
        failures = min(failures + 1, 1_000)
      }
    }
    state.withLock { $0.watch = task }
  }

  private func set(isServing: Bool?) { state.withLock { $0.isServing = isServing } }

  /// Ends the watch of the health.
  func stop() { state.withLock { $0.watch }?.cancel() }
}
