extension Limits {
  /// The first relation that does not hold, as a sentence; nil if all do.
  package func validate() -> String? {
    let relations = greeting + times + abuse + memory + process
    return relations.first { !$0.holds }?.sentence
  }

  private typealias Relation = (holds: Bool, sentence: String)

  private var greeting: [Relation] {
    [
      (
        maxFrameBytes >= Self.smallestByteField && maxFrameBytes <= Self.largestMaxFrameBytes,
        "max-frame-bytes must be 4096 to 1048576"
      ),
      (
        maxMessageBytes >= Self.smallestByteField && maxMessageBytes <= 1 << 30,
        "max-message-bytes must be 4096 to 1073741824"
      ),
      (maxConcurrentStreams >= 1, "max-concurrent-streams must be at least 1"),
      (
        initialStreamCredit >= UInt64(Self.smallestByteField),
        "initial-stream-credit must be at least 4096"
      ),
      (
        initialConnectionCredit >= initialStreamCredit
          && initialConnectionCredit <= Self.largestCredit / 2,
        "initial-connection-credit must be at least initial-stream-credit, at most 2^62"
      ),
      (
        pingFloorMilliseconds >= 0 && pingFloorMilliseconds <= 10_000,
        "ping-floor-milliseconds must be 0 to 10000"
      ),
    ]
  }

  private var times: [Relation] {
    [
      (
        keepaliveTimeoutMilliseconds > 0 && handshakeTimeoutMilliseconds > 0
          && frameTimeoutMilliseconds > 0 && outputStallMilliseconds > 0
          && reassemblyTimeoutMilliseconds > 0 && lingerMilliseconds > 0
          && drainMilliseconds > 0 && drainRoundTripMilliseconds > 0
          && longestTimeoutMilliseconds > 0 && unreadTimeoutMilliseconds > 0,
        "timeouts must be at least 1 ms"
      ),
      (
        clientKeepaliveMilliseconds >= max(1, pingFloorMilliseconds),
        "client-keepalive-milliseconds must be at least ping-floor-milliseconds"
      ),
      (
        serverKeepaliveMilliseconds >= max(1, pingFloorMilliseconds),
        "server-keepalive-milliseconds must be at least ping-floor-milliseconds"
      ),
      (
        connectionAgeMilliseconds >= 0 && connectionIdleMilliseconds >= 0
          && anonymousIdleMilliseconds >= 0,
        "connection-age-milliseconds, connection-idle-milliseconds and"
          + " anonymous-idle-milliseconds must be 0 or more"
      ),
      (
        minimumReceiveRate >= 0 && minimumReceiveRate <= 1 << 30,
        "minimum-receive-rate must be 0 to 1073741824"
      ),
    ]
  }

  private var abuse: [Relation] {
    [
      (resetBudget > 0 && pingBudget > 0, "budgets must be at least 1"),
      (
        resetWindowMilliseconds > 0 && pingWindowMilliseconds > 0,
        "the windows of budgets must be at least 1 ms"
      ),
      (maxQueuedAnswers >= 1, "max-queued-answers must be at least 1"),
      (
        maxFailedTokensPerMinute >= 1 && maxFailedInvitesPerMinute >= 1,
        "max-failed-tokens-per-minute and max-failed-invites-per-minute must be at least 1"
      ),
      (
        inflateRatio >= Self.safeInflateRatio,
        "inflate-ratio must be at least \(Self.safeInflateRatio), which every sender may use"
      ),
    ]
  }

  private var memory: [Relation] {
    [
      (
        reassemblyBytes >= maxMessageBytes,
        "reassembly-bytes must hold one message of max-message-bytes"
      ),
      (heldInputBytes >= reassemblyBytes, "held-input-bytes must be at least reassembly-bytes"),
      (
        compressFromBytes >= 64 && compressFromBytes <= 1 << 30,
        "compress-from-bytes must be 64 to 1073741824"
      ),
      (outputBytes >= outputHighWater, "output-bytes must be at least output-high-water"),
      (
        anonymousOutputBytes >= Self.smallestByteField && anonymousOutputBytes <= outputBytes,
        "anonymous-output-bytes must be at least 4096, at most output-bytes"
      ),
      (
        streamOutputBytes >= Self.smallestByteField && streamOutputBytes <= outputBytes,
        "stream-output-bytes must be at least 4096, at most output-bytes"
      ),
      (
        outputHighWater >= Self.smallestByteField,
        "output-high-water must be at least 4096"
      ),
      (readTurnBytes >= Self.smallestByteField, "read-turn-bytes must be at least 4096"),
      (maxWaitingCalls >= 1, "max-waiting-calls must be at least 1"),
    ]
  }

  private var process: [Relation] {
    [
      (
        processBytes >= outputBytes && processBytes >= heldInputBytes,
        "process-bytes must be at least output-bytes and held-input-bytes"
      ),
      (
        (1...100).contains(sharePercent) && shareBytes >= maxMessageBytes,
        "share-percent must be 1 to 100, and that part of process-bytes must hold one message of"
          + " max-message-bytes"
      ),
      (
        maxConnectionsPerPrincipal >= 1 && maxAnonymousConnectionsPerAddress >= 1,
        "max-connections-per-principal and max-anonymous-connections-per-address must be at least 1"
      ),
      (
        maxConnections >= 1 && maxConnectionsPerAddress >= 1 && maxRejectedConnections >= 1,
        "max-connections, max-connections-per-address and max-rejected-connections must be at"
          + " least 1"
      ),
      (
        maxUnfinishedHandshakes >= 1 && maxUnfinishedHandshakesPerAddress >= 1,
        "max-unfinished-handshakes and max-unfinished-handshakes-per-address must be at least 1"
      ),
    ]
  }
}
