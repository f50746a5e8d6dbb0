import Dispatch
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("What is counted stays equal to what is stored", .timeLimit(.minutes(5)))
struct UsageModelTests {
  private static let principals: ClosedRange<Int64> = 101...104

  @Test(
    "Random commands, rollbacks, kills and erasures count exactly",
    arguments: [0, UInt64.random(in: 1...UInt64.max)])
  func random(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var directory = try TemporaryDirectory()
    var store = try directory.open()
    var accounts = 0
    for step in 0..<120 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60: Self.batch(store, &random)
      case 60..<70: try Self.failures(store, &random)
      case 70..<90:
        let (owner, number) = (Self.owner(&random), Int.random(in: 0..<9, using: &random))
        let value = String(repeating: "v", count: Int.random(in: 1..<900, using: &random))
        _ = try store.perform(SetPreference(key: "key.\(number)", value: value), .of(owner))
      case 90..<93 where accounts < 3:
        accounts += 1
        let mark = "seed\(accounts)"
        let account = try FullAccount(in: store, mark: mark)
        if Bool.random(using: &random) {
          try store.perform(DeleteAccount(confirmation: mark + " Robin"), .of(account.principal))
        }
      case 93..<97:
        // What a kill leaves: the files as they are.
        let copy = try TemporaryDirectory()
        #expect(try directory.run("cp quiver.db quiver.db-wal '\(copy.path)'") == 0)
        store.close()
        directory = copy
        store = try directory.open()
      default:
        let findings = try store.verify()
        #expect(findings == [], "seed \(seed), step \(step)")
      }
    }
    let findings = try store.verify()
    #expect(findings == [], "seed \(seed)")
    store.close()
  }

  @Test("A statement that fails within a command that succeeds counts nothing")
  func caught() throws {
    let store = try TemporaryDirectory().open()
    try store.perform(CaughtFailure(), .of(1))
    let usage = try store.read { (snapshot) throws(StoreError) in
      try snapshot.usage(principal: 1)
    }
    #expect(usage.rows == 1)
    #expect(try store.verify() == [])
  }

  @Test("The keys of all principals are as many as the table says after commits and rollbacks")
  func keys() throws {
    let store = try TemporaryDirectory().open()
    let shown = Mutex<[Int64]>([])
    let look = KeptKeysLook { count in shown.withLock { $0.append(count) } }
    for number in 0..<10 {
      try Self.submit([.create(key: UInt8(number)), .fail], store, owner: 1)
      try store.perform(look, .of(1))
    }
    #expect(shown.withLock { $0 } == Array(1...10))
  }

  // MARK: Commands

  private enum Step {
    case create(key: UInt8?)
    case delete(Int64)
    case fail
  }

  private static func owner(_ random: inout SeededGenerator) -> Int64 {
    Int64.random(in: principals, using: &random)
  }

  /// Commands of one batch, of which some fail after they have changed something.
  private static func batch(_ store: Store, _ random: inout SeededGenerator) {
    let steps = (0..<Int.random(in: 1..<9, using: &random)).map { _ -> Step in
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: .create(key: nil)
      case 4..<7: .create(key: UInt8.random(in: 0..<200, using: &random))
      case 7..<9: .delete(Int64.random(in: 1..<200, using: &random))
      default: .fail
      }
    }
    try? submit(steps, store, owner: owner(&random))
  }

  private static func submit(_ steps: [Step], _ store: Store, owner: Int64) throws {
    let gate = store.closeGate()
    let target = RecordingTarget(expecting: steps.count)
    for step in steps {
      switch step {
      case .create(let key):
        var riser = EquipmentContent.riser()
        riser.set("notes", .text(String(repeating: "é", count: Int(key ?? 3) * 3)))
        let options: CommandOptions =
          key.map { .of(owner, key: [UInt8](repeating: UInt8(owner), count: 15) + [$0]) }
          ?? .of(owner)
        store.submit(
          try CreateEquipment(riser), options, target: target,
          encode: { _ in [UInt8](repeating: 1, count: Int(key ?? 1)) }, completion: { _ in })
      case .delete(let id):
        store.submit(
          DeleteEquipment(.riser, .id(id)), .of(owner), target: target, encode: { _ in [] },
          completion: { _ in })
      case .fail:
        store.submit(
          FailingInsert(), .of(owner), target: target, encode: { _ in [] }, completion: { _ in })
      }
    }
    gate.opened.signal()
    target.wait()
  }

  private static func failures(_ store: Store, _ random: inout SeededGenerator) throws {
    let owner = owner(&random)
    #expect(throws: StoreError.self) { try store.perform(FailingInsert(), .of(owner)) }
    try store.perform(CaughtFailure(), .of(owner))
  }
}

/// Inserts a counted row and fails.
private struct FailingInsert: Command {
  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.setExample("failing", "x")
    throw StoreError(.failedPrecondition, "on purpose")
  }
}

/// Inserts a counted row, and ignores that a statement fails after its first row.
private struct CaughtFailure: Command {
  private static let twice = Query(
    """
    INSERT INTO preference (principal_id, key, value, updated_at_ms)
    SELECT ?1, 'twice', value, 1 FROM (SELECT 'a' AS value UNION ALL SELECT 'b')
    """)

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.setExample("caught", "abc")
    do throws(StoreError) {
      try transaction.run(Self.twice, .integer(transaction.caller.principal))
      throw StoreError(.internalError, "the statement did not fail")
    } catch {
      guard error.code != .internalError || error.message.contains("SQLite") else { throw error }
      _ = transaction.snapshot.session.takeFailure()
    }
  }
}

extension Transaction {
  private static let insert = Query(
    """
    INSERT INTO preference (principal_id, key, value, updated_at_ms) VALUES (?1, ?2, ?3, 1)
    ON CONFLICT (principal_id, key) DO UPDATE SET value = excluded.value
    """)

  fileprivate func setExample(_ key: String, _ value: String) throws(StoreError) {
    try run(Self.insert, .integer(caller.principal), .text(key), .text(value))
  }
}

/// Hands the number of all keys to a closure.
private struct KeptKeysLook: Command {
  let body: @Sendable (Int64) -> Void

  init(_ body: @escaping @Sendable (Int64) -> Void) { self.body = body }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    body(try transaction.snapshot.keptKeys().count)
  }
}
