/// A limit of `Limits` that a connection or a call has reached.
package enum ReachedLimit: Int, CaseIterable, Sendable {
  case maxFrameBytes, maxMessageBytes, maxConcurrentStreams, initialStreamCredit
  case initialConnectionCredit, handshakeTimeoutMilliseconds, frameTimeoutMilliseconds
  case reassemblyTimeoutMilliseconds, unreadTimeoutMilliseconds, outputStallMilliseconds
  case keepaliveTimeoutMilliseconds, connectionAgeMilliseconds, connectionIdleMilliseconds
  case drainMilliseconds, resetBudget, pingBudget, maxQueuedAnswers, reassemblyBytes
  case heldInputBytes, inflateRatio, outputBytes, anonymousOutputBytes, processBytes, sharePercent

  /// The name of the property of `Limits`.
  package var name: String { "\(self)" }

  /// Whether reaching it is part of a connection's normal life, and not worth a line in the log.
  package var isRoutine: Bool {
    switch self {
    case .connectionAgeMilliseconds, .connectionIdleMilliseconds, .maxQueuedAnswers: true
    default: false
    }
  }
}
