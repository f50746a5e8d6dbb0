import QuiverAPI
import QuiverRPC
import QuiverStore

/// What a watch of the journal shows: its state as a whole in parts, and what changes in it.
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

  /// The result of changes for which ``concerns(_:)`` is true, at most
  /// ``StoreLimits/watchedEntries``; nil where nothing of them shows.
  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Response?
}
