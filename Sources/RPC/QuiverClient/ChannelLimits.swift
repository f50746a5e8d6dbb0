/// Every limit of a client's connections and retries, in one place, each with its default.
public struct ChannelLimits: Sendable, Equatable {
  // Connections.
  /// The most connections at once, 1 to 256. Each takes as many calls as the server allows on one;
  /// the client opens another one when all are full.
  public var maxConnections = 4
  /// A connection without a call is closed after this time, or up to half of it later; nil: never.
  public var idleTimeout: Duration? = .seconds(300)
  /// The most calls that wait for a connection with room; further ones fail RESOURCE_EXHAUSTED,
  /// not processed.
  public var maxWaitingCalls = 10_000
  /// The delays between connection attempts once every address has failed: gRPC's connection
  /// back-off with shorter delays, since phones change networks and services restart in seconds.
  public var reconnect = Backoff(
    first: .milliseconds(250), multiplier: 1.6, longest: .seconds(30), jitter: 0.2)

  /// How often a ``TokenSource`` is read while there are connections; above zero.
  public var tokenCheckInterval: Duration = .seconds(5)

  // Retries: gRPC's proposal A6.
  /// The most attempts at a call, 1 to 100; 1: no retries but those of calls that no server took.
  public var maxAttempts = 4
  /// The delays between attempts at a call.
  public var retry = Backoff(
    first: .milliseconds(100), multiplier: 2, longest: .seconds(5), jitter: 0.2)
  /// The tokens of the retry budget: each failure that could be retried takes one, and retries are
  /// made only while more than half of them are left.
  public var retryTokens = 10
  /// The share of a token that an answered call gives back.
  public var retryTokensPerSuccess = 0.1

  // Watches.
  /// The delays before a watch whose stream broke off is opened again.
  public var resume = Backoff(
    first: .milliseconds(100), multiplier: 2, longest: .seconds(10), jitter: 0.3)

  /// Creates limits with their defaults.
  public init() {}

  /// The first limit that is out of range, as a sentence; nil: none is.
  package func validate() -> String? {
    let ranges: [(Bool, String)] = [
      (1...256 ~= maxConnections, "maxConnections must be 1 to 256"),
      ((idleTimeout ?? .seconds(1)) > .zero, "idleTimeout must be above zero"),
      (tokenCheckInterval > .zero, "tokenCheckInterval must be above zero"),
      (maxWaitingCalls >= 0, "maxWaitingCalls must be at least 0"),
      (1...100 ~= maxAttempts, "maxAttempts must be 1 to 100"),
      (
        1...1_000_000 ~= retryTokens && 0...1_000 ~= retryTokensPerSuccess,
        "retryTokens must be 1 to 1000000, retryTokensPerSuccess 0 to 1000"
      ),
    ]
    return ranges.first { !$0.0 }?.1
      ?? reconnect.fault("reconnect", shortest: .milliseconds(1))
      ?? retry.fault("retry", shortest: .zero)
      ?? resume.fault("resume", shortest: .milliseconds(1))
  }
}
