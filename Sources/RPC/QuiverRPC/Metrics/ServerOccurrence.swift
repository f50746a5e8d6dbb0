package import QuiverWire

/// Something on a server's connection that is reported to operators.
package enum ServerOccurrence: Sendable {
  /// A call ended slowly, by a fault of the server, or was sampled for the access log.
  case callEnded(EndedCall)
  case limitReached(ReachedLimit)
  /// The token, the certificate or the principal of a connection was refused.
  case authenticationFailed(reason: String)
  /// The server ended the connection for a fault of the peer or of the protocol.
  case connectionFailed(ConnectionErrorCode, reason: String)
}

/// How a call ended, for the log.
package struct EndedCall: Sendable {
  package let method: String
  package let code: StatusCode
  /// The message of its status; empty: it ended OK.
  package let message: String
  /// The time that its server took, in nanoseconds.
  package let nanoseconds: UInt64
  /// The calls of one method that were answered at once and timed together; mostly 1.
  package let count: Int
  /// W3C's trace context, 25 bytes; empty if the caller sent none.
  package let traceparent: [UInt8]
  /// The call took as long as a slow one, or longer.
  package let isSlow: Bool
  /// The call is one of those that the access log shows.
  package let isSampled: Bool

  /// The call ended because the server has a defect or lost data.
  package var isServerFault: Bool { CallMetrics.isServerFault(code) }
}
