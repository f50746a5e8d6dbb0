import QuiverWire

/// One field of ``Limits`` as a flag.
struct LimitFlag: Sendable {
  let name: String
  private let help: String
  private let get: @Sendable (Limits) -> UInt64
  private let set: @Sendable (UInt64, inout Limits) -> Void
  private let largest: UInt64

  /// No limit of a connection needs more, and no arithmetic on milliseconds or bytes comes near its
  /// end with it.
  private static let largest: UInt64 = 0x7FFF_FFFF
  /// What a process may hold: a tebibyte.
  private static let largestProcess: UInt64 = 1 << 40

  init<Value: FixedWidthInteger & Sendable>(
    _ name: String, _ field: any WritableKeyPath<Limits, Value> & Sendable, _ help: String,
    largest: UInt64 = largest
  ) {
    self.name = name
    self.largest = largest
    self.help = help
    get = { UInt64(clamping: $0[keyPath: field]) }
    set = { $1[keyPath: field] = Value(clamping: $0) }
  }

  var flag: Flag {
    Flag("--" + name, "N", "\(help); \(get(Limits())) if not given") {
      (text, configuration) throws(UsageError) in
      guard let value = UInt64(text), value <= largest else {
        throw UsageError("--\(name) wants a number from 0 to \(largest)")
      }
      set(value, &configuration.limits)
    }
  }

  static let all = offered + time + abuse + memory

  private static let offered = [
    LimitFlag("max-frame-bytes", \.maxFrameBytes, "payload of a frame, 4096 to 1048576"),
    LimitFlag("max-message-bytes", \.maxMessageBytes, "size of a message"),
    LimitFlag("max-concurrent-streams", \.maxConcurrentStreams, "open calls of a connection"),
    LimitFlag("initial-stream-credit", \.initialStreamCredit, "window of a stream, in bytes"),
    LimitFlag(
      "initial-connection-credit", \.initialConnectionCredit, "window of a connection, in bytes"),
    LimitFlag(
      "ping-floor-milliseconds", \.pingFloorMilliseconds, "clients should not ping more often"),
  ]

  private static let time = [
    LimitFlag(
      "handshake-timeout-milliseconds", \.handshakeTimeoutMilliseconds, "time for a HELLO"),
    LimitFlag("frame-timeout-milliseconds", \.frameTimeoutMilliseconds, "time for a frame"),
    LimitFlag(
      "reassembly-timeout-milliseconds", \.reassemblyTimeoutMilliseconds,
      "an incomplete message may gain nothing for so long"),
    LimitFlag(
      "output-stall-milliseconds", \.outputStallMilliseconds,
      "output may make no progress for so long"),
    LimitFlag(
      "client-keepalive-milliseconds", \.clientKeepaliveMilliseconds,
      "a client pings after so much silence"),
    LimitFlag(
      "server-keepalive-milliseconds", \.serverKeepaliveMilliseconds,
      "the server pings after so much silence"),
    LimitFlag(
      "keepalive-timeout-milliseconds", \.keepaliveTimeoutMilliseconds, "time for a ping's answer"),
    LimitFlag(
      "drain-round-trip-milliseconds", \.drainRoundTripMilliseconds,
      "a drain waits so long for its ping"),
    LimitFlag(
      "connection-age-milliseconds", \.connectionAgeMilliseconds,
      "a connection of this age is drained, give or take a tenth (0: none is)"),
    LimitFlag(
      "connection-idle-milliseconds", \.connectionIdleMilliseconds,
      "a connection without a call for so long is drained, give or take a tenth (0: none is)"),
    LimitFlag(
      "anonymous-idle-milliseconds", \.anonymousIdleMilliseconds,
      "an anonymous connection without a call for this long is drained (0: none is)"),
    LimitFlag(
      "minimum-receive-rate", \.minimumReceiveRate,
      "bytes a second at which an incomplete message must come (0: no limit)"),
    LimitFlag(
      "unread-timeout-milliseconds", \.unreadTimeoutMilliseconds,
      "time that queued messages of a call may wait for credit"),
    LimitFlag("drain-milliseconds", \.drainMilliseconds, "open calls may go on so long in a drain"),
    LimitFlag(
      "linger-milliseconds", \.lingerMilliseconds, "a closing connection discards input so long"),
    LimitFlag(
      "longest-timeout-milliseconds", \.longestTimeoutMilliseconds,
      "a longer timeout of a call is read as this"),
  ]

  private static let abuse = [
    LimitFlag("reset-budget", \.resetBudget, "cancels and provoked errors in a window"),
    LimitFlag("reset-window-milliseconds", \.resetWindowMilliseconds, "that window"),
    LimitFlag("ping-budget", \.pingBudget, "pings below the floor in a window"),
    LimitFlag("ping-window-milliseconds", \.pingWindowMilliseconds, "that window"),
    LimitFlag(
      "max-queued-answers", \.maxQueuedAnswers, "answers to pings and statuses that may wait"),
    LimitFlag(
      "max-failed-tokens-per-minute", \.maxFailedTokensPerMinute, "refused tokens of an address"),
    LimitFlag(
      "max-failed-invites-per-minute", \.maxFailedInvitesPerMinute,
      "refused codes of invites of an address"),
  ]

  private static let memory = [
    LimitFlag("reassembly-bytes", \.reassemblyBytes, "incomplete messages of a connection"),
    LimitFlag(
      "held-input-bytes", \.heldInputBytes, "those, and messages of a connection not taken yet"),
    LimitFlag("compress-from-bytes", \.compressFromBytes, "smaller messages are not compressed"),
    LimitFlag(
      "inflate-ratio", \.inflateRatio,
      "a compressed message may inflate to so many times its size"),
    LimitFlag(
      "process-bytes", \.processBytes,
      "what all connections may hold; new calls are refused from"
        + " \(Limits.refusingPercent) % of it on", largest: largestProcess),
    LimitFlag(
      "share-percent", \.sharePercent,
      "part of process-bytes that one principal or one anonymous address may hold"),
    LimitFlag("output-high-water", \.outputHighWater, "framed output of a connection, in bytes"),
    LimitFlag(
      "stream-output-bytes", \.streamOutputBytes, "queued messages of a stream, in bytes"),
    LimitFlag(
      "output-bytes", \.outputBytes, "output of a connection, after which calls are refused"),
    LimitFlag(
      "anonymous-output-bytes", \.anonymousOutputBytes, "the same where nobody is known"),
    LimitFlag("max-waiting-calls", \.maxWaitingCalls, "calls of a client that wait for a stream"),
    LimitFlag("read-turn-bytes", \.readTurnBytes, "bytes that one read takes from a connection"),
    LimitFlag("max-connections", \.maxConnections, "connections in all"),
    LimitFlag(
      "max-connections-per-address", \.maxConnectionsPerAddress, "connections of an address"),
    LimitFlag(
      "max-connections-per-principal", \.maxConnectionsPerPrincipal, "connections of a principal"),
    LimitFlag(
      "max-anonymous-connections-per-address", \.maxAnonymousConnectionsPerAddress,
      "anonymous connections of an address or an IPv6 /64"),
    LimitFlag(
      "max-rejected-connections", \.maxRejectedConnections,
      "callers without room who are told so at once"),
    LimitFlag(
      "max-unfinished-handshakes", \.maxUnfinishedHandshakes,
      "TLS handshakes that are not over; one more ends the oldest"),
    LimitFlag(
      "max-unfinished-handshakes-per-address", \.maxUnfinishedHandshakesPerAddress,
      "the same of an address, where one more is refused"),
  ]
}
