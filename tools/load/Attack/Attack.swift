/// What an attacker does. The text is its name in scenario files and reports.
enum Attack: String, Sendable, CaseIterable {
  /// Opens watches and never reads them, while large imports change what they watch.
  case unreadWatches = "unread-watches"
  /// Requests large replies and never reads them.
  case unreadExports = "unread-exports"
  /// Sends messages of 4 MB nearly to their end, then 1 KiB every 30 s.
  case unfinishedMessages = "unfinished-messages"
  /// Connects with tokens that do not exist.
  case wrongTokens = "wrong-tokens"
  /// Redeems invites and joins events by codes that do not exist.
  case wrongCodes = "wrong-codes"
  /// Opens connections without a token, and makes no calls.
  case anonymousConnections = "anonymous-connections"
  /// Stores notes of the largest size.
  case bulkStoring = "bulk-storing"
  /// Creates items on many connections, many calls at a time.
  case pipelinedCreates = "pipelined-creates"
  /// Creates events and watches the leaderboard of each.
  case leaderboardTopics = "leaderboard-topics"
  /// Opens as many watches of changes as the server accepts, and changes what they show.
  case changeListeners = "change-listeners"
  /// Connects, sends the first bytes of a handshake, and waits.
  case halfOpenHandshakes = "half-open-handshakes"

  /// Whether it needs a token of its own.
  var needsAccount: Bool {
    switch self {
    case .wrongTokens, .anonymousConnections, .halfOpenHandshakes: false
    default: true
    }
  }

  /// Connections of one attacker, unless the scenario states another number.
  var usualConnections: Int {
    switch self {
    case .unreadWatches, .unreadExports: 10
    case .unfinishedMessages: 27
    case .wrongTokens, .wrongCodes, .bulkStoring: 4
    case .anonymousConnections: 20_000
    case .pipelinedCreates, .changeListeners: 100
    case .leaderboardTopics: 11
    case .halfOpenHandshakes: 2_000
    }
  }

  /// Open calls of one connection, unless the scenario states another number.
  var usualCalls: Int {
    switch self {
    case .unreadWatches, .leaderboardTopics, .changeListeners: 100
    case .unreadExports: 40
    case .unfinishedMessages: 4
    case .pipelinedCreates: 20
    case .wrongCodes, .bulkStoring: 2
    case .wrongTokens, .anonymousConnections, .halfOpenHandshakes: 0
    }
  }
}

/// An attack with its numbers.
struct AttackSettings: Sendable {
  let attack: Attack
  /// Connections of one attacker.
  let connections: Int
  /// Open calls of one connection.
  let calls: Int
  /// Loopback addresses from which the connections come, 127.0.0.1 and those after it; only if the
  /// server is reached by a loopback address of IPv4.
  let addresses: Int
}
