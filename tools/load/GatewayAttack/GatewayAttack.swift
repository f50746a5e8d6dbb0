/// What an attacker of a gateway does. The text is its name in scenario files and reports.
enum GatewayAttack: String, Sendable, CaseIterable {
  /// Sends bodies in chunks that never end, every other one with a token.
  case endlessBodies = "endless-bodies"
  /// Opens streams of HTTP/2, and neither reads nor acknowledges SETTINGS.
  case unreadStreams = "unread-streams"
  /// Opens streams of HTTP/2 with a WINDOW_UPDATE of 0 each.
  case emptyWindowUpdates = "empty-window-updates"
  /// Opens streams of HTTP/2 and resets them.
  case resetStreams = "reset-streams"
  /// Sends a head of HTTP/2 in CONTINUATION frames without an end.
  case endlessHeads = "endless-heads"
  /// Keeps streams open without a token.
  case anonymousStreams = "anonymous-streams"
  /// Calls Health/Check without a token.
  case anonymousCalls = "anonymous-calls"
  /// Sends bodies of some KB, without a token, that take long to inflate or to read.
  case costlyBodies = "costly-bodies"
  /// Watches different windows of a leaderboard with one spectator's token.
  case spectatorWindows = "spectator-windows"
  /// Requests tokens of spectators.
  case spectatorTokens = "spectator-tokens"
  /// Sends heads that two programs could read differently.
  case smuggledHeads = "smuggled-heads"
  /// Speaks TLS, SSH and Quiver's protocol at the gateway.
  case otherProtocols = "other-protocols"
  /// Speaks HTTP and TLS at the server.
  case otherServerProtocols = "other-server-protocols"
  /// Sends a byte of a head a second.
  case slowHeads = "slow-heads"
  /// Sends 100 bytes of a body a second, every other one with a token.
  case slowBodies = "slow-bodies"
  /// Connects and sends nothing.
  case silentConnections = "silent-connections"
  /// Makes one call and keeps the connection.
  case idleConnections = "idle-connections"

  /// Whether it needs a token of its own.
  var needsAccount: Bool { self == .endlessBodies || self == .slowBodies }

  /// Whether it attacks the server, not the gateway before it.
  var reachesServer: Bool { self == .otherServerProtocols }

  /// Connections of one attacker, unless the scenario states another number.
  var usualConnections: Int {
    switch self {
    case .unreadStreams: 1
    case .emptyWindowUpdates, .resetStreams, .endlessHeads, .costlyBodies: 4
    case .smuggledHeads, .otherProtocols, .otherServerProtocols, .spectatorTokens: 8
    case .anonymousCalls: 32
    case .endlessBodies: 64
    case .slowBodies: 100
    case .slowHeads: 200
    case .anonymousStreams: 300
    case .silentConnections: 500
    case .spectatorWindows: 600
    case .idleConnections: 1_100
    }
  }

  /// What one attacker sends a second, in requests or in lots of frames, unless the scenario states
  /// another number.
  var usualRate: Double {
    switch self {
    case .smuggledHeads, .otherProtocols, .otherServerProtocols: 20
    case .costlyBodies: 50
    case .unreadStreams, .emptyWindowUpdates, .resetStreams, .endlessHeads: 200
    case .anonymousStreams, .spectatorWindows, .silentConnections: 300
    case .spectatorTokens, .anonymousCalls: 400
    case .slowHeads, .slowBodies: 400
    case .idleConnections: 500
    case .endlessBodies: 1_000
    }
  }
}

/// An attack on a gateway with its numbers.
struct GatewayAttackSettings: Sendable {
  let attack: GatewayAttack
  /// Connections of one attacker.
  let connections: Int
  /// What one attacker sends a second.
  let rate: Double
  /// The loopback address of its connections: 127.0.0.`address`.
  let address: Int
}
