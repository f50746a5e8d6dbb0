import QuiverDispatch
import QuiverMetrics
import QuiverRPC
import QuiverWire
import Synchronization

/// Counts refusals and failures of connections by their reasons. From any thread.
final class ConnectionCounts: Sendable {
  private struct State {
    var refusals: [String: UInt64] = [:]
    var errors: [String: UInt64] = [:]
    var securityFailures: [String: UInt64] = [:]
    var authenticationFailures: UInt64 = 0
  }

  private let state = Mutex(State())
  private static let refusalReasons = [
    "no-room", "principal-connections", "made-room", "memory-reclaimed",
  ]

  func record(_ event: Server.LimitEvent) {
    let reason =
      switch event {
      case .connectionRefused: "no-room"
      case .principalRefused: "principal-connections"
      case .anonymousClosed: "made-room"
      case .memoryReclaimed: "memory-reclaimed"
      }
    state.withLock { $0.refusals[reason, default: 0] += 1 }
  }

  func record(_ error: SecureChannelError) {
    state.withLock { $0.securityFailures[error.code.name, default: 0] += 1 }
  }

  func record(_ occurrence: ServerOccurrence) {
    switch occurrence {
    case .connectionFailed(let code, _):
      state.withLock { $0.errors[code.name, default: 0] += 1 }
    case .authenticationFailed: state.withLock { $0.authenticationFailures += 1 }
    case .callEnded, .limitReached: break
    }
  }

  var refusals: [MetricSeries] {
    let counts = state.withLock { $0.refusals }
    return Self.refusalReasons.map {
      MetricSeries([("reason", $0)], value: Double(counts[$0] ?? 0))
    }
  }

  var errors: [MetricSeries] {
    let counts = state.withLock { $0.errors }
    return ConnectionErrorCode.known.filter { $0 != .noError }.map {
      MetricSeries([("code", $0.name)], value: Double(counts[$0.name] ?? 0))
    }
  }

  var securityFailures: [MetricSeries] {
    let counts = state.withLock { $0.securityFailures }
    return counts.sorted { $0.key < $1.key }.map {
      MetricSeries([("reason", $0.key)], value: Double($0.value))
    }
  }

  var authenticationFailures: Double { state.withLock { Double($0.authenticationFailures) } }
}
