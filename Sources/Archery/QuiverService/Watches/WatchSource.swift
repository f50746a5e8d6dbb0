import QuiverAPI
import QuiverRPC
import QuiverStore

/// What a watch shows: its state as a whole in parts, and what changes in it.
///
/// All of it reads one snapshot and answers messages without their spans, which the ``Watch`` puts
/// in.
protocol WatchSource: Sendable {
  associatedtype Response: WatchMessage

  /// Whose changes wake the watch.
  var key: ChangeFeed.Key { get }

  /// A part of the state as a whole, and the token of the next part; empty: it was the last.
  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: Response, next: String)

  /// Whether a change may show.
  func concerns(_ entry: JournalEntry) -> Bool

  /// What changes that may show have led to, which are at most ``StoreLimits/watchedEntries``;
  /// nil where nothing shows.
  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> Response?
}
