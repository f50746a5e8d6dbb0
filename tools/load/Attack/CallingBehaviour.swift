import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Keeps a number of calls open on each connection.
final class CallingBehaviour: AttackBehaviour {
  /// A method and how its requests are made.
  struct Source {
    let method: UInt32
    let isStream: Bool
    let tally: Tally
    /// Whether the reply names an event whose leaderboard is watched next.
    var createsTopic = false
    let request: (inout SplitMix64) -> [UInt8]
  }

  private let settings: AttackSettings
  private let token: String?
  private let sources: [Source]
  /// What the first connection does instead: it changes what the others watch.
  private let changes: Source?
  /// Watches the leaderboard of an event by its id.
  private let topics: ((Int64) -> Source)?
  private var random: SplitMix64
  private var waiting: [Int: [Int64]] = [:]

  /// Between two calls in place of those that have ended, in nanoseconds.
  private static let interval: UInt64 = 20_000_000

  init(
    _ settings: AttackSettings, token: String?, sources: [Source], changes: Source? = nil,
    topics: ((Int64) -> Source)? = nil, _ random: SplitMix64
  ) {
    self.settings = settings
    self.token = token
    self.sources = sources
    self.changes = changes
    self.topics = topics
    self.random = random
  }

  /// Whether replies are never read: then a call ends only by the server.
  private var isUnread: Bool {
    settings.attack == .unreadWatches || settings.attack == .unreadExports
  }

  func hello(_ peer: AttackPeer) -> Hello? {
    let isReader = !isUnread || isChanging(peer)
    return .attacker(
      token: token, streamCredit: isReader ? Hello.unlimitedCredit : Hello.tinyCredit)
  }

  func opened(_ peer: AttackPeer) {
    // Every fourth one does not even read its socket.
    if isUnread, !isChanging(peer), peer.number % 4 == 3 { peer.reads = false }
  }

  private func isChanging(_ peer: AttackPeer) -> Bool { changes != nil && peer.number == 0 }

  func turn(_ peer: AttackPeer, _ now: UInt64) {
    for ending in peer.endings where ending.code == .ok { succeeded(ending, peer) }
    peer.endings = []
    guard now >= peer.nextTurn else { return }
    peer.nextTurn = now + Self.interval
    if isChanging(peer), let changes {
      if peer.calls.isEmpty { start(changes, peer) }
      return
    }
    while let topics, let event = waiting[peer.number]?.popLast() { start(topics(event), peer) }
    // An event is created when there is room for the watch of its leaderboard.
    let isCreating = topics != nil && peer.calls.values.contains { !$0.isStream }
    while !isCreating, peer.calls.count < settings.calls {
      guard let source = sources.randomElement(using: &random) else { return }
      start(source, peer)
      if topics != nil { return }
    }
  }

  private func succeeded(_ ending: AttackPeer.Ending, _ peer: AttackPeer) {
    if settings.attack == .wrongCodes { ending.tally.note(MisbehaviourWork.unrefused) }
    guard topics != nil, let event = try? TournamentEvent(serializedBytes: ending.reply),
      event.id > 0
    else { return }
    waiting[peer.number, default: []].append(event.id)
  }

  private func start(_ source: Source, _ peer: AttackPeer) {
    peer.start(
      source.method, isStream: source.isStream, source.request(&random),
      keepsReply: source.createsTopic, source.tally)
  }
}

/// Sends large messages nearly to their end, and the rest a little at a time.
final class UnfinishedBehaviour: AttackBehaviour {
  private let settings: AttackSettings
  private let token: String?
  private let tally: Tally

  /// What is withheld at first, what is sent of it at once, and how often.
  private static let withheldBytes = 262_144
  private static let partBytes = 1_024
  private static let interval: UInt64 = 30_000_000_000
  private static let messageBytes = 4_000_000

  private let message = [UInt8](repeating: 0, count: messageBytes)

  init(_ settings: AttackSettings, token: String?, _ tally: Tally) {
    self.settings = settings
    self.token = token
    self.tally = tally
  }

  func hello(_ peer: AttackPeer) -> Hello? {
    .attacker(token: token, streamCredit: Hello.unlimitedCredit)
  }

  func turn(_ peer: AttackPeer, _ now: UInt64) {
    peer.endings = []
    while peer.calls.count < settings.calls {
      peer.start(
        Logbook.importWeights.id, isStream: false, message, withholding: Self.withheldBytes, tally)
    }
    guard now >= peer.nextTurn else { return }
    if peer.nextTurn > 0 {
      for stream in peer.calls.keys { peer.release(Self.partBytes, of: stream) }
    }
    peer.nextTurn = now + Self.interval
  }
}
