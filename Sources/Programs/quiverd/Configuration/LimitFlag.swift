import QuiverCommandLine
import QuiverWire

/// One field of ``Limits`` as a flag.
struct LimitFlag: Sendable {
  let name: String
  private let help: String
  private let get: @Sendable (Limits) -> UInt64
  private let set: @Sendable (UInt64, inout Limits) -> Void
  private let largest: UInt64

  /// Enough for each limit of a connection; arithmetic on milliseconds or bytes cannot overflow.
  private static let largest: UInt64 = 0x7FFF_FFFF
  /// The largest memory limit of a process: one tebibyte.
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

  /// Copies the value.
  func copy(from source: Limits, to target: inout Limits) { set(get(source), &target) }

  /// Whether new connections of a running server take a new value.
  private var isReloadable: Bool { !Self.fixed.contains(name) }

  /// Limits of the process and of its event loops.
  private static let fixed: Set = [
    "process-bytes", "share-percent", "read-turn-bytes", "max-unfinished-handshakes",
    "max-failed-tokens-per-minute", "max-failed-invites-per-minute",
  ]

  var flag: Flag {
    Flag(
      "--" + name, "N", "\(help); default \(get(Limits()))", isReloadable ? .reloadable : []
    ) {
      (text, configuration) throws(UsageError) in
      guard let value = UInt64(text), value <= largest else {
        throw UsageError("--\(name) requires a number from 0 to \(largest)")
      }
      set(value, &configuration.limits)
    }
    .shown { ["\(get($0.limits))"] }
  }

  static let all = offered + time + abuse + memory

  private static let offered = [
    LimitFlag("max-frame-bytes", \.maxFrameBytes, "largest payload of a frame, 4096 to 1048576"),
    LimitFlag("max-message-bytes", \.maxMessageBytes, "largest size of a message"),
    LimitFlag("max-concurrent-streams", \.maxConcurrentStreams, "open calls of a connection"),
    LimitFlag("initial-stream-credit", \.initialStreamCredit, "window of a stream, in bytes"),
    LimitFlag(
      "initial-connection-credit", \.initialConnectionCredit, "window of a connection, in bytes"),
    LimitFlag(
      "ping-floor-milliseconds", \.pingFloorMilliseconds, "shortest interval of a client's pings"),
  ]

  private static let time = [
    LimitFlag(
      "handshake-timeout-milliseconds", \.handshakeTimeoutMilliseconds, "time for a HELLO"),
    LimitFlag("frame-timeout-milliseconds", \.frameTimeoutMilliseconds, "time for a frame"),
    LimitFlag(
      "reassembly-timeout-milliseconds", \.reassemblyTimeoutMilliseconds,
      "longest time without progress of an incomplete message"),
    LimitFlag(
      "output-stall-milliseconds", \.outputStallMilliseconds,
      "longest time without progress of the output"),
    LimitFlag(
      "client-keepalive-milliseconds", \.clientKeepaliveMilliseconds,
      "silence after which a client pings"),
    LimitFlag(
      "server-keepalive-milliseconds", \.serverKeepaliveMilliseconds,
      "silence after which the server pings"),
    LimitFlag(
      "keepalive-timeout-milliseconds", \.keepaliveTimeoutMilliseconds,
      "time for the reply to a ping"),
    LimitFlag(
      "drain-round-trip-milliseconds", \.drainRoundTripMilliseconds,
      "time that a drain waits for its ping"),
    LimitFlag(
      "connection-age-milliseconds", \.connectionAgeMilliseconds,
      "age at which a connection is drained, with a jitter of a tenth (0: never)"),
    LimitFlag(
      "connection-idle-milliseconds", \.connectionIdleMilliseconds,
      "time without a call after which a connection is drained, with a jitter of a tenth (0: never)"
    ),
    LimitFlag(
      "anonymous-idle-milliseconds", \.anonymousIdleMilliseconds,
      "time without a call after which an anonymous connection is drained (0: never)"),
    LimitFlag(
      "minimum-receive-rate", \.minimumReceiveRate,
      "lowest rate of an incomplete message in bytes per second (0: no limit)"),
    LimitFlag(
      "unread-timeout-milliseconds", \.unreadTimeoutMilliseconds,
      "time that queued messages of a call may wait for credit"),
    LimitFlag("drain-milliseconds", \.drainMilliseconds, "time for open calls during a drain"),
    LimitFlag(
      "linger-milliseconds", \.lingerMilliseconds,
      "time that a closing connection reads and discards input"),
    LimitFlag(
      "longest-timeout-milliseconds", \.longestTimeoutMilliseconds,
      "longest timeout of a call; longer ones are reduced to it"),
  ]

