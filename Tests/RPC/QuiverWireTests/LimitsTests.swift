import QuiverWire
import Testing

@Suite("The limits", .timeLimit(.minutes(5)))
struct LimitsTests {
  struct Violation: Sendable, CustomTestStringConvertible {
    var words: String
    var change: @Sendable (inout Limits) -> Void
    var testDescription: String { words }
  }

  static let violations: [Violation] = [
    Violation(words: "max-frame-bytes") { $0.maxFrameBytes = 4_095 },
    Violation(words: "max-frame-bytes") { $0.maxFrameBytes = 1_048_577 },
    Violation(words: "max-message-bytes") { $0.maxMessageBytes = 4_095 },
    Violation(words: "max-message-bytes") { $0.maxMessageBytes = (1 << 30) + 1 },
    Violation(words: "max-concurrent-streams") { $0.maxConcurrentStreams = 0 },
    Violation(words: "initial-stream-credit") { $0.initialStreamCredit = 4_095 },
    Violation(words: "initial-connection-credit") {
      $0.initialConnectionCredit = $0.initialStreamCredit - 1
    },
    Violation(words: "initial-connection-credit") { $0.initialConnectionCredit = 1 << 63 },
    Violation(words: "reassembly-bytes") { $0.reassemblyBytes = $0.maxMessageBytes - 1 },
    Violation(words: "output-bytes") { $0.outputBytes = $0.outputHighWater - 1 },
    Violation(words: "stream-output-bytes") { $0.streamOutputBytes = 4_095 },
    Violation(words: "stream-output-bytes") { $0.streamOutputBytes = $0.outputBytes + 1 },
    Violation(words: "output-high-water") { $0.outputHighWater = 4_095 },
    Violation(words: "read-turn-bytes") { $0.readTurnBytes = 4_095 },
    Violation(words: "max-queued-answers") { $0.maxQueuedAnswers = 0 },
    Violation(words: "budgets") { $0.resetBudget = 0 },
    Violation(words: "budgets") { $0.pingBudget = 0 },
    Violation(words: "timeouts") { $0.keepaliveTimeoutMilliseconds = 0 },
    Violation(words: "timeouts") { $0.handshakeTimeoutMilliseconds = 0 },
    Violation(words: "timeouts") { $0.frameTimeoutMilliseconds = -1 },
    Violation(words: "timeouts") { $0.outputStallMilliseconds = 0 },
    Violation(words: "ping-floor") { $0.pingFloorMilliseconds = 10_001 },
    Violation(words: "ping-floor") { $0.pingFloorMilliseconds = -1 },
    Violation(words: "timeouts") { $0.reassemblyTimeoutMilliseconds = 0 },
    Violation(words: "timeouts") { $0.lingerMilliseconds = 0 },
    Violation(words: "timeouts") { $0.drainMilliseconds = 0 },
    Violation(words: "timeouts") { $0.drainRoundTripMilliseconds = 0 },
    Violation(words: "timeouts") { $0.longestTimeoutMilliseconds = 0 },
    Violation(words: "client-keepalive") { $0.clientKeepaliveMilliseconds = 9_999 },
    Violation(words: "server-keepalive") { $0.serverKeepaliveMilliseconds = 9_999 },
    Violation(words: "connection-age") { $0.connectionAgeMilliseconds = -1 },
    Violation(words: "connection-age") { $0.connectionIdleMilliseconds = -1 },
    Violation(words: "the windows of budgets") { $0.resetWindowMilliseconds = 0 },
    Violation(words: "the windows of budgets") { $0.pingWindowMilliseconds = 0 },
    Violation(words: "max-failed-tokens") { $0.maxFailedTokensPerMinute = 0 },
    Violation(words: "max-failed-tokens") { $0.maxFailedInvitesPerMinute = 0 },
    Violation(words: "inflate-ratio") { $0.inflateRatio = 99 },
    Violation(words: "held-input-bytes") { $0.heldInputBytes = $0.reassemblyBytes - 1 },
    Violation(words: "compress-from-bytes") { $0.compressFromBytes = 63 },
    Violation(words: "anonymous-output-bytes") { $0.anonymousOutputBytes = 4_095 },
    Violation(words: "anonymous-output-bytes") { $0.anonymousOutputBytes = $0.outputBytes + 1 },
    Violation(words: "max-waiting-calls") { $0.maxWaitingCalls = 0 },
    Violation(words: "process-bytes") { $0.processBytes = $0.heldInputBytes - 1 },
    Violation(words: "max-connections") { $0.maxRejectedConnections = 0 },
    Violation(words: "max-connections") { $0.maxConnections = 0 },
    Violation(words: "max-connections") { $0.maxConnectionsPerAddress = 0 },
    Violation(words: "share-percent") { $0.sharePercent = 0 },
    Violation(words: "share-percent") { $0.sharePercent = 101 },
    Violation(words: "minimum-receive-rate") { $0.minimumReceiveRate = -1 },
    Violation(words: "timeouts") { $0.unreadTimeoutMilliseconds = 0 },
    Violation(words: "connection-age") { $0.anonymousIdleMilliseconds = -1 },
    Violation(words: "max-connections-per-principal") { $0.maxConnectionsPerPrincipal = 0 },
    Violation(words: "max-connections-per-principal") {
      $0.maxAnonymousConnectionsPerAddress = 0
    },
  ]

  @Test("The defaults are consistent and equal those of the protocol")
  func defaults() {
    let limits = Limits()
    #expect(limits.validate() == nil)
    #expect(limits.maxFrameBytes == 16_384)
    #expect(limits.maxMessageBytes == 4_194_304)
    #expect(limits.maxConcurrentStreams == 100)
    #expect(limits.initialStreamCredit == 65_536)
    #expect(limits.initialConnectionCredit == 1_048_576)
  }

  @Test("Anonymous connections have the limits in the table's last column")
  func anonymous() {
    let limits = Limits.anonymous
    #expect(limits.validate() == nil)
    #expect(limits.maxFrameBytes == 4_096)
    #expect(limits.maxMessageBytes == 4_096)
    #expect(limits.maxConcurrentStreams == 1)
    #expect(limits.initialStreamCredit == 16_384)
    #expect(limits.initialConnectionCredit == 16_384)
  }

  @Test("Each violated relation is named", arguments: violations)
  func violated(_ violation: Violation) throws {
    var limits = Limits()
    violation.change(&limits)
    let sentence = try #require(limits.validate())
    #expect(sentence.hasPrefix(violation.words), "\(sentence)")
  }
}
