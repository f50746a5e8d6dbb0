import QuiverObservability
import Synchronization

/// Whether a gateway takes calls. From any thread.
final class GatewayState: Sendable {
  private struct State {
    var isDraining = false
    var isAcceptPaused = false
    /// What the server said last; nil: nothing yet.
    var server: Server?
  }

  private enum Server: Equatable {
    case available
    case unavailable(String)
  }

  private let state = Mutex(State())

  func startDrain() { state.withLock { $0.isDraining = true } }

  /// Connections wait because no descriptor is left, or are accepted again.
  func acceptIsPaused(_ isPaused: Bool) { state.withLock { $0.isAcceptPaused = isPaused } }

  /// Notes why the server takes no calls now, or that it does, and logs a change.
  func serverIs(_ fault: String?, _ log: Log) {
    let new = fault.map { Server.unavailable($0) } ?? .available
    let old = state.withLock { state in
      defer { state.server = new }
      return state.server
    }
    guard new != old else { return }
    switch new {
    case .unavailable(let reason): log.write(.serverUnavailable, ["reason": reason])
    case .available: log.write(.serverAvailable)
    }
  }

  /// Why no calls are taken; nil: they are.
  var fault: String? {
    state.withLock { state in
      if state.isDraining { return "draining" }
      if state.isAcceptPaused { return "no descriptor is left for a connection" }
      switch state.server {
      case .available: return nil
      case .unavailable(let reason): return reason
      case nil: return "the server has not answered yet"
      }
    }
  }

  /// Whether the server takes calls.
  var isServerAvailable: Bool { state.withLock { $0.server == .available } }
}
