import Synchronization

/// The positions of the arrows of whole rounds, decoded, until an object of their owner changes.
///
/// Comparisons with mean radii read them again and again, and SQLite takes about 2,200 instructions
/// for each row. A commit removes those of the principals that it changed, before its commands are
/// acknowledged; what was read from an older snapshot is not kept, because the version that
/// ``reading(of:)`` returned has changed.
///
/// Any thread may use it. It has at most `StoreLimits.keptPositionBytes` bytes. Where other servers
/// may change the database nothing is kept.
package final class KeptPositions: CommitObserver {
  /// The arrows of a round by the index of their pass.
  typealias Round = [Int: [PlacedShot]]

  /// What is kept for a principal, for one read whose snapshot begins later.
  package struct Reading: Sendable {
    fileprivate let kept: KeptPositions
    fileprivate let principal: Int64
    fileprivate let version: UInt64

    /// The positions of a round; nil if they are not kept.
    func round(_ id: Int64) -> Round? {
      kept.shard(principal).state.withLock { $0.principals[principal]?.rounds[id] }
    }

    /// Keeps the positions of a whole round that was read from the snapshot.
    func keep(_ round: Round, of id: Int64) {
      kept.shard(principal).state.withLock { state in
        guard state.version == version else { return }
        state.keep(round, of: id, principal: principal)
      }
    }
  }

  private static let shardCount = 16

  private let shards = (0..<shardCount).map { _ in Shard() }
  private let isShared: Bool

  private final class Shard: Sendable {
    let state = Mutex(State())
  }

  private struct Rounds: Sendable {
    var rounds: [Int64: Round] = [:]
    var byteCount = 0
  }

  private struct State: Sendable {
    var version: UInt64 = 0
    var principals: [Int64: Rounds] = [:]
    var byteCount = 0

    mutating func keep(_ round: Round, of id: Int64, principal: Int64) {
      let added = KeptPositions.byteCount(of: round)
      guard added <= StoreLimits.keptPositionBytesPerPrincipal else { return }
      var own = principals.removeValue(forKey: principal) ?? Rounds()
      byteCount -= own.byteCount
      if own.rounds[id] != nil
        || own.byteCount + added > StoreLimits.keptPositionBytesPerPrincipal
      {
        own = Rounds()
      }
      own.rounds[id] = round
      own.byteCount += added
      // A full shard is emptied, as ``KeptReplies`` does.
      if byteCount + own.byteCount > StoreLimits.keptPositionBytes / KeptPositions.shardCount {
        principals.removeAll()
        byteCount = 0
      }
      principals[principal] = own
      byteCount += own.byteCount
    }
  }

  init(isShared: Bool) { self.isShared = isShared }

  /// What is kept for a principal; nil where nothing is. Call it before the snapshot begins.
  package func reading(of principal: Int64) -> Reading? {
    guard !isShared else { return nil }
    return Reading(
      kept: self, principal: principal,
      version: shard(principal).state.withLock { $0.version })
  }

  func didCommit(_ effects: CommitEffects) {
    for case .principal(let principal) in effects.changedKeys { removeAll(of: principal) }
    for change in effects.changes where change.kind == .principal { removeAll(of: change.id) }
  }

  /// Forgets the positions of a principal.
  func removeAll(of principal: Int64) {
    shard(principal).state.withLock { state in
      state.version &+= 1
      guard let removed = state.principals.removeValue(forKey: principal) else { return }
      state.byteCount -= removed.byteCount
    }
  }

  /// How many bytes of positions and tables there are.
  var byteCount: Int {
    shards.reduce(0) { sum, shard in sum + shard.state.withLock { $0.byteCount } }
  }

  private static func byteCount(of round: Round) -> Int {
    round.reduce(StoreLimits.keptReplyOverheadBytes) { sum, pass in
      sum + StoreLimits.keptReplyOverheadBytes
        + pass.value.capacity * MemoryLayout<PlacedShot>.stride
    }
  }

  private func shard(_ principal: Int64) -> Shard {
    shards[Int(UInt64(bitPattern: principal) % UInt64(Self.shardCount))]
  }
}

extension Store {
  /// The positions of arrows, kept until an object of their principal changes.
  package var keptPositions: KeptPositions { features.keptPositions }
}
