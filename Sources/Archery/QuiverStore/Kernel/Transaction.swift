/// The transaction that a command's changes are part of: the seam for a second SQL engine.
///
/// It lives on the writer's thread for the length of `apply`. What it reads includes what the
/// commands before it in the same group have changed.
package struct Transaction: ~Copyable {
  /// Reading, with the repositories that reads have too.
  package let snapshot: Snapshot

  /// On whose behalf the command runs.
  package let caller: Caller

  /// The server's time for this group, in milliseconds since 1970-01-01; it never goes back.
  package let nowMilliseconds: Int64

  /// What its commit will mean outside.
  let effects: Effects

  /// What comes after its group; nil outside of the writer.
  var queue: WriterQueue?

  /// Whether its group has commands behind this one.
  var isFollowed = false

  /// Whether commands wait for this one: of its group, or behind that.
  ///
  /// A command whose work can go on in another one ends early then.
  package var othersWait: Bool { isFollowed || (queue?.count ?? 0) > 0 }

  /// Runs a statement for its effect; answers how many rows it changed.
  @discardableResult
  package func run(_ query: Query, _ values: SQLValue...) throws(StoreError) -> Int64 {
    try snapshot.session.run(query, values)
  }

  /// Runs a statement whose values come as an array.
  @discardableResult
  package func run(_ query: Query, values: [SQLValue]) throws(StoreError) -> Int64 {
    try snapshot.session.run(query, values)
  }

  /// Inserts a row; answers its id.
  package func insert(_ query: Query, _ values: SQLValue...) throws(StoreError) -> Int64 {
    try insert(query, values: values)
  }

  /// Inserts a row whose values come as an array; answers its id.
  package func insert(_ query: Query, values: [SQLValue]) throws(StoreError) -> Int64 {
    try snapshot.session.run(query, values)
    return snapshot.session.lastInsertedID
  }
}
