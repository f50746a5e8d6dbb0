import QuiverRules
import Synchronization

/// What comparisons have read of a principal's rounds, decoded, until an object of the principal
/// changes: the positions of the arrows of whole rounds, and the rounds of setups.
///
/// Comparisons read them again and again. SQLite takes about 2,200 instructions for each position,
/// and 11,000 for each pass of a round. A commit removes those of the principals that it changed,
/// before its commands are acknowledged; what was read from an older snapshot is not kept, because
/// the version that ``reading(of:)`` returned has changed. Rounds also depend on the events that
/// they are part of, whose organisers complete, reopen and cancel them.
///
/// Any thread may use it. It has at most `StoreLimits.keptComparisonBytes` bytes. Where other
/// servers may change the database nothing is kept.
package final class KeptComparisons: CommitObserver {
  /// The arrows of a round by the index of their pass.
  typealias Round = [Int: [PlacedShot]]

  /// What is kept for a principal, for one read whose snapshot begins later.
  package struct Reading: Sendable {
    fileprivate let kept: KeptComparisons
    fileprivate let principal: Int64
    fileprivate let version: UInt64
    fileprivate let eventChange: UInt64

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

    /// The rounds of a setup in the range; nil if they are not kept, or may have changed since
    /// this reading began.
    func rounds(_ scope: KeptRounds.Scope, _ span: ShotSpan) -> KeptRounds? {
      let found = kept.shard(principal).state.withLock { state in
        state.version == version ? state.principals[principal]?.compared[scope] : nil
      }
      guard let found, found.rounds.have(span),
        kept.events.areUnchanged(found.rounds.events, since: min(found.eventChange, eventChange))
      else { return nil }
      return found.rounds
    }

    /// Keeps the rounds of a setup that were read from the snapshot.
    func keep(_ rounds: KeptRounds, of scope: KeptRounds.Scope) {
      let compared = Compared(rounds: rounds, eventChange: eventChange)
      kept.shard(principal).state.withLock { state in
        guard state.version == version else { return }
        state.keep(compared, of: scope, principal: principal)
      }
    }
  }

  private static let shardCount = 16

  private let shards = (0..<shardCount).map { _ in Shard() }
  private let isShared: Bool
  private let events = ChangedEvents()

  private final class Shard: Sendable {
    let state = Mutex(State())
  }

  /// The rounds of a setup, with the change of any event that came last before they were read.
  fileprivate struct Compared: Sendable {
    let rounds: KeptRounds
    let eventChange: UInt64
  }

  private struct Rounds: Sendable {
    var rounds: [Int64: Round] = [:]
    var compared: [KeptRounds.Scope: Compared] = [:]
    var byteCount = 0
  }

  private struct State: Sendable {
    var version: UInt64 = 0
    var principals: [Int64: Rounds] = [:]
    var byteCount = 0

    mutating func keep(_ round: Round, of id: Int64, principal: Int64) {
      let added = KeptComparisons.byteCount(of: round)
      change(principal, adding: added) { own in
        if own.rounds[id] != nil { own = Rounds() }
        own.rounds[id] = round
      }
    }

    mutating func keep(_ compared: Compared, of scope: KeptRounds.Scope, principal: Int64) {
      change(principal, adding: compared.rounds.byteCount) { own in
        own.byteCount -= own.compared[scope]?.rounds.byteCount ?? 0
        own.compared[scope] = compared
      }
    }

    /// Adds so many bytes to what is kept of a principal; without room for them, that is emptied
    /// before.
    private mutating func change(
      _ principal: Int64, adding added: Int, _ body: (inout Rounds) -> Void
    ) {
      guard added <= StoreLimits.keptComparisonBytesPerPrincipal else { return }
      var own = principals.removeValue(forKey: principal) ?? Rounds()
      byteCount -= own.byteCount
      if own.byteCount + added > StoreLimits.keptComparisonBytesPerPrincipal { own = Rounds() }
      body(&own)
      own.byteCount += added
      // A full shard is emptied, as ``KeptReplies`` does.
      if byteCount + own.byteCount > StoreLimits.keptComparisonBytes / KeptComparisons.shardCount {
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
      version: shard(principal).state.withLock { $0.version }, eventChange: events.latest)
  }

  func didCommit(_ effects: CommitEffects) {
    for case .principal(let principal) in effects.changedKeys { removeAll(of: principal) }
    for change in effects.changes where change.kind == .principal { removeAll(of: change.id) }
    if !isShared { events.note(effects) }
  }

  /// Forgets the positions of a principal.
  func removeAll(of principal: Int64) {
    shard(principal).state.withLock { state in
      state.version &+= 1
      guard let removed = state.principals.removeValue(forKey: principal) else { return }
      state.byteCount -= removed.byteCount
    }
  }

  /// How many bytes of positions, rounds and tables there are.
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
  /// What comparisons have read, kept until an object of its principal changes.
  package var keptComparisons: KeptComparisons { features.keptComparisons }
}
