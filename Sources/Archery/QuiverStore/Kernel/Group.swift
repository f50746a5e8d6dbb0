import QuiverSQLite

/// One group of commands in one transaction: begun, applied one after the other, committed.
///
/// A command that fails is taken back alone. Most fail before they have changed anything, so a
/// group begins without savepoints, each of which would copy every page that its command touches.
/// Where a command fails later, the group begins again with a savepoint for each. Where the engine
/// gives up the whole transaction over one command, it begins again without that one. A group lives
/// on the writer's thread.
struct Group {
  let session: Session
  let pageTokenKey: [UInt8]
  let nowMilliseconds: Int64
  let effects: Effects
  let queue: WriterQueue

  /// What became of a group.
  struct Outcome {
    /// One for each command, in order.
    var results: [Result<[UInt8], StoreError>]
    var replayedCount = 0

    /// Set where a write or fsync failed: whether the group is on the disk is not known.
    var fatal: StoreError?
  }

  /// How one attempt at the transaction ended.
  private enum Attempt {
    case committed(replayedCount: Int)
    /// The engine gave the transaction up over the command at this place.
    case lost(at: Int, StoreError)
    /// A command without a savepoint failed after it had changed something.
    case disturbed
    /// Sweeping met a damaged page; the group goes on without it.
    case sweepLost
    case failed(StoreError)
    case fatal(StoreError)
  }

  private static let begin = SQLText("BEGIN IMMEDIATE")
  private static let commit = SQLText("COMMIT")
  private static let rollback = SQLText("ROLLBACK")
  private static let savepoint = SQLText("SAVEPOINT command")
  private static let release = SQLText("RELEASE command")
  private static let goBack = SQLText("ROLLBACK TO command")

  /// Runs the commands, and `sweep` after them in the same transaction.
  func run(_ jobs: [Job], sweep: (Session) throws(StoreError) -> Void) -> Outcome {
    let unset = Result<[UInt8], StoreError>.failure(
      StoreError(.internalError, "the command was never begun", notProcessed: true))
    var outcome = Outcome(results: Array(repeating: unset, count: jobs.count))
    var places = Array(jobs.indices)
    var isGuarded = false
    var isSweeping = true
    while true {
      let mark = effects.mark
      let attempt = attempt(
        jobs, places, isGuarded, &outcome.results, sweep: isSweeping ? sweep : { _ in })
      switch attempt {
      case .committed(let replayedCount):
        outcome.replayedCount = replayedCount
        return outcome
      case .disturbed:
        effects.goBack(to: mark)
        isGuarded = true
      case .sweepLost:
        effects.goBack(to: mark)
        isSweeping = false
      case .lost(let place, let error):
        effects.goBack(to: mark)
        outcome.results[place] = .failure(error)
        places.removeAll { $0 == place }
      case .failed(let error):
        effects.goBack(to: mark)
        for place in places { outcome.results[place] = .failure(error) }
        return outcome
      case .fatal(let error):
        effects.goBack(to: mark)
        for place in places { outcome.results[place] = .failure(error) }
        outcome.fatal = error
        return outcome
      }
    }
  }

  private func attempt(
    _ jobs: [Job], _ places: [Int], _ isGuarded: Bool,
    _ results: inout [Result<[UInt8], StoreError>], sweep: (Session) throws(StoreError) -> Void
  ) -> Attempt {
    var replayedCount = 0
    _ = session.takeFailure()
    do {
      try execute(Self.begin)
    } catch {
      return ending(error)
    }
    for place in places {
      let changesBefore = session.totalChangedRowCount
      let isFollowed = place != places.last
      let (result, isReplay) =
        isGuarded
        ? applyGuarded(jobs[place], isFollowed) : apply(jobs[place], isFollowed)
      results[place] = result
      if isReplay { replayedCount += 1 }
      let failure = session.takeFailure()
      if let failure, failure.code.isFailureOfWriting { return fatal(failure) }
      // SQLite commits nothing any more in a transaction that has met a damaged page.
      if let failure, failure.code.isDamage {
        return givenUp(.lost(at: place, StoreError(failure)))
      }
      guard session.connection.isInTransaction else {
        return .lost(at: place, failure.map(StoreError.init) ?? Self.unexplained)
      }
      if !isGuarded, case .failure = result, session.totalChangedRowCount != changesBefore {
        return givenUp(.disturbed)
      }
    }
    sweepQuietly(sweep)
    if session.takeFailure()?.code.isDamage ?? false { return givenUp(.sweepLost) }
    do {
      try execute(Self.commit)
      return .committed(replayedCount: replayedCount)
    } catch {
      return ending(error)
    }
  }

