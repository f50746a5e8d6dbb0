import QuiverPostgres
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Reads on a replica", .serialized, .timeLimit(.minutes(5))) struct ReplicaReadTests {
  /// A replica that no test ends.
  private static let shared = Result { try ReplicaServer(of: PostgresServer.shared) }

  private func archer(_ store: Store) throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
  }

  private func open(
    _ database: SharedDatabase, _ replica: ReplicaServer, _ changes: ReplicaChanges? = nil
  ) async throws -> Store {
    // The replica must have the database before connections to it are tried.
    let isCopied = try await eventually {
      let names = try replica.connect().value(
        "SELECT count(*) FROM pg_database WHERE datname = '\(database.name)'")
      return names == "1"
    }
    #expect(isCopied)
    return try database.open { configuration in
      configuration.readDatabaseAddress = replica.address(database: database.name)
      if let changes { configuration.hooks.replicaChanged = { changes.note($0) } }
    }
  }

  /// What a store has told of its replica.
  private final class ReplicaChanges: Sendable {
    private let changes = Mutex<[StoreError?]>([])

    func note(_ error: StoreError?) { changes.withLock { $0.append(error) } }

    /// Nil: it can be read; the message of the latest failure, or that there is no change.
    var last: String? {
      changes.withLock { $0.last.map { $0?.message } ?? "nothing was told" }
    }
  }

  /// The brands of an archer's items, as a call reads them that states this position.
  private func brands(
    _ store: Store, of principal: Int64, at position: Int64
  ) throws -> [String] {
    try ReadOrigin.run(store.readOrigin(at: position)) {
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipmentItems(
          principal: principal, EquipmentFilter(), pageSize: 500, pageToken: ""
        ).items.map(\.displayBrand)
      }
    }
  }

  private func replicaReads(_ store: Store) -> UInt64 {
    store.databaseStatus?.replica?.readCount ?? 0
  }

  @Test("a call reads the replica once that has its position, and the primary before")
  func heldBack() async throws {
    let replica = try Self.shared.get()
    let database = try SharedDatabase()
    let store = try await open(database, replica)
    let archer = try archer(store)
    let positions = try #require(store.positions)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    let first = positions.latest
    #expect(await eventually { store.readOrigin(at: first) != nil })
    let before = replicaReads(store)
    #expect(try brands(store, of: archer, at: first) == ["Hoyt"])
    #expect(replicaReads(store) == before + 1)
    try replica.hold(true)
    defer { try? replica.hold(false) }
    _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))
    let second = positions.latest
    #expect(store.readOrigin(at: second) == nil)
    #expect(try brands(store, of: archer, at: second).count == 2)
    #expect(replicaReads(store) == before + 1)
    // Without a position the latest state is read.
    let latest = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: archer, EquipmentFilter(), pageSize: 500, pageToken: ""
      ).items.count
    }
    #expect(latest == 2)
    // A replica that is behind for long is not read even where it has the position.
    #expect(await eventually { store.readOrigin(at: first) == nil })
    #expect(try brands(store, of: archer, at: first).count == 2)
    try replica.hold(false)
    #expect(await eventually { store.readOrigin(at: second) != nil })
    #expect(try brands(store, of: archer, at: second).count == 2)
    #expect(replicaReads(store) == before + 2)
  }

  @Test("the position is compared within the snapshot, and the handler runs again on the primary")
  func snapshotBehind() async throws {
    let replica = try Self.shared.get()
    let database = try SharedDatabase()
    let store = try await open(database, replica)
    let archer = try archer(store)
    let positions = try #require(store.positions)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    #expect(await eventually { store.readOrigin(at: positions.latest) != nil })
    let origin = try #require(store.readOrigin(at: positions.latest))
    try replica.hold(true)
    defer { try? replica.hold(false) }
    _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))
    // As if the replica had been seen there, and then another one answered.
    let session = Session(try replica.connect(database: database.name))
    let behind = #expect(throws: StoreError.self) {
      try session.askLater(JournalPosition.frontierBehind, [.integer(positions.latest)]) { _ in }
      _ = try session.translating { () throws(PostgresError) in
        try session.postgreSQLConnection?.synchronize()
      }
    }
    #expect(behind != nil && session.takePostgresFailure()?.sqlState == "22012")
    var runCount = 0
    let found = try ReadOrigin.run(origin) {
      runCount += 1
      if runCount == 1 {
        origin.hasFailed = true
        throw StoreError(.internalError, "what the replica said")
      }
      return ReadOrigin.current == nil
    }
    #expect(runCount == 2 && found)
  }

  @Test("a call shows no older state than its read before, also where that was on the primary")
  func risingOrigin() async throws {
    let replica = try Self.shared.get()
    let database = try SharedDatabase()
    let store = try await open(database, replica)
    let archer = try archer(store)
    let positions = try #require(store.positions)
    _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
    let first = positions.latest
    #expect(await eventually { store.readOrigin(at: first) != nil })
    let origin = try #require(store.readOrigin(at: first))
    try replica.hold(true)
    defer { try? replica.hold(false) }
    _ = try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer))
    let counts = try ReadOrigin.run(origin) {
      let latest = try store.readers.read(onPrimary: true) { (snapshot) throws(StoreError) in
        try snapshot.equipmentItems(
          principal: archer, EquipmentFilter(), pageSize: 500, pageToken: ""
        ).items.count
      }
      return [latest, try brands(store, of: archer)]
    }
    #expect(counts == [2, 2])
  }

  /// How many items a read of the running handler finds.
  private func brands(_ store: Store, of archer: Int64) throws -> Int {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: archer, EquipmentFilter(), pageSize: 500, pageToken: ""
      ).items.count
    }
  }

  @Test("reads go on at the primary when the replica is killed, and when it is promoted")
  func lostReplica() async throws {
    for isPromoted in [false, true] {
      let replica = try ReplicaServer(
        of: PostgresServer.shared, named: isPromoted ? "promoted" : "killed")
      let database = try SharedDatabase()
      let changes = ReplicaChanges()
      let store = try await open(database, replica, changes)
      let archer = try archer(store)
      _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
      let position = try #require(store.positions).latest
      #expect(await eventually { store.readOrigin(at: position) != nil })
      #expect(changes.last == nil)
      let origin = try #require(store.readOrigin(at: position))
      if isPromoted { try replica.promote() } else { replica.end() }
      // The call that is under way, and later ones.
      let items = try ReadOrigin.run(origin) { try brands(store, of: archer) }
      #expect(items == 1)
      #expect(await eventually { changes.last != nil })
      if isPromoted { #expect(changes.last?.contains("takes changes") == true) }
      #expect(store.readOrigin(at: position) == nil)
      #expect(try brands(store, of: archer, at: position) == ["Hoyt"])
      #expect(store.databaseStatus?.replica?.isUsable == false)
      store.close()
    }
  }

  @Test("a server that is no replica of the database is not read")
  func otherServer() async throws {
    let database = try SharedDatabase()
    let changes = ReplicaChanges()
    let store = try database.open { configuration in
      configuration.readDatabaseAddress = PostgresServer.sharedAddress(database: database.name)
      configuration.hooks.replicaChanged = { changes.note($0) }
    }
    #expect(await eventually { changes.last?.contains("not a replica") == true })
    #expect(store.readOrigin(at: 1) == nil)
    // A replica of another database of the same cluster.
    let other = try SharedDatabase()
    _ = try other.open()
    let replica = try Self.shared.get()
    let isCopied = await eventually {
      let store = try? replica.connect(database: other.name)
      return (try? store?.value("SELECT count(*) FROM meta WHERE name = 'store_epoch'")) == "1"
    }
    #expect(isCopied)
    let seen = ReplicaChanges()
    let wrong = try database.open { configuration in
      configuration.readDatabaseAddress = replica.address(database: other.name)
      configuration.hooks.replicaChanged = { seen.note($0) }
    }
    #expect(await eventually { seen.last?.contains("another database") == true })
    #expect(wrong.readOrigin(at: 1) == nil)
  }
}
