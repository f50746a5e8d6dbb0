import QuiverPostgres
import QuiverRules
import QuiverSQLite
import TestPostgres
import TestSupport

@testable import QuiverStore

/// What runs commands in a test: a store on SQLite, or a database of PostgreSQL.
protocol CommandPerformer {
  func perform<C: Command>(_ command: C, _ options: CommandOptions) throws(StoreError) -> C.Reply

  /// Runs a command with an idempotency key; returns the bytes of the reply.
  func call<C: Command>(
    _ command: C, _ options: CommandOptions, reply: [UInt8]
  ) throws(StoreError) -> [UInt8]
}

extension CommandPerformer {
  /// Who shows the code that a principal has now.
  func code(of principal: Int64) throws(StoreError) -> Appointee {
    .code(try perform(ReadIntroductionCode(principal: principal), .of(0)))
  }
}

private struct ReadIntroductionCode: Command {
  let principal: Int64

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> String {
    transaction.snapshot.introductionCode(
      of: principal, nowMilliseconds: transaction.nowMilliseconds
    ).code
  }
}

extension Store: CommandPerformer {
  func call<C: Command>(
    _ command: C, _ options: CommandOptions, reply: [UInt8]
  ) throws(StoreError) -> [UInt8] {
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    submit(
      command, options, target: target, encode: { _ in reply },
      completion: { results.set(0, $0) })
    target.wait()
    guard let result = results[0] else {
      throw StoreError(.internalError, "the command was not completed")
    }
    return try result.get()
  }
}

/// Commands on one connection to a database of PostgreSQL with the store's schema.
final class PostgresPerformer: CommandPerformer {
  let connection: PostgresConnection
  private let commands: PostgresCommands
  private let nowMilliseconds: Int64

  /// How often the latest command was tried.
  private(set) var attemptCount = 0

  init(database: String, nowMilliseconds: Int64 = 1_700_000_000_000) throws {
    self.nowMilliseconds = nowMilliseconds
    connection = try PostgresServer.shared.connect(database: database)
    try PostgresMigrator(connection: connection, nowMilliseconds: nowMilliseconds).migrate()
    let quotas = QuotaCheck(StoreQuotas(), monotonicNanoseconds: { 1_000 })
    commands = PostgresCommands(
      connection, pageTokenKey: Array(repeating: 7, count: 32), quotas: quotas, server: 1,
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds)
  }

  /// A performer on a new database.
  convenience init() throws {
    try self.init(database: try PostgresServer.shared.makeDatabase())
  }

  func perform<C: Command>(
    _ command: C, _ options: CommandOptions
  ) throws(StoreError) -> C.Reply {
    let kept = Kept<C.Reply>()
    _ = try run(command, options) { reply in
      kept.value = reply
      return []
    }
    guard let value = kept.value else {
      throw StoreError(.internalError, "the command gave no reply")
    }
    return value
  }

  func call<C: Command>(
    _ command: C, _ options: CommandOptions, reply: [UInt8]
  ) throws(StoreError) -> [UInt8] {
    try run(command, options) { _ in reply }
  }

  /// Reads in one snapshot.
  func read<Result>(
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws -> Result {
    try connection.begin(.snapshot)
    let result = try body(
      Snapshot(session: Session(connection), pageTokenKey: Array(repeating: 7, count: 32)))
    try connection.commit()
    return result
  }

  private func run<C: Command>(
    _ command: C, _ options: CommandOptions, encode: @escaping @Sendable (C.Reply) -> [UInt8]
  ) throws(StoreError) -> [UInt8] {
    let queued = QueuedCommand(
      options: options, keepsReply: C.keepsReply, isBulk: C.isBulk,
      storesContent: command.isRefusedAtQuota, endsPermissions: C.endsPermissions,
      apply: { (transaction) throws(StoreError) in
        if C.needsActiveCaller { try transaction.checkCallerIsActive() }
        return encode(try command.apply(in: transaction))
      },
      target: RecordingTarget(expecting: 1), completion: { _ in })
    let outcome = commands.run(queued) { nowMilliseconds }
    attemptCount = outcome.attemptCount
    return try outcome.result.get()
  }
}

/// The reply of a command, which runs on the thread that waits for it.
private final class Kept<Value>: @unchecked Sendable {
  var value: Value?
}