  private static let abuse = [
    LimitFlag("reset-budget", \.resetBudget, "cancelled calls and provoked errors per window"),
    LimitFlag("reset-window-milliseconds", \.resetWindowMilliseconds, "length of that window"),
    LimitFlag("ping-budget", \.pingBudget, "pings below the shortest interval per window"),
    LimitFlag("ping-window-milliseconds", \.pingWindowMilliseconds, "length of that window"),
    LimitFlag(
      "max-queued-answers", \.maxQueuedAnswers, "queued replies to pings and queued statuses"),
    LimitFlag(
      "max-failed-tokens-per-minute", \.maxFailedTokensPerMinute, "refused tokens per address"),
    LimitFlag(
      "max-failed-invites-per-minute", \.maxFailedInvitesPerMinute,
      "wrong invite codes per caller"),
  ]

  private static let memory = [
    LimitFlag("reassembly-bytes", \.reassemblyBytes, "incomplete messages of a connection"),
    LimitFlag(
      "held-input-bytes", \.heldInputBytes,
      "those, and messages of a connection that no handler has read"),
    LimitFlag("compress-from-bytes", \.compressFromBytes, "smaller messages are not compressed"),
    LimitFlag(
      "inflate-ratio", \.inflateRatio,
      "largest factor by which a compressed message may grow"),
    LimitFlag(
      "process-bytes", \.processBytes,
      "memory of all connections; new calls are refused above"
        + " \(Limits.refusingPercent) % of it", largest: largestProcess),
    LimitFlag(
      "share-percent", \.sharePercent,
      "percentage of process-bytes for one principal or one anonymous address"),
    LimitFlag("output-high-water", \.outputHighWater, "framed output of a connection, in bytes"),
    LimitFlag(
      "stream-output-bytes", \.streamOutputBytes, "queued messages of a stream, in bytes"),
    LimitFlag(
      "output-bytes", \.outputBytes, "queued output of a connection above which calls are refused"),
    LimitFlag(
      "anonymous-output-bytes", \.anonymousOutputBytes, "the same for an anonymous connection"),
    LimitFlag(
      "max-waiting-calls", \.maxWaitingCalls, "calls of a client that may wait for a stream"),
    LimitFlag("read-turn-bytes", \.readTurnBytes, "largest number of bytes of one read"),
    LimitFlag("max-connections", \.maxConnections, "all connections"),
    LimitFlag(
      "max-connections-per-address", \.maxConnectionsPerAddress, "connections per address"),
    LimitFlag(
      "max-connections-per-principal", \.maxConnectionsPerPrincipal, "connections per principal"),
    LimitFlag(
      "max-anonymous-connections-per-address", \.maxAnonymousConnectionsPerAddress,
      "anonymous connections per address or IPv6 /64"),
    LimitFlag(
      "max-rejected-connections", \.maxRejectedConnections,
      "refused connections that receive a GOAWAY with the reason"),
    LimitFlag(
      "max-unfinished-handshakes", \.maxUnfinishedHandshakes,
      "unfinished TLS handshakes; one more ends the oldest of the address that has most"),
    LimitFlag(
      "max-unfinished-handshakes-per-address", \.maxUnfinishedHandshakesPerAddress,
      "the same per address; one more ends the oldest of the address"),
  ]
}
