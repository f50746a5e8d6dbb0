import QuiverAPI
import QuiverRPC
import QuiverStore

/// The content of a watch of the journal: its complete state in parts, and the changes of it.
///
/// Each method reads one snapshot. Permission is read there too, so that a watch ends with it. The
/// messages have no spans: ``JournalWatch`` sets them. Equal sources give equal messages of one
/// snapshot: watches of them share reads.
protocol WatchSource: Hashable, Sendable {
  associatedtype Response: WatchMessage

  /// The changes that the watch follows.
  var key: ChangeFeed.Key { get }

  /// A part of the state as a whole, and the token of the next part; empty: it was the last.
  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: Response, next: String)

  /// Whether the watch may show a change.
  func concerns(_ entry: JournalEntry) -> Bool

  /// Throws if who watches may see it no longer after changes, whatever they are of.
  func checkAccess(
    after entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError)

  /// The result of changes for which ``concerns(_:)`` is true, at most
  /// ``StoreLimits/watchedEntries``; nil where nothing of them shows.
  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Response?
}

extension WatchSource {
  /// What belongs to the principal that watches is shown to it as long as its connection lives.
  func checkAccess(
    after entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) {}
}

/// A watch of an event, or of a part of one: it ends when who watches may no longer see the event.
protocol EventWatchSource: WatchSource {
  var event: Int64 { get }

  /// Who watches; nil is a spectator.
  var principal: Int64? { get }
}

extension EventWatchSource {
  var key: ChangeFeed.Key { .topic(event) }

  func checkAccess(
    after entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) {
    guard entries.contains(where: { $0.topic == event && $0.kind.changesAccess }) else { return }
    _ = try snapshot.visibleTournament(id: event, principal: principal)
  }
}
