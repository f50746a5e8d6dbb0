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
    /// Whether the latest attempt to watch the health has found the server.
    var isReachable = true
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
      return state.isReachable && state.isServing ?? true
    }
  }

  /// A call goes here. To a server that has failed it connects at once: the delay between calls was
  /// that of its exclusion.
  func called(_ now: ContinuousClock.Instant) {
    let connects = state.withLock { state in
      state.failures > 0 && state.excludedUntil.map { $0 <= now } ?? true
    }
    if connects { client.reconnect() }
  }

  /// The server has answered a call, with a reply or with a status of its own.
  func answered() {
    state.withLock {
      $0.failures = 0
      $0.excludedUntil = nil
      $0.isReachable = true
    }
  }

  /// The server could not be reached: other servers take the calls until `backoff` is over. Calls
  /// that fail meanwhile, as those of one connection do, are the same failure.
  func failed(_ backoff: Backoff, _ now: ContinuousClock.Instant) {
    state.withLock { state in
      if let until = state.excludedUntil, until > now { return }
      state.excludedUntil = now + backoff.delay(after: state.failures)
      state.failures = min(state.failures + 1, 1_000)
    }
  }

  /// Watches the health of a service until ``stop()``.
  func watchHealth(of service: String, _ backoff: Backoff) {
    // Detached: a client that a handler creates outlives the call of the handler.
    let task = Task.detached { [weak self] in
      var failures = 0
      while !Task.isCancelled {
        guard let client = self?.client else { return }
        do {
          client.reconnect()
          var request = HealthCheckRequest()
          request.service = service
          for try await reply in try client.stream(Health.watch, request) {
            self?.states(isServing: reply.status == .serving)
            failures = 0
          }
          // A server that drains ends the watch: what it has stated holds until it is found again.
        } catch {
          let code = (error as? RPCError)?.code
          self?.cannotBeWatched(isReachable: code != .unavailable)
          // A server without the health service is one that serves.
          if code == .unimplemented { return }
        }
        try? await Task.sleep(for: backoff.delay(after: failures))
        failures = min(failures + 1, 1_000)
      }
    }
    state.withLock { $0.watch = task }
  }

  private func states(isServing: Bool) {
    answered()
    state.withLock { $0.isServing = isServing }
  }

  private func cannotBeWatched(isReachable: Bool) {
    state.withLock { state in
      state.isReachable = isReachable
      if isReachable { state.isServing = nil }
    }
  }

  /// Ends the watch of the health.
  func stop() { state.withLock { $0.watch }?.cancel() }
}
