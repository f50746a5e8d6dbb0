import Synchronization

/// The reads of a store on PostgreSQL: on the primary, or on a replica where the call permits it.
///
/// Where there is a replica, every read tells how far its snapshot shows the store, so that the
/// reply of its call can state it. Any thread may use it.
final class DatabaseReads: Sendable {
  let replica: PostgresReplica?
  private let primary: PostgresReaders
  private let positions: StorePositions
  private let count = Atomic<UInt64>(0)

  init(_ primary: PostgresReaders, _ positions: StorePositions, replica: PostgresReplica?) {
    self.primary = primary
    self.positions = positions
    self.replica = replica
  }

  /// Reads that ran on the primary, where there is a replica; else 0.
  var primaryReadCount: UInt64 { count.load(ordering: .relaxed) }

  /// As ``PostgresReaders/read(milliseconds:isOneStatement:bounds:_:)``.
  ///
  /// With `onPrimary` it runs there in any case, as a cache needs it that calls share.
  func read<Result>(
    milliseconds: UInt64, isOneStatement: Bool, onPrimary: Bool,
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let replica else {
      return try primary.read(milliseconds: milliseconds, isOneStatement: isOneStatement, body)
    }
    let origin = ReadOrigin.current
    if !onPrimary, let origin, replica.hasReached(origin.position) {
      return try replica.read(origin, milliseconds: milliseconds, body)
    }
    let bounds = ReadBounds()
    defer {
      positions.note(bounds.frontier)
      origin?.note(bounds.frontier)
      count.wrappingAdd(1, ordering: .relaxed)
    }
    return try primary.read(milliseconds: milliseconds, bounds: bounds, body)
  }

  func close() {
    primary.close()
    replica?.stop()
  }
}
