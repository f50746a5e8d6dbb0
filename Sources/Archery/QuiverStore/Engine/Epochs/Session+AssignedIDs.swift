import QuiverSQLite

extension Session {
  /// Gives the first row of an epoch its id, in a table whose keys SQLite does not count: those of
  /// later rows follow it.
  func raise(
    _ id: Int64, of query: Query, on connection: Connection
  ) throws(StoreError) -> Int64 {
    let words = query.text.text.split(maxSplits: 3, whereSeparator: \.isWhitespace)
    guard words.count > 2, words[1] == "INTO" else {
      throw StoreError(.internalError, "a query that inserts a row does not name its table")
    }
    do {
      try connection.execute("UPDATE \(words[2]) SET id = \(epoch.base) WHERE id = \(id)")
    } catch {
      throw translated(error, connection)
    }
    return epoch.base
  }
}
