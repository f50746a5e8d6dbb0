/// The transaction that a command's changes are part of: the seam for a second SQL engine.
///
/// It lives on the writer's thread for the length of `apply`. It reads the changes of the commands
/// before it in the same batch.
package struct Transaction: ~Copyable {
  /// Reading, with the repositories that reads have too.
  package let snapshot: Snapshot

  /// On whose behalf the command runs.
  package let caller: CommandCaller

  /// The server's time for this group, in milliseconds since 1970-01-01; it never goes back.
  package let nowMilliseconds: Int64

  /// What its commit will mean outside.
  let effects: CommitEffects

  /// What comes after its group; nil outside of the writer.
  var queue: WriterQueue?

  /// Whether its group has commands behind this one.
  var isFollowed = false

  /// Whether commands wait for this one, in its batch or behind the batch.
  ///
  /// A command whose work another command can continue ends early then.
  package var othersWait: Bool { isFollowed || (queue?.count ?? 0) > 0 }

  /// Whether a command waits behind the batch that is not a bulk command.
  package var singlesWait: Bool { queue?.hasSingle ?? false }

  /// Runs a statement for its effect.
  ///
  /// On PostgreSQL it is sent with the next statement that has a result, or with the COMMIT, which
  /// throws its error then.
  package func run(_ query: Query, _ values: SQLValue...) throws(StoreError) {
    try snapshot.session.run(query, values)
  }

  /// Runs a statement whose values come as an array.
  package func run(_ query: Query, values: [SQLValue]) throws(StoreError) {
    try snapshot.session.run(query, values)
  }

  /// Runs a statement for its effect; answers how many rows it changed.
  package func runCounting(_ query: Query, _ values: SQLValue...) throws(StoreError) -> Int64 {
    try snapshot.session.runCounting(query, values)
  }

  /// The same with values that come as an array.
  package func runCounting(_ query: Query, values: [SQLValue]) throws(StoreError) -> Int64 {
    try snapshot.session.runCounting(query, values)
  }

  /// Inserts a row; answers its id.
  package func insert(_ query: Query, _ values: SQLValue...) throws(StoreError) -> Int64 {
    try insert(query, values: values)
  }

  /// Inserts a row whose values come as an array; answers its id.
  package func insert(_ query: Query, values: [SQLValue]) throws(StoreError) -> Int64 {
    try snapshot.session.insert(query, values)
  }
}

/// One state of the database, as a `read` closure or a command sees it throughout.
///
/// It belongs to the thread that reads, for the length of the closure. Repositories are extensions.
package struct Snapshot: ~Copyable {
  let session: Session

  /// What binds page tokens to this store.
  let pageTokenKey: [UInt8]

  /// The time for what ends by itself, such as a lease, in milliseconds since 1970-01-01.
  var wallMilliseconds: @Sendable () -> Int64 = StoreClock.system.wallMilliseconds

  /// The first row of the query, as `map` reads it; nil where there is none.
  package func first<Result>(
    _ query: Query, _ values: SQLValue..., map: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try session.first(query, values, map)
  }

  /// The first row of a query whose values come as an array.
  package func first<Result>(
    _ query: Query, values: [SQLValue], map: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    try session.first(query, values, map)
  }

  /// Every row of the query, as `map` reads it.
  package func all<Result>(
    _ query: Query, _ values: SQLValue..., map: (Row) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    try session.forEach(query, values) { (row) throws(StoreError) in
      results.append(try map(row))
    }
    return results
  }
}
