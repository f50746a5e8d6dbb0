/// An object that a commit changed.
struct ObjectChange: Sendable, Hashable {
  let kind: ObjectKind
  let id: Int64

  /// The principal whose object changed; 0 if the change has no row in the journal.
  var owner: Int64 = 0

  /// What the object belongs to beyond its owner, such as a tournament's id; 0 is nothing.
  var topic: Int64 = 0

  /// How the object changed.
  let change: JournalEntry.Change
}

/// The changes of one commit batch, collected while it runs, for those that react to the commit.
///
/// It belongs to the writer's thread.
// Its values are not checked for overlapping accesses: nothing runs within one.
final class CommitEffects {
  /// The latest journal sequence of the batch; 0 if it wrote no journal row.
  @exclusivity(unchecked) private(set) var lastSequence: Int64 = 0

  /// The changed objects, in order: those with a journal row and those that `note` added.
  @exclusivity(unchecked) private(set) var changes: [ObjectChange] = []

  /// The owner or topic of each journal row.
  @exclusivity(unchecked) private(set) var changedKeys: [ChangedKey] = []

  /// What the running command has inserted that no trigger counts.
  @exclusivity(unchecked) var counts = CommandCounts()

  /// The sums of the commands whose counts are stored.
  @exclusivity(unchecked) private(set) var storedCounts = CommandCounts()

  /// Whether the changes are ended permissions that were read from the table of PostgreSQL: this
  /// server may have reported them already, behind its own commit.
  let isFromTable: Bool

  init(isFromTable: Bool = false) { self.isFromTable = isFromTable }

  /// How many rows of the journal the transaction has in PostgreSQL.
  private var placeCount: Int64 = 0

  /// The place of the next row in its transaction (``JournalPosition``), from 0.
  func nextPlace() -> Int64 {
    defer { placeCount += 1 }
    return placeCount
  }

  /// Whether the transaction has rows of the journal in PostgreSQL.
  var hasJournalRows: Bool { placeCount > 0 }

  /// How far the store is with the command (``JournalPosition``), of a command without rows of the
  /// journal in PostgreSQL; else 0.
  private(set) var position: Int64 = 0

  /// The command has this position.
  func note(position: Int64) { self.position = position }

  /// Takes what the running command has counted, to store it.
  func takeCounts() -> CommandCounts {
    defer { counts = CommandCounts() }
    storedCounts += counts
    return counts
  }

  /// Adds a change that has a row in the journal.
  func record(_ change: ObjectChange, sequence: Int64) {
    lastSequence = sequence
    record(change)
  }

  /// The row of a change has this sequence, which comes later on PostgreSQL.
  func noteSequence(_ sequence: Int64, of change: ObjectChange, atMilliseconds: Int64) {
    guard sequence > lastSequence else { return }
    lastSequence = sequence
    lastRow = AcknowledgedRows.Row(
      sequence: sequence, principal: change.owner, kind: change.kind.rawValue,
      objectID: change.id, atMilliseconds: atMilliseconds)
  }

  /// The latest row of the journal on PostgreSQL.
  private(set) var lastRow: AcknowledgedRows.Row?

  /// Adds a change whose row in the journal is sent, and has no sequence yet.
  func record(_ change: ObjectChange) {
    changes.append(change)
    changedKeys.append(.principal(change.owner))
    if change.topic != 0 { changedKeys.append(.topic(change.topic)) }
  }

  /// Adds a change that no journal row records, such as a counter that a cached object shows.
  func note(_ change: JournalEntry.Change, of kind: ObjectKind, id: Int64, topic: Int64 = 0) {
    changes.append(ObjectChange(kind: kind, id: id, topic: topic, change: change))
  }

  /// A state to roll back to.
  struct Savepoint {
    fileprivate let lastSequence: Int64
    fileprivate let changeCount: Int
    fileprivate let keyCount: Int
    fileprivate let counts: CommandCounts
    fileprivate let storedCounts: CommandCounts
  }

  /// The present state.
  var savepoint: Savepoint {
    Savepoint(
      lastSequence: lastSequence, changeCount: changes.count, keyCount: changedKeys.count,
      counts: counts, storedCounts: storedCounts)
  }

  /// Discards what was added after the savepoint.
  func rollback(to savepoint: Savepoint) {
    lastSequence = savepoint.lastSequence
    changes.removeLast(max(0, changes.count - savepoint.changeCount))
    changedKeys.removeLast(max(0, changedKeys.count - savepoint.keyCount))
    counts = savepoint.counts
    storedCounts = savepoint.storedCounts
  }
}

/// What a change journal row is found by: its owner or its topic.
package enum ChangedKey: Sendable, Hashable {
  case principal(Int64)
  /// What the object belongs to beyond its owner, such as a tournament.
  case topic(Int64)
}

/// A part of a feature that reacts to commits, such as a cache.
///
/// Features list their observers in ``StoreFeatures``. Both methods run on the writer's thread and
/// must not block.
protocol CommitObserver: Sendable {
  /// The batch is on the disk and none of its commands is acknowledged yet.
  func didCommit(_ effects: CommitEffects)

  /// The batch's commands are acknowledged.
  func didAcknowledge(_ effects: CommitEffects, hooks: StoreHooks)
}

extension CommitObserver {
  func didCommit(_ effects: CommitEffects) {}
  func didAcknowledge(_ effects: CommitEffects, hooks: StoreHooks) {}
}

/// Hands the keys of a commit's journal rows to a closure.
struct JournalObserver: CommitObserver {
  let body: @Sendable (_ sequence: Int64, _ keys: Set<ChangedKey>) -> Void

  func didCommit(_ effects: CommitEffects) {
    guard effects.lastSequence > 0 else { return }
    body(effects.lastSequence, Set(effects.changedKeys))
  }
}