  /// Gives the transaction up, so that it can begin again.
  private func givenUp(_ attempt: Attempt) -> Attempt {
    guard session.connection.isInTransaction else { return attempt }
    do {
      try execute(Self.rollback)
      return attempt
    } catch {
      return fatal(error)
    }
  }

  /// Applies one command; where it fails, what it has changed stays in the transaction.
  private func apply(
    _ job: Job, _ isFollowed: Bool
  ) -> (Result<[UInt8], StoreError>, isReplay: Bool) {
    let mark = effects.mark
    do throws(StoreError) {
      let transaction = Transaction(
        snapshot: Snapshot(session: session, pageTokenKey: pageTokenKey),
        caller: job.options.caller, nowMilliseconds: nowMilliseconds, effects: effects,
        queue: queue, isFollowed: isFollowed)
      let (reply, isReplay) = try Self.reply(of: job, in: transaction)
      return (.success(reply), isReplay)
    } catch {
      effects.goBack(to: mark)
      return (.failure(error), false)
    }
  }

  /// Applies one command under a savepoint; where it fails, nothing of it stays.
  private func applyGuarded(
    _ job: Job, _ isFollowed: Bool
  ) -> (Result<[UInt8], StoreError>, isReplay: Bool) {
    do {
      try execute(Self.savepoint)
    } catch {
      return (.failure(StoreError(error)), false)
    }
    let outcome = apply(job, isFollowed)
    guard session.connection.isInTransaction else { return outcome }
    do {
      if case .failure = outcome.0 { try execute(Self.goBack) }
      try execute(Self.release)
    } catch {
      // Without its savepoint undone the transaction must not be committed.
      try? execute(Self.rollback)
      return (.failure(StoreError(error)), false)
    }
    return outcome
  }

  private static func reply(
    of job: Job, in transaction: borrowing Transaction
  ) throws(StoreError) -> (reply: [UInt8], isReplay: Bool) {
    guard let idempotency = job.options.idempotency else {
      return (try job.apply(transaction), false)
    }
    if let stored = try transaction.storedReply(idempotency) { return (stored, true) }
    let reply = try job.apply(transaction)
    try transaction.keep(idempotency, reply: job.keepsReply ? reply : nil)
    return (reply, false)
  }

  /// Sweeping that fails costs the group nothing; it is tried again with a later one.
  private func sweepQuietly(_ sweep: (Session) throws(StoreError) -> Void) {
    do {
      try execute(Self.savepoint)
    } catch {
      return
    }
    do {
      try sweep(session)
    } catch {
      try? execute(Self.goBack)
    }
    try? execute(Self.release)
  }

  private func execute(_ text: SQLText) throws(SQLiteError) {
    try session.connection.statement(text).run()
  }

  /// What it means that the transaction could not be begun or ended.
  private func ending(_ error: SQLiteError) -> Attempt {
    switch error.code.primary {
    case .full, .busy, .locked, .outOfMemory, .corrupt, .notADatabase:
      if session.connection.isInTransaction { try? execute(Self.rollback) }
      guard !session.connection.isInTransaction else { return fatal(error) }
      return .failed(StoreError(error))
    default:
      return fatal(error)
    }
  }

  private func fatal(_ error: SQLiteError) -> Attempt {
    .fatal(
      StoreError(
        .unavailable,
        "the server could not write its database and is leaving (SQLite \(error.code.rawValue))"))
  }

  private static var unexplained: StoreError {
    StoreError(.internalError, "the transaction ended early", notProcessed: true)
  }
}

extension ResultCode {
  /// Whether it tells of a page that is not what was written.
  var isDamage: Bool { primary == .corrupt || primary == .notADatabase }

  /// Whether it tells of a write or an fsync that failed, after which the file must not be trusted
  /// to take more; failures of reading concern one command alone.
  var isFailureOfWriting: Bool {
    guard primary == .inputOutput else { return false }
    return ![.inputOutputRead, .inputOutputShortRead, .inputOutputNoMemory, .inputOutputData]
      .contains(self)
  }
}
