import TestSupport

@testable import QuiverStore

/// The SQL engines that a test runs on, each with a new store.
enum BothEngines: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL

  /// Runs `body` with a bench on a new store of the engine.
  func withBench(_ body: (EventBench) throws -> Void) throws {
    switch self {
    case .sqlite:
      try body(try EventBench())
    case .postgreSQL:
      let database = try SharedDatabase()
      defer { withExtendedLifetime(database) {} }
      try body(try EventBench(in: try database.open()))
    }
  }
}

/// Lets all leases end before now.
struct ExpireLeases: Command {
  private static let expire = Query("UPDATE event_lease SET expires_at_ms = 1")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.expire)
  }
}
