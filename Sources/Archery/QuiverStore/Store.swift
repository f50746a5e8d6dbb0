import QuiverCrypto
import Synchronization

/// The database of a server: one writer, many readers, one data directory.
///
/// Any thread may use it. An acknowledged command is on the disk. A read sees every command that
/// was acknowledged before the read started.
///
/// A store on PostgreSQL has many writers, and other servers may use the same database.
package final class Store: Sendable {
  /// The directory, locked by this store until it is closed.
  package let directory: DataDirectory

  /// What one principal may store.
  package let quotas: StoreQuotas

  /// A random number of this database, part of every resume token.
  package let epoch: UInt64

  /// How long commits, checkpoints and reads take.
  package let times: StoreTimes

  /// The long work that runs now.
  package let work: LongWorkList

  /// Where reads run that may wait for the disk.
  package let reads: ReadScheduler

  /// Where reads of principals run of whom many wait: on few threads of low priority.
  package let crowdedReads: ReadScheduler

  let clock: StoreClock
  let time: StoreTime
  let features: StoreFeatures
  let backups = BackupGate()
  let readers: ReaderPool
  private let engine: Engine
  private let isClosed = Mutex(false)

  private enum Engine: Sendable {
    case sqlite(SQLiteEngine)
    case postgreSQL(PostgresEngine)
  }

  /// Opens the store in a data directory, or in the database that the configuration names, and
  /// creates it if it is missing and the configuration permits it.
  ///
  /// Throws with a message that says what to do if the directory is in use or cannot be written,
  /// or if the database is foreign, damaged or newer.
  package init(_ configuration: StoreConfiguration) throws(StoreError) {
    quotas = configuration.quotas
    work = LongWorkList(clock: configuration.clock)
    if let address = configuration.databaseAddress {
      let own = try PostgresEngine(address, configuration)
      engine = .postgreSQL(own)
      (directory, epoch, times) = (own.directory, own.database.epoch, own.times)
      (clock, time) = (own.database.clock.clock, own.database.time)
      (features, readers, readsReplica) = (own.features, own.readers, own.readsReplica)
    } else {
      let own = try SQLiteEngine(configuration)
      engine = .sqlite(own)
      (directory, epoch, times) = (own.directory, own.epoch, own.times)
      (clock, time) = (configuration.clock, own.time)
      (features, readers, readsReplica) = (own.features, own.readers, false)
    }
    reads = ReadScheduler(.short, times: times.reads)
    crowdedReads = ReadScheduler(.crowded, times: times.reads)
    switch engine {
    case .sqlite(let engine): try engine.start(self)
    case .postgreSQL(let engine): try engine.start(self)
    }
  }

  deinit {
    close()
  }

  /// Writes the queued commands, refuses later ones, and closes the files. It may be called twice.
  ///
  /// It waits for the writer's thread, so it must not be called on that thread, nor may the last
  /// reference to the store be released there.
  package func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    if case .sqlite(let engine) = engine { engine.stopChecks() }
    reads.stop()
    crowdedReads.stop()
    switch engine {
    case .sqlite(let engine): engine.close()
    case .postgreSQL(let engine): engine.close()
    }
  }

  /// The writer of a store on SQLite; nil on PostgreSQL.
  var writer: Writer? {
    if case .sqlite(let engine) = engine { engine.writer } else { nil }
  }

  /// Whether it was not closed.
  package var isOpen: Bool { isClosed.withLock { !$0 } }

  /// Whether other servers may change the database, so that what is in memory can be old.
  package var isShared: Bool {
    if case .postgreSQL = engine { true } else { false }
  }

  /// How far the database of PostgreSQL has come; nil on SQLite, where no other server changes it.
  package var positions: StorePositions? {
    if case .postgreSQL(let engine) = engine { engine.positions } else { nil }
  }

  /// Whether reads of calls that state a position may run on a replica.
  package let readsReplica: Bool

  /// Where the reads of a call may run that states this position; nil: on the primary.
  package func readOrigin(at position: Int64) -> ReadOrigin? {
    if case .postgreSQL(let engine) = engine { engine.readOrigin(at: position) } else { nil }
  }

  /// Why the start has begun a new epoch, since the database of PostgreSQL was set back; nil if it
  /// has not.
  package var epochReason: String? {
    if case .postgreSQL(let engine) = engine { engine.database.epochReason } else { nil }
  }

  /// What is known of the database of PostgreSQL; nil on SQLite.
  package var databaseStatus: DatabaseStatus? {
    if case .postgreSQL(let engine) = engine { engine.status } else { nil }
  }

  /// The size of the write-ahead log that the start recovered after a crash; nil: the last stop
  /// was clean, or there was no log.
  package var recoveredLogByteCount: Int64? {
    if case .sqlite(let engine) = engine { engine.recoveredLogByteCount } else { nil }
  }

  /// What the writer has done since the store was opened.
  package var statistics: StoreStatistics {
    switch engine {
    case .sqlite(let engine): engine.writer.statistics.withLock { $0 }
    case .postgreSQL(let engine): engine.workers.statistics.withLock { $0 }
    }
  }

  /// The schedule of backups; nil if there is none.
  package var backupStatus: BackupStatus? { backups.status }

  /// The number of commands that wait for the writer.
  package var queuedCommandCount: Int {
    switch engine {
    case .sqlite(let engine): engine.writer.queue.count
    case .postgreSQL(let engine): engine.workers.queue.count
    }
  }

  /// The number of commands that may wait for the writer.
  package var queuedCommandLimit: Int {
    switch engine {
    case .sqlite(let engine): engine.writer.queue.capacity
    case .postgreSQL(let engine): engine.workers.queue.capacity
    }
  }

  /// Why a command of the principal would be refused now, before it is made; nil if it would be
  /// accepted.
  package func queueRefusal(of principal: Int64) -> StoreError? {
    switch engine {
    case .sqlite(let engine): engine.writer.queue.refusal(of: principal)
    case .postgreSQL(let engine): engine.workers.queue.refusal(of: principal)
    }
  }

  /// The number of commands so far that are not bulk commands (``Command/isBulk``).
  package var singleCommandCount: UInt64 {
    switch engine {
    case .sqlite(let engine): engine.writer.queue.singleCount
    case .postgreSQL(let engine): engine.workers.queue.singleCount
    }
  }

  /// Replaces the hooks of the configuration.
  package func install(_ hooks: StoreHooks) {
    switch engine {
    case .sqlite(let engine): engine.install(hooks)
    case .postgreSQL(let engine): engine.install(hooks)
    }
  }

  /// Calls `observer` after each commit that wrote to the change journal, with the latest sequence
  /// and the changed keys. It is called on the writer's thread until the store is closed; on
  /// PostgreSQL after the commits of all servers, on the thread that follows the journal.
  package func observeCommits(
    _ observer: @escaping @Sendable (_ sequence: Int64, _ keys: Set<ChangedKey>) -> Void
  ) {
    let observer = JournalObserver(body: observer)
    switch engine {
    case .sqlite(let engine): engine.writer.observers.withLock { $0.append(observer) }
    case .postgreSQL(let engine): engine.follower.append(observer)
    }
  }

  /// Runs `body` on one snapshot of the database, on the calling thread.
  ///
  /// Keep it short and never wait in it, because an open snapshot blocks checkpoints. After
  /// `StoreConfiguration.readMilliseconds` the running statement ends with DEADLINE_EXCEEDED. Do
  /// not nest reads.
  package func read<Result>(
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try readers.read(body)
  }

  /// The same for a body that mostly runs one statement, such as a read of one object.
  ///
  /// On PostgreSQL it is the fastest read, without a transaction. If the body runs a second
  /// statement, it runs again from the start in a transaction, so it must have no effect besides.
  package func readOne<Result>(
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try readers.read(isOneStatement: true, body)
  }

  /// Queues a command. `completion` runs through `target` once its commit batch is on the disk.
  ///
  /// `encode` runs on the writer's thread, within the transaction, and may run again with another
  /// reply if the batch starts again. A command that is refused at once is delivered before
  /// `submit` returns.
  package func submit<C: Command>(
    _ command: C, _ options: CommandOptions, target: any CompletionTarget,
    encode: @escaping @Sendable (C.Reply) -> [UInt8],
    completion: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
  ) {
    let queued = QueuedCommand(
      options: options,
      submittedNanoseconds: options.onPhase == nil ? 0 : clock.monotonicNanoseconds(),
      keepsReply: C.keepsReply, isBulk: C.isBulk,
      storesContent: command.isRefusedAtQuota, endsPermissions: C.endsPermissions,
      apply: { (transaction) throws(StoreError) in
        if C.needsActiveCaller { try transaction.checkCallerIsActive() }
        let reply = try command.apply(in: transaction)
        if !command.isToldByClientIDs {
          try transaction.checkIsOfThisEpoch(options.idempotency)
        }
        return encode(reply)
      },
      target: target, completion: completion)
    if let refusal = Self.refusal(of: options) ?? append(queued) {
      QueuedCommand.deliver([(queued, .failure(refusal))])
    }
  }

  private func append(_ command: QueuedCommand) -> StoreError? {
    switch engine {
    case .sqlite(let engine): engine.writer.queue.append(command)
    case .postgreSQL(let engine): engine.workers.queue.append(command)
    }
  }

  /// Runs a command and waits for it, for programs at their start and for tests.
  ///
  /// Never call it on a thread that others wait for. It takes no idempotency key.
  package func perform<C: Command>(
    _ command: C, _ options: CommandOptions
  ) throws(StoreError) -> C.Reply {
    precondition(options.idempotency == nil, "perform takes no idempotency key.")
    let waiter = Waiter<C.Reply>()
    submit(command, options, target: waiter) { reply in
      waiter.keep(reply)
      return []
    } completion: { result in
      waiter.finish(result)
    }
    return try waiter.wait()
  }

  private static func refusal(of options: CommandOptions) -> StoreError? {
    guard let idempotency = options.idempotency else { return nil }
    guard idempotency.key.count == StoreLimits.keyByteCount,
      idempotency.requestHash.count == SHA256.byteCount
    else {
      return StoreError(
        .invalidArgument, "an idempotency key has 16 bytes", field: "idempotency_key",
        notProcessed: true)
    }
    return nil
  }
}

/// The thread that waits in `perform`.
private final class Waiter<Reply: Sendable>: CompletionTarget {
  private let state = Monitor(State())

  private struct State: Sendable {
    var reply: Reply?
    var result: Result<[UInt8], StoreError>?
  }

  func keep(_ reply: Reply) {
    state.withLock { $0.reply = reply }
  }

  func finish(_ result: Result<[UInt8], StoreError>) {
    state.withLock { $0.result = result }
    state.broadcast()
  }

  func wait() throws(StoreError) -> Reply {
    let outcome = state.wait { state in
      state.result.map { (result: $0, reply: state.reply) }
    }
    _ = try outcome?.result.get()
    guard let reply = outcome?.reply else {
      throw StoreError(.internalError, "the command gave no reply")
    }
    return reply
  }

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions { completion() }
  }
}
