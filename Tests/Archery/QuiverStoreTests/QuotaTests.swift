import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Quotas of principals", .timeLimit(.minutes(5)))
struct QuotaTests {
  private static func quotas(_ change: (inout StoreQuotas) -> Void) -> StoreQuotas {
    var quotas = StoreQuotas.none
    change(&quotas)
    return quotas
  }

  /// Creates risers until one is refused; returns how many were stored, and the refusal.
  private static func fill(
    _ store: Store, _ principal: Int64, atMost limit: Int = 1_000
  ) -> (count: Int, refusal: StoreError?) {
    for count in 0..<limit {
      do throws(StoreError) {
        var riser = EquipmentContent.riser()
        riser.set("notes", .text(String(repeating: "n", count: 1_000)))
        _ = try store.perform(try CreateEquipment(riser), .of(principal))
      } catch {
        return (count, error)
      }
    }
    return (limit, nil)
  }

  private static func usage(_ store: Store, _ principal: Int64) throws -> UsageRecord {
    try store.read { (snapshot) throws(StoreError) in try snapshot.usage(principal: principal) }
  }

  @Test("A principal at its quota of bytes is refused, may delete, and then store again")
  func bytes() throws {
    let store = try TemporaryDirectory().open(quotas: Self.quotas { $0.storedBytes = 20_000 })
    let (count, refusal) = Self.fill(store, 1)
    #expect((10...20).contains(count))
    #expect(refusal?.code == .resourceExhausted && refusal?.notProcessed == true)
    #expect(refusal?.message.hasPrefix("stored-bytes: the limit is 20000 and ") == true)
    #expect(refusal?.retryAfterMilliseconds == nil)
    // Another principal is not concerned.
    _ = try store.perform(try CreateEquipment(.riser()), .of(2))
    let full = try Self.usage(store, 1)
    #expect(full.storedBytes >= 20_000 && full.storedBytes < 22_000)
    for id in 1...Int64(5) { try store.perform(DeleteEquipment(.riser, .id(id)), .of(1)) }
    #expect(try Self.usage(store, 1).rows == Int64(count) - 5)
    #expect(Self.fill(store, 1).count == 5)
    #expect(try store.verify() == [])
  }

  @Test("A principal at its quota of rows is refused")
  func rows() throws {
    let store = try TemporaryDirectory().open(quotas: Self.quotas { $0.storedRows = 7 })
    let (count, refusal) = Self.fill(store, 1)
    #expect(count == 7)
    #expect(refusal?.message.hasPrefix("stored-rows: the limit is 7 and 7 rows") == true)
  }

