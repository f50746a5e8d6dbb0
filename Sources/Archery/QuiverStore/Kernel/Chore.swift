import QuiverSQLite

/// Long work on the writer's connection, done in slices between groups.
protocol Chore: AnyObject, Sendable {
  /// Does a little more, outside of any transaction; answers whether all is done.
  func slice(on connection: Connection) -> Bool

  /// The writer ends before the chore has.
  func abandon(_ error: StoreError)
}
