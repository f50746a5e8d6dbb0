/// A limit of ``GatewayLimits`` that a caller can reach, as metrics and logs name it.
package enum GatewayLimit: Int, Sendable, CaseIterable {
  case connections, connectionsPerAddress
  case headBytes, fields, messageBytes, inflateRatio, conversions, json
  case streams, refusedStreams, resets, queuedFrames, settings
  case openRequests, openRequestsPerAddress, heldBytes, heldBytesPerAddress, waitingCalls, callers,
    unprovenCallers, spectatorCallers, anonymousStreams, anonymousStreamsPerAddress
  case firstRequest, idle, stalledOutput, slowRequest, drain

  /// Words of a-z joined by hyphens; they never change their meaning.
  package var name: String {
    switch self {
    case .connections: "connections"
    case .connectionsPerAddress: "connections-per-address"
    case .headBytes: "head-bytes"
    case .fields: "fields"
    case .messageBytes: "message-bytes"
    case .inflateRatio: "inflate-ratio"
    case .conversions: "conversions"
    case .json: "json"
    case .streams: "streams"
    case .refusedStreams: "refused-streams"
    case .resets: "resets"
    case .queuedFrames: "queued-frames"
    case .settings: "settings"
    case .openRequests: "open-requests"
    case .openRequestsPerAddress: "open-requests-per-address"
    case .heldBytes: "held-bytes"
    case .heldBytesPerAddress: "held-bytes-per-address"
    case .waitingCalls: "waiting-calls"
    case .callers: "callers"
    case .unprovenCallers: "unproven-callers"
    case .spectatorCallers: "spectator-callers"
    case .anonymousStreams: "anonymous-streams"
    case .anonymousStreamsPerAddress: "anonymous-streams-per-address"
    case .firstRequest: "first-request"
    case .idle: "idle"
    case .stalledOutput: "stalled-output"
    case .slowRequest: "slow-request"
    case .drain: "drain"
    }
  }

  /// Whether well-behaved callers reach it too, so that it is counted and not logged.
  package var isOrdinary: Bool { self == .idle || self == .firstRequest }
}
