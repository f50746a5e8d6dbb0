import QuiverCrypto
import QuiverRules
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// Calls that were made before the store was set back, and arrive in the new epoch.
@Suite("Calls of an earlier epoch", .timeLimit(.minutes(5))) struct EpochCallTests {
  /// Runs `before` on a store of the engine, begins a new epoch, and runs `after` with the former
  /// epoch.
  private func inNewEpoch<Kept>(
    _ engine: BothEngines, _ before: (Store) throws -> Kept,
    _ after: (Store, UInt64, Kept) throws -> Void
  ) throws {
    switch engine {
    case .sqlite:
      let directory = try TemporaryDirectory()
      let store = try directory.open()
      let kept = try before(store)
      store.close()
      _ = try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)
      try after(try directory.open(), store.epoch, kept)
    case .postgreSQL:
      let directory = try TemporaryDirectory()
      let database = try SharedDatabase()
      let store = try database.open()
      let kept = try before(store)
      store.close()
      _ = try StoreEpochs.beginNew(
        dataDirectory: directory.path,
        database: PostgresServer.sharedAddress(database: database.name))
      try after(try database.open(), store.epoch, kept)
    }
  }

  private func refusal(_ body: () throws -> some Any) -> StoreError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func options(_ archer: Int64, knowing epoch: UInt64) -> CommandOptions {
    CommandOptions(caller: CommandCaller(principal: archer, knownEpoch: epoch))
  }

  private func itemCount(_ store: Store, of archer: Int64) throws -> Int {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: archer, EquipmentFilter(), pageSize: 500, pageToken: ""
      ).items.count
    }
  }

  @Test(
    "revision 0 matches for a caller that states the current epoch or none, and not another one",
    arguments: BothEngines.allCases)
  func anyRevision(engine: BothEngines) throws {
    let plan = MilestonePlan(
      unit: .kilogram, startThousandths: 80_000, goalThousandths: 70_000, stepThousandths: 5_000,
      startDay: 20_000)
    try inNewEpoch(engine) { store in
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
      ).id
      _ = try store.perform(try SetWeightPlan(plan, revision: 0), .of(archer))
      return (archer, try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer)).id)
    } _: { store, formerEpoch, kept in
      let (archer, item) = kept
      let former = options(archer, knowing: formerEpoch)
      let archived = refusal { try store.perform(ArchiveEquipment(.riser, .id(item)), former) }
      let deleted = refusal { try store.perform(DeleteEquipment(.riser, .id(item)), former) }
      for error in [archived, deleted] {
        #expect(error?.code == .aborted)
        guard case .equipment(let current)? = error?.current else {
          Issue.record("the error has no current object")
          continue
        }
        #expect(current.id == item && !current.isArchived)
      }
      let ended = refusal { try store.perform(DeleteWeightPlan(), former) }
      #expect(ended?.code == .aborted)
      guard case .weightPlan? = ended?.current else {
        Issue.record("the error has no current object")
        return
      }
      let current = options(archer, knowing: store.epoch)
      #expect(try store.perform(ArchiveEquipment(.riser, .id(item)), current).isArchived)
      try store.perform(DeleteWeightPlan(), current)
      try store.perform(DeleteEquipment(.riser, .id(item)), .of(archer))
      #expect(try itemCount(store, of: archer) == 0)
    }
  }

  @Test(
    "a call whose key was made before the epoch, and is not kept, is told that it may be lost",
    arguments: BothEngines.allCases)
  func keys(engine: BothEngines) throws {
    let now = UInt64(StoreClock.system.wallMilliseconds())
    let known = try UUIDv7.make(unixMilliseconds: now - 60_000)
    let lost = try UUIDv7.make(unixMilliseconds: now - 30_000)
    // Of a clock that is ahead by an hour, so that the epoch begins before it.
    let later = try UUIDv7.make(unixMilliseconds: now + 3_600_000)
    let random: [UInt8] = Array(repeating: 0x42, count: 16)
    try inNewEpoch(engine) { store in
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
      ).id
      // In the first epoch no key is too old.
      _ = try store.call(try CreateEquipment(.riser()), .of(archer, key: known), reply: [7])
      return archer
    } _: { store, formerEpoch, archer in
      func send(
        _ key: [UInt8], madeIn epoch: UInt64 = 0, clientID: [UInt8] = []
      ) throws -> [UInt8] {
        var options = CommandOptions.of(archer)
        options.idempotency = CommandKey(
          key: key, requestHash: [UInt8](repeating: 0, count: 32), epoch: epoch)
        return try store.call(
          try CreateEquipment(.riser(), clientID: clientID), options, reply: [8])
      }
      #expect(try send(known) == [7])
      #expect(try itemCount(store, of: archer) == 1)
      for error in [
        refusal { try send(lost) }, refusal { try send(lost, madeIn: formerEpoch) },
        refusal { try send(random, madeIn: formerEpoch) },
        refusal { try send(later, madeIn: formerEpoch) },
      ] {
        #expect(error?.code == .failedPrecondition && error?.field == "idempotency_key")
        #expect(error?.message.contains("may have been lost") == true)
        #expect(error?.message.contains("new key") == true)
      }
      #expect(try itemCount(store, of: archer) == 1)
      // What is not of before, as far as anybody knows, has its effect.
      #expect(try send(later) == [8])
      #expect(try send(random) == [8])
      let old = try UUIDv7.make(unixMilliseconds: now - 90_000_000)
      #expect(try send(old) == [8])
      #expect(try send(lost, madeIn: store.epoch) == [8])
      #expect(try itemCount(store, of: archer) == 5)
      // A client_id tells a repeated call in every epoch.
      let key = try UUIDv7.make(unixMilliseconds: now - 20_000)
      #expect(try send(key, clientID: lost) == [8])
      let other = try UUIDv7.make(unixMilliseconds: now - 10_000)
      #expect(try send(other, madeIn: formerEpoch, clientID: lost) == [8])
      #expect(try itemCount(store, of: archer) == 6)
    }
  }

  @Test("what a command says itself comes before what is said of its key")
  func ownRefusal() throws {
    let key = try UUIDv7.make(
      unixMilliseconds: UInt64(StoreClock.system.wallMilliseconds()) - 60_000)
    try inNewEpoch(.sqlite) { store in
      try store.perform(try CreateEquipment(.riser()), .of(1))
    } _: { store, _, item in
      let error = refusal {
        try store.call(
          try UpdateEquipment(
            .riser("Fivics"), of: .id(item.id), revision: item.revision, mask: ["brand"]),
          .of(1, key: key), reply: [])
      }
      #expect(error?.code == .aborted && error?.current != nil)
      let absent = refusal {
        try store.call(DeleteEquipment(.riser, .id(item.id + 1)), .of(1, key: key), reply: [])
      }
      #expect(absent?.code == .notFound)
    }
  }

  @Test("a copy on the other engine keeps when its epoch began")
  func copied() throws {
    let key = try UUIDv7.make(
      unixMilliseconds: UInt64(StoreClock.system.wallMilliseconds()) - 60_000)
    let directory = try TemporaryDirectory()
    try directory.open().close()
    _ = try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)
    let sqlite = try directory.open()
    let archer = try sqlite.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    func expectRefused(_ store: Store) {
      let error = refusal {
        try store.call(try CreateEquipment(.riser()), .of(archer, key: key), reply: [])
      }
      #expect(error?.code == .failedPrecondition)
    }
    expectRefused(sqlite)
    sqlite.close()
    let database = try PostgresServer.shared.makeDatabase()
    let address = PostgresServer.sharedAddress(database: database)
    _ = try StoreTransfer.run(from: directory.path, to: address, rowsPerSlice: 100)
    var configuration = StoreConfiguration(directory: try TemporaryDirectory().path)
    configuration.databaseAddress = address
    let copy = try Store(configuration)
    expectRefused(copy)
    copy.close()
    let back = try TemporaryDirectory()
    _ = try StoreTransfer.run(fromDatabase: address, to: back.path, rowsPerSlice: 100)
    expectRefused(try back.open())
  }
}
