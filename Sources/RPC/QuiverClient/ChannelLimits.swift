/// Every limit of a client's connections and retries, in one place, each with its default.
public struct ChannelLimits: Sendable, Equatable {
  // Connections.
  /// Connections at once, of which each takes as many calls as the server allows on one: another
  /// is opened when all are full, up to this number.
  public var maxConnections = 4
  /// A connection without a call is closed after this time, or up to half of it later; nil: never.
  public var idleTimeout: Duration? = .seconds(300)
  /// Calls that wait for a connection with room; more fail RESOURCE_EXHAUSTED, not processed.
  public var maxWaitingCalls = 10_000

  // Connecting again: gRPC's connection back-off with quicker numbers, since phones change networks
  // and services restart in seconds.
  /// The wait after every address has failed once.
  public var firstReconnect: Duration = .milliseconds(250)
  public var reconnectMultiplier = 1.6
  public var longestReconnect: Duration = .seconds(30)
  /// Each wait is longer or shorter by up to this share, so that clients do not come back at once.
  public var reconnectJitter = 0.2

  // Retries: gRPC's proposal A6.
  /// Attempts at a call in all; 1: none is made again, but for those that cost nothing.
  public var maxAttempts = 4
  /// The wait before the second attempt.
  public var firstRetry: Duration = .milliseconds(100)
  public var retryMultiplier = 2.0
  public var longestRetry: Duration = .seconds(5)
  public var retryJitter = 0.2
  /// The retry budget: each failure that might be retried takes a token, and retries are made only
  /// while more than half of the tokens are there.
  public var retryTokens = 10
  /// What an answered call gives back of a token.
  public var retryTokensPerSuccess = 0.1

  public init() {}

  /// The first limit that cannot be, as a sentence; nil if all can.
  package func validate() -> String? {
    let relations: [(Bool, String)] = [
      (1...256 ~= maxConnections, "maxConnections must be 1 to 256"),
      ((idleTimeout ?? .seconds(1)) > .zero, "idleTimeout must be above zero"),
      (maxWaitingCalls >= 0, "maxWaitingCalls must be at least 0"),
      (
        firstReconnect >= .milliseconds(1) && longestReconnect >= firstReconnect,
        "firstReconnect must be at least 1 ms, longestReconnect at least that"
      ),
      (
        firstRetry >= .zero && longestRetry >= firstRetry,
        "firstRetry must be at least zero, longestRetry at least that"
      ),
      (
        1...100 ~= reconnectMultiplier && 1...100 ~= retryMultiplier,
        "multipliers must be 1 to 100"
      ),
      (0...1 ~= reconnectJitter && 0...1 ~= retryJitter, "jitters must be 0 to 1"),
      (1...100 ~= maxAttempts, "maxAttempts must be 1 to 100"),
      (
        1...1_000_000 ~= retryTokens && 0...1_000 ~= retryTokensPerSuccess,
        "retryTokens must be 1 to 1000000, retryTokensPerSuccess 0 to 1000"
      ),
    ]
    return relations.first { !$0.0 }?.1
  }
}
