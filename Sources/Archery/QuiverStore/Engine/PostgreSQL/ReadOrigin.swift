import QuiverPostgres

/// Where the reads of one call may run that states a position: on a replica that has reached it.
///
/// It belongs to the thread that runs the handler of the call.
// `@unchecked`: only that thread touches it.
package final class ReadOrigin: @unchecked Sendable {
  /// That of the handler that runs on this thread; nil: its reads run on the primary.
  @TaskLocal static var current: ReadOrigin?

  /// What a read must show at least. It rises with each read, so that none of a call shows an older
  /// state than the one before it.
  private(set) var position: Int64

  /// Whether a read on the replica failed, so that the handler must run again on the primary.
  var hasFailed = false

  init(position: Int64) { self.position = position }

  /// A read has shown this state.
  func note(_ position: Int64) { self.position = max(self.position, position) }

  /// Runs a handler whose reads may run on a replica: again on the primary if the replica fails it.
  ///
  /// It must have no effect but its result. Without an origin it runs as it is.
  package static func run<Result>(_ origin: ReadOrigin?, _ body: () throws -> Result) throws
    -> Result
  {
    guard let origin else { return try body() }
    do {
      let result = try $current.withValue(origin) { try body() }
      // A handler may go on after a failed read.
      if !origin.hasFailed { return result }
    } catch {
      guard origin.hasFailed else { throw error }
    }
    return try body()
  }
}

/// What a read on PostgreSQL asks in its transaction, before its first statement: how far its
/// snapshot shows the store.
///
/// It belongs to the thread that reads.
final class ReadBounds {
  /// What the snapshot must show at least: the read fails if it does not; nil: anything.
  let least: Int64?

  /// Up to where the snapshot shows the store; 0 while that is not known.
  private(set) var frontier: Int64 = 0

  /// Whether the database failed the read, or its snapshot is older than ``least``.
  private(set) var failure: PostgresError?

  init(least: Int64? = nil) { self.least = least }

  func ask(on session: Session) throws(StoreError) {
    let query = least == nil ? JournalPosition.frontier : JournalPosition.frontierBehind
    try session.askLater(query, least.map { [.integer($0)] } ?? []) { self.frontier = $0 }
  }

  func note(_ failure: PostgresError) { self.failure = failure }
}
