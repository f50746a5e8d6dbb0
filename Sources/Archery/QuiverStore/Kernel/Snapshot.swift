/// One state of the database, as a `read` closure or a command sees it throughout.
///
/// It belongs to the thread that reads, for the length of the closure. Repositories are extensions.
package struct Snapshot: ~Copyable {
  let session: Session

  /// What binds page tokens to this store.
  let pageTokenKey: [UInt8]

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
