import Foundation
import QuiverPostgres
import Synchronization
import TestPostgres
import TestSupport

@testable import QuiverStore

/// A database of PostgreSQL with stores on it, each of which stands for a server.
final class SharedDatabase {
  let name: String
  private var stores: [Store] = []
  private var directories: [TemporaryDirectory] = []

  /// A new, empty database.
  init() throws {
    name = try PostgresServer.shared.makeDatabase()
  }

  deinit {
    for store in stores { store.close() }
  }

  /// A connection beside those of the stores.
  func connect() throws -> PostgresConnection {
    try PostgresServer.shared.connect(database: name)
  }

  /// Opens another store.
  func open(_ change: (inout StoreConfiguration) -> Void = { _ in }) throws -> Store {
    let store = try Store(try configuration(change))
    stores.append(store)
    return store
  }

  /// The configuration of another store.
  func configuration(
    _ change: (inout StoreConfiguration) -> Void = { _ in }
  ) throws -> StoreConfiguration {
    let directory = try TemporaryDirectory()
    directories.append(directory)
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.databaseAddress = PostgresServer.sharedAddress(database: name)
    configuration.databaseWorkers = 4
    change(&configuration)
    return configuration
  }

  /// Ends the connections of all stores, as a failure of the server would.
  func endConnections() throws {
    try connect().execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '\(name)' AND application_name = 'quiverd'
      """)
  }
}

extension PostgresServer {
  /// The address of a database of the shared server, over its socket.
  static func sharedAddress(database: String) -> String {
    ((try? shared)?.socketAddress ?? "").replacing("/quiver?", with: "/\(database)?")
  }
}

/// The keys of the journal that a store has told of.
final class SeenKeys: Sendable {
  private let keys = Mutex<Set<ChangedKey>>([])
  private let positions = Mutex<[Int64]>([])

  init(_ store: Store) {
    store.observeCommits { [weak self] sequence, keys in
      self?.keys.withLock { $0.formUnion(keys) }
      self?.positions.withLock { $0.append(sequence) }
    }
  }

  var sequences: [Int64] { positions.withLock { $0 } }

  /// Whether the key has come, which is awaited for ten seconds.
  func contains(_ key: ChangedKey) async -> Bool {
    await eventually { self.containsNow(key) }
  }

  /// Whether it has come by now.
  func containsNow(_ key: ChangedKey) -> Bool { keys.withLock { $0.contains(key) } }
}