  @Test("A principal that writes too fast is told when to try again, and is accepted then")
  func rate() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(
      clock: clock, quotas: Self.quotas { $0.storedBytesPerMinute = 60_000 })
    let (count, refusal) = Self.fill(store, 1)
    #expect((30...60).contains(count))
    #expect(refusal?.code == .resourceExhausted && refusal?.notProcessed == true)
    #expect(refusal?.message.hasPrefix("stored-bytes-per-minute:") == true)
    let wait = try #require(refusal?.retryAfterMilliseconds)
    #expect((1...2_000).contains(wait))
    _ = try store.perform(try CreateEquipment(.riser()), .of(2))
    clock.pass(milliseconds: Int64(wait))
    #expect((1...3).contains(Self.fill(store, 1).count))
    clock.pass(milliseconds: 60_000)
    #expect(Self.fill(store, 1).count >= count - 1)
  }

  @Test("A principal with too many keys is refused, and a retry of another is not executed twice")
  func keys() throws {
    let store = try TemporaryDirectory().open(quotas: Self.quotas { $0.idempotencyKeys = 50 })
    let other = try Self.create(store, 2, key: 0)
    var refusal: StoreError?
    var count = 0
    while refusal == nil, count < 200 {
      do throws(StoreError) {
        _ = try Self.create(store, 1, key: UInt8(count))
        count += 1
      } catch {
        refusal = error
      }
    }
    #expect(count == 50)
    #expect(refusal?.code == .resourceExhausted && refusal?.notProcessed == true)
    #expect(refusal?.message.hasPrefix("idempotency-keys: the limit is 50 and 50 keys") == true)
    // Its own retries are answered from the stored replies, and calls without a key are accepted.
    let rows = try Self.usage(store, 1).rows
    _ = try Self.create(store, 1, key: 0)
    #expect(try Self.usage(store, 1).rows == rows)
    _ = try store.perform(try CreateEquipment(.riser()), .of(1))
    #expect(try Self.create(store, 2, key: 0) == other)
    #expect(try Self.usage(store, 2).rows == 1)
    #expect(try store.verify() == [])
  }

  @Test("When the keys of all are too many, those who have few are accepted")
  func totalKeys() throws {
    let store = try TemporaryDirectory().open(quotas: Self.quotas { $0.totalKeyBytes = 1 })
    for key in 0..<20 { _ = try Self.create(store, 1, key: UInt8(key)) }
    try store.perform(
      Script("UPDATE usage SET keys = \(StoreLimits.sparedIdempotencyKeys)"), .of(0))
    let refusal = #expect(throws: StoreError.self) { try Self.create(store, 1, key: 100) }
    #expect(refusal?.message.hasPrefix("total-idempotency-key-bytes:") == true)
    _ = try Self.create(store, 2, key: 0)
  }

  @Test("Kept replies count, and are returned when the key is removed after 24 hours")
  func replies() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(
      clock: clock, quotas: Self.quotas { $0.keyBytes = 3_000 })
    var refusal: StoreError?
    for key in 0..<UInt8(30) where refusal == nil {
      do throws(StoreError) {
        _ = try Self.create(store, 1, key: key, replyBytes: 1_000)
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.message.hasPrefix("idempotency-key-bytes: the limit is 3000 and 3384") == true)
    clock.pass(milliseconds: StoreLimits.idempotencyKeepMilliseconds + 1)
    // Expiry takes a slice with every so many commands.
    for _ in 0...StoreLimits.commandsPerExpiry {
      _ = try store.perform(try CreateEquipment(.riser()), .of(2))
    }
    #expect(try Self.usage(store, 1).keys <= 1)
    _ = try Self.create(store, 1, key: 99)
    #expect(try store.verify() == [])
  }

  @Test("What is counted equals what is stored, for everything that an account can hold")
  func exact() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let account = try FullAccount(in: store, mark: "x")
    #expect(try store.verify() == [])
    #expect(try Self.usage(store, account.principal).rows > 20)
    store.close()
  }

  @Test("Invites, grants, certificate bindings and the audit count for those who made them")
  func administration() throws {
    let store = try TemporaryDirectory().open()
    let nobody = CommandOptions.of(0)
    let admin = try store.perform(
      CreatePrincipal(kind: .administrator, displayName: "A"), nobody
    ).id
    let user = try store.perform(CreatePrincipal(kind: .user, displayName: "U"), nobody).id
    let service = try store.perform(CreatePrincipal(kind: .service, displayName: "S"), nobody).id
    func added(_ body: () throws -> Void) throws -> Int64 {
      let before = try Self.usage(store, admin)
      try body()
      let after = try Self.usage(store, admin)
      #expect(after.storedBytes > before.storedBytes)
      return after.rows - before.rows
    }
    // Each with its row of the audit.
    let invites = try added {
      _ = try store.perform(try CreateInvite(label: "club", uses: 1), .of(admin))
    }
    let grants = try added {
      _ = try store.perform(GrantActing(service: service, user: user), .of(admin))
    }
    let bindings = try added {
      _ = try store.perform(
        BindCertificate(principal: user, name: try CertificateName(.dns, "board.example")),
        .of(admin))
    }
    #expect([invites, grants, bindings] == [2, 2, 2])
    _ = try store.perform(RevokeActing(service: service, user: user), .of(admin))
    #expect(try store.verify() == [])
  }

  @Test("An event is finalised though its organiser's quota is full, and then not opened again")
  func finalising() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let robin = try bench.archer()
    let own = try bench.join(robin, event)
    try bench.start(event)
    try bench.record(own.id, 0, 0, "9", as: robin)
    let full = Script(
      "UPDATE usage SET rows = \(StoreLimits.storedRowsPerPrincipal)")
    try bench.store.perform(full, .of(0))
    let paused = bench.refusal {
      try bench.perform(try ChangeTournamentState(event.head.id, .pause))
    }
    #expect(paused?.code == .resourceExhausted)
    #expect(try bench.finalise(event).head.status == .completed)
    try bench.store.perform(full, .of(0))
    let reopened = bench.refusal {
      try bench.perform(try ChangeTournamentState(event.head.id, .reopen, reason: "r"))
    }
    #expect(reopened?.code == .resourceExhausted)
  }

  @Test("A wrong count is found by verify")
  func wrong() throws {
    let store = try TemporaryDirectory().open()
    _ = try store.perform(try CreateEquipment(.riser()), .of(1))
    try store.perform(
      Script("UPDATE usage SET bytes = bytes + 1 WHERE principal_id = 1"), .of(0))
    let findings = try store.verify()
    #expect(findings.map(\.subject) == [.usage])
    #expect(findings.first?.message.hasPrefix("principal 1 has 1 rows of ") == true)
  }

  /// Creates a riser with an idempotency key; returns the reply.
  private static func create(
    _ store: Store, _ principal: Int64, key: UInt8, replyBytes: Int = 1
  ) throws(StoreError) -> [UInt8] {
    let key = [UInt8](repeating: 0, count: 15) + [key]
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    store.submit(
      try CreateEquipment(.riser()), .of(principal, key: key), target: target,
      encode: { [UInt8](repeating: UInt8(clamping: $0.id), count: replyBytes) },
      completion: { results.set(0, $0) })
    target.wait()
    guard let result = results[0] else { return [] }
    return try result.get()
  }
}

/// Runs a statement as it is.
private struct Script: Command {
  let query: Query

  init(_ sql: String) { query = Query(sql) }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(query)
  }
}
