import Foundation
import QuiverPostgres
import QuiverRules
import QuiverSQLite
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// Stores whose history was set back: callers know of ids and revisions that are gone.
@Suite("Epochs of a store", .timeLimit(.minutes(5))) struct EpochTests {
  /// What a caller knows of a history.
  private struct History {
    let archer: Int64
    let item: EquipmentRecord
    let plan: WeightPlanRecord
    var lostIDs: [Int64] = []
    var lostEvents: [Int64] = []
    var changed: EquipmentRecord?
    var changedPlan: WeightPlanRecord?

    init(in store: Store) throws {
      archer = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
      item = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer))
      plan = try store.perform(try SetWeightPlan(EpochTests.plan(70_000), revision: 0), .of(archer))
    }

    /// What will be lost: items, an event, and later revisions.
    mutating func goOn(in store: Store, itemCount: Int) throws {
      for _ in 0..<itemCount {
        lostIDs.append(try store.perform(try CreateEquipment(.riser("Win&Win")), .of(archer)).id)
      }
      lostEvents.append(try FullEvent(in: store).event)
      changed = try store.perform(
        try UpdateEquipment(
          .riser("Kinetic"), of: .id(item.id), revision: item.revision, mask: ["brand"]),
        .of(archer))
      changedPlan = try store.perform(
        try SetWeightPlan(EpochTests.plan(71_000), revision: plan.revision), .of(archer))
    }
  }

  fileprivate static func plan(_ goal: Int64) -> MilestonePlan {
    MilestonePlan(
      unit: .kilogram, startThousandths: 80_000, goalThousandths: goal, stepThousandths: 5_000,
      startDay: 20_000)
  }

  private func items(_ store: Store, of archer: Int64) throws -> [Int64] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: archer, EquipmentFilter(), pageSize: 500, pageToken: ""
      ).items.map(\.id)
    }
  }

  private func update(
    _ store: Store, _ id: Int64, revision: UInt64, as archer: Int64
  ) throws -> EquipmentRecord {
    try store.perform(
      try UpdateEquipment(.riser("Fivics"), of: .id(id), revision: revision, mask: ["brand"]),
      .of(archer))
  }

  private func refusal(_ body: () throws -> some Any) -> StoreError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  /// Expects that nothing which the history knows of hits an object of the store.
  private func expectNothingHit(by history: History, in store: Store) throws {
    let archer = history.archer
    #expect(try items(store, of: archer) == [history.item.id])
    // New objects take the place of the lost ones, and more of them than were lost.
    for _ in 0..<(2 * history.lostIDs.count) {
      _ = try store.perform(try CreateEquipment(.riser("Gillo")), .of(archer))
    }
    _ = try FullEvent(in: store)
    for id in history.lostIDs {
      #expect(refusal { try update(store, id, revision: 1, as: archer) }?.code == .notFound)
    }
    for event in history.lostEvents {
      let error = refusal {
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.visibleTournament(id: event, principal: archer)
        }
      }
      #expect(error?.code == .notFound)
    }
    for revision in [history.item, history.changed].compactMap({ $0?.revision }) {
      let error = refusal { try update(store, history.item.id, revision: revision, as: archer) }
      #expect(error?.code == .aborted)
      guard case .equipment(let current)? = error?.current else {
        Issue.record("the error has no current object")
        continue
      }
      #expect(current.content == history.item.content)
      _ = try update(store, history.item.id, revision: current.revision, as: archer)
      let again = refusal {
        try update(store, history.item.id, revision: current.revision, as: archer)
      }
      #expect(again?.code == .aborted)
      _ = try store.perform(
        try UpdateEquipment(
          history.item.content, of: .id(history.item.id), revision: current.revision + 1,
          mask: ["brand"]), .of(archer))
    }
    for plan in [history.plan, history.changedPlan].compactMap(\.self) {
      let error = refusal {
        try store.perform(
          try SetWeightPlan(Self.plan(60_000), revision: plan.revision), .of(archer))
      }
      #expect(error?.code == .aborted)
    }
    #expect(try store.verify() == [])
  }

  @Test("after a restore no id and no revision of the lost history matches, twice")
  func restored() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var history = try History(in: store)
    let file = directory.path + "/backup.db"
    _ = try store.backup(to: file)
    try history.goOn(in: store, itemCount: 30)
    store.close()
    let second = try TemporaryDirectory()
    let epoch = try Store.restore(file, into: second.path)
    let restored = try second.open()
    #expect(restored.epoch == epoch && epoch != store.epoch)
    try expectNothingHit(by: history, in: restored)
    let third = try TemporaryDirectory()
    let other = second.path + "/backup.db"
    _ = try restored.backup(to: other)
    let lost = try (0..<3).map { _ in
      try restored.perform(try CreateEquipment(.riser("Win&Win")), .of(history.archer)).id
    }
    let item = try restored.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(.riser, .id(history.item.id), principal: history.archer)
    }
    let changed = try update(restored, item.id, revision: item.revision, as: history.archer)
    restored.close()
    _ = try Store.restore(other, into: third.path)
    let last = try third.open()
    for id in lost {
      #expect(refusal { try update(last, id, revision: 1, as: history.archer) }?.code == .notFound)
    }
    let stale = refusal {
      try update(last, item.id, revision: changed.revision, as: history.archer)
    }
    #expect(stale?.code == .aborted)
    #expect(try last.verify() == [])
  }

  @Test("in a new epoch of SQLite all ids that are assigned are those of the epoch")
  func assignedIDs() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try FullEvent(in: store)
    store.close()
    _ = try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)
    let again = try directory.open()
    let sqlite = try Connection(path: directory.databasePath, mode: .readOnly)
    let base = try EpochStart.base(on: sqlite)
    #expect(base >= EpochStart.step && base < 1 << 53)
    // The ids of these two are not told to anybody.
    let tables = Table.all.filter { $0.assignedColumn == "id" }.map(\.name).filter {
      !["status_change", "weight_import_entry"].contains($0)
    }
    var before: [String: String?] = [:]
    for table in tables { before[table] = try sqlite.value("SELECT max(id) FROM \(table)") }
    _ = try FullEvent(in: again)
    _ = try FullAccount(in: again, mark: "new")
    for table in tables {
      let last = Int64((before[table] ?? nil) ?? "") ?? 0
      let low = try sqlite.value(
        "SELECT count(*) FROM \(table) WHERE id > \(last) AND id < \(base)")
      #expect(low == "0", "\(table)")
    }
    #expect(try again.verify() == [])
  }

  private func open(
    _ database: SharedDatabase, _ directory: TemporaryDirectory
  ) throws -> Store {
    try database.open { $0.directory = directory.path }
  }

  @Test("a database that was set back to a dump begins a new epoch before the first call")
  func setBack() async throws {
    let database = try SharedDatabase()
    let directory = try TemporaryDirectory()
    let store = try open(database, directory)
    var history = try History(in: store)
    store.close()
    let administrator = try PostgresServer.shared.connect()
    let isCopied = await eventually {
      (try? administrator.execute(
        "CREATE DATABASE \(database.name)_dump TEMPLATE \(database.name)")) != nil
    }
    try #require(isCopied)
    let again = try open(database, directory)
    #expect(again.epoch == store.epoch && again.epochReason == nil)
    try history.goOn(in: again, itemCount: 30)
    again.close()
    try administrator.execute("DROP DATABASE \(database.name) WITH (FORCE)")
    try administrator.execute("ALTER DATABASE \(database.name)_dump RENAME TO \(database.name)")
    let restored = try open(database, directory)
    #expect(restored.epoch != store.epoch && restored.epochReason != nil)
    try expectNothingHit(by: history, in: restored)
    restored.close()
    // The epoch stays, for this server and for others.
    let last = try open(database, directory)
    #expect(last.epoch == restored.epoch && last.epochReason == nil)
    #expect(try database.open().epoch == restored.epoch)
  }

  @Test("a commit that a start found, and that this server never answered, is not lost unnoticed")
  func foundAtStart() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    var history = try History(in: store)
    store.close()
    let administrator = try PostgresServer.shared.connect()
    let isCopied = await eventually {
      (try? administrator.execute(
        "CREATE DATABASE \(database.name)_dump TEMPLATE \(database.name)")) != nil
    }
    try #require(isCopied)
    let other = try database.open()
    try history.goOn(in: other, itemCount: 3)
    other.close()
    // A server with a directory of its own, which only shows what others have committed.
    let directory = try TemporaryDirectory()
    let reader = try open(database, directory)
    #expect(try items(reader, of: history.archer).count == 4)
    reader.close()
    try administrator.execute("DROP DATABASE \(database.name) WITH (FORCE)")
    try administrator.execute("ALTER DATABASE \(database.name)_dump RENAME TO \(database.name)")
    let restored = try open(database, directory)
    #expect(restored.epoch != store.epoch && restored.epochReason != nil)
    try expectNothingHit(by: history, in: restored)
  }

  @Test(
    "a promoted replica has another timeline, and a new epoch only if it lacks commits",
    arguments: [true, false])
  func promotedReplica(isBehind: Bool) async throws {
    let primary = try PostgresServer()
    let replica = try ReplicaServer(of: primary)
    let directory = try TemporaryDirectory()
    var configuration = StoreConfiguration(directory: directory.path)
    configuration.databaseAddress = primary.socketAddress
    let store = try Store(configuration)
    var history = try History(in: store)
    let before = try primary.connect().value(EpochCheck.history)
    if isBehind {
      try await awaitReplica(replica, of: primary)
      let connection = try replica.connect()
      try connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
      try connection.execute("SELECT pg_reload_conf()")
      let hasEnded = try await eventually {
        try connection.value("SELECT count(*) FROM pg_stat_wal_receiver") == "0"
      }
      try #require(hasEnded)
      try history.goOn(in: store, itemCount: 40)
    } else {
      try history.goOn(in: store, itemCount: 3)
      try await awaitReplica(replica, of: primary)
    }
    store.close()
    try replica.promote()
    configuration.databaseAddress = replica.address(database: "quiver")
    let promoted = try Store(configuration)
    defer { promoted.close() }
    #expect(try replica.connect().value(EpochCheck.history) != before)
    #expect((promoted.epoch != store.epoch) == isBehind)
    if isBehind {
      try expectNothingHit(by: history, in: promoted)
    } else {
      #expect(try items(promoted, of: history.archer).count == 4)
      let item = try #require(history.changed)
      _ = try update(promoted, item.id, revision: item.revision, as: history.archer)
    }
    withExtendedLifetime(primary) {}
  }

  private func awaitReplica(_ replica: ReplicaServer, of primary: PostgresServer) async throws {
    let end = try primary.connect().value("SELECT CAST(pg_current_wal_lsn() AS text)") ?? ""
    let connection = try replica.connect()
    let hasCome = try await eventually {
      try connection.value("SELECT CAST(pg_last_wal_replay_lsn() >= '\(end)' AS integer)") == "1"
    }
    try #require(hasCome)
  }

  @Test("a journal with positions that its database has not reached begins a new epoch")
  func otherSystem() throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let history = try History(in: store)
    store.close()
    try database.connect().execute("UPDATE journal SET sequence = sequence + (1::bigint << 60)")
    let again = try database.open()
    #expect(again.epoch != store.epoch)
    try expectNothingHit(by: history, in: again)
  }

  @Test("servers that run while another one begins a new epoch end")
  func runningServers() async throws {
    let database = try SharedDatabase()
    let ends = Mutex<[StoreError]>([])
    let store = try database.open { configuration in
      configuration.hooks.fatal = { error in ends.withLock { $0.append(error) } }
    }
    _ = try History(in: store)
    try EpochCheck.begin(
      on: try database.connect(), unlessAfter: nil, base: 0, StoreClock.system.wallMilliseconds())
    #expect(await eventually { ends.withLock { $0.first?.code == .dataLoss } })
  }

  @Test(
    "the file of a server that was in a later epoch begins one, and that of another store does not",
    arguments: [true, false])
  func otherFile(isSameStore: Bool) throws {
    let database = try SharedDatabase()
    let directory = try TemporaryDirectory()
    let store = try open(database, directory)
    _ = try History(in: store)
    store.close()
    let other = try SharedDatabase()
    let another = isSameStore ? store : try open(other, directory)
    another.close()
    if isSameStore {
      // The database of before the epoch that the server has seen.
      try EpochCheck.begin(
        on: try database.connect(), unlessAfter: nil, base: 0, StoreClock.system.wallMilliseconds())
      let later = try open(database, directory)
      #expect(later.epoch != store.epoch && later.epochReason == nil)
      later.close()
      try EpochStart.set("store_epoch", "'1'", on: try database.connect())
    }
    let last = try open(database, directory)
    #expect((last.epochReason != nil) == isSameStore)
    #expect((last.epoch == store.epoch) != isSameStore)
  }

  @Test("quiverd epoch new begins an epoch in a directory and in a database, of stopped servers")
  func byCommand() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let history = try History(in: store)
    #expect(throws: StoreError.self) {
      try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)
    }
    store.close()
    let epoch = try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)
    let again = try directory.open()
    #expect(again.epoch == epoch && epoch != store.epoch)
    try expectNothingHit(by: history, in: again)

    let database = try SharedDatabase()
    let address = PostgresServer.sharedAddress(database: database.name)
    #expect(throws: StoreError.self) {
      try StoreEpochs.beginNew(dataDirectory: directory.path, database: address)
    }
    let shared = try database.open()
    let other = try History(in: shared)
    #expect(throws: StoreError.self) {
      try StoreEpochs.beginNew(dataDirectory: directory.path, database: address)
    }
    shared.close()
    let next = try StoreEpochs.beginNew(dataDirectory: directory.path, database: address)
    let last = try database.open()
    #expect(last.epoch == next && next != shared.epoch)
    try expectNothingHit(by: other, in: last)
  }
}
