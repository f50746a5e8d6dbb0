import QuiverWire

/// The limits of a server that services may need to change, each with its default. All others keep
/// theirs.
public struct ServerLimits: Sendable, Equatable {
  /// The largest request or reply, in bytes.
  public var maxMessageBytes = Limits().maxMessageBytes
  /// Calls that may be open at once on a connection.
  public var maxConcurrentStreams = Limits().maxConcurrentStreams
  /// Connections in all.
  public var maxConnections = Limits().maxConnections
  /// Connections of one address.
  public var maxConnectionsPerAddress = Limits().maxConnectionsPerAddress
  /// Connections of one principal.
  public var maxConnectionsPerPrincipal = Limits().maxConnectionsPerPrincipal
  /// What all connections may hold for their peers, in bytes.
  public var processBytes = Limits().processBytes
  /// The part of ``processBytes``, in percent, that one principal may hold.
  public var sharePercent = Limits().sharePercent
  /// What a connection may hold of messages that it has received, in bytes.
  public var heldInputBytes = Limits().heldInputBytes
  /// What a connection may hold of messages that wait to be sent, in bytes.
  public var outputBytes = Limits().outputBytes
  /// How long a peer may take until its caller is known.
  public var handshakeTimeout = Duration.milliseconds(Limits().handshakeTimeoutMilliseconds)
  /// How long a reply may wait for a client that reads nothing.
  public var unreadTimeout = Duration.milliseconds(Limits().unreadTimeoutMilliseconds)
  /// The silence after which a connection is probed.
  public var keepaliveInterval = Duration.milliseconds(Limits().serverKeepaliveMilliseconds)
  /// The age at which a connection is drained, give or take a tenth; zero: none.
  public var connectionAge = Duration.zero
  /// The time without a call after which a connection is drained; zero: none.
  public var connectionIdle = Duration.zero
  /// How long open calls may go on while the server shuts down.
  public var drainTime = Duration.milliseconds(Limits().drainMilliseconds)

  /// Creates limits with their defaults.
  public init() {}

  /// The limits of connections. Throws the first relation that does not hold.
  func limits() throws(ServerError) -> Limits {
    var limits = Limits()
    limits.maxMessageBytes = maxMessageBytes
    limits.reassemblyBytes = max(limits.reassemblyBytes, maxMessageBytes)
    limits.heldInputBytes = max(heldInputBytes, limits.reassemblyBytes)
    limits.maxConcurrentStreams = maxConcurrentStreams
    limits.maxConnections = maxConnections
    limits.maxConnectionsPerAddress = maxConnectionsPerAddress
    limits.maxConnectionsPerPrincipal = maxConnectionsPerPrincipal
    limits.processBytes = processBytes
    limits.sharePercent = sharePercent
    limits.outputBytes = outputBytes
    limits.handshakeTimeoutMilliseconds = Self.milliseconds(handshakeTimeout)
    limits.unreadTimeoutMilliseconds = Self.milliseconds(unreadTimeout)
    limits.serverKeepaliveMilliseconds = Self.milliseconds(keepaliveInterval)
    limits.connectionAgeMilliseconds = Self.milliseconds(connectionAge)
    limits.connectionIdleMilliseconds = Self.milliseconds(connectionIdle)
    limits.drainMilliseconds = Self.milliseconds(drainTime)
    if let fault = limits.validate() { throw ServerError(.limits, fault) }
    return limits
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < Int64(Int32.max) / 1_000 else { return Int(Int32.max) }
    return Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
  }
}
