import QuiverSQLite

/// The commands that wait for the writer.
///
/// Commands of one principal keep their order. The writer takes the commands of principals that
/// have used little of its time first (``FairQueue``), so that a principal with many or long
/// commands does not delay the others, and no principal has more than its share of the queue.
final class WriterQueue: Sendable {
  private let state = Monitor(State())
  let capacity: Int
  private let share: Int
  private let batchSize: Int

  fileprivate struct State {
    var commands = FairQueue()
    var singleCount: UInt64 = 0
    var tasks: [any BackgroundTask] = []
    var isStopping = false
    var failure: StoreError?
  }

  /// What the writer does next.
  enum Next {
    case batch([QueuedCommand])
    /// No command waits: the background task may continue.
    case task(any BackgroundTask)
    case stop
  }

  init(capacity: Int, batchSize: Int) {
    self.capacity = capacity
    share = StoreLimits.commandShare(of: capacity)
    self.batchSize = max(1, batchSize)
  }

  /// How many commands wait.
  var count: Int { state.withLock { $0.commands.count } }

  /// How many commands have arrived that are not bulk commands.
  var singleCount: UInt64 { state.withLock { $0.singleCount } }

  /// Whether a command waits that is not a bulk command.
  var hasSingle: Bool {
    state.withLock { $0.commands.hasSingle }
  }

  /// Adds a command, or returns why it is refused.
  func append(_ command: QueuedCommand) -> StoreError? {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal(of: command.options.caller.principal, capacity, share) {
        return refusal
      }
      state.commands.append(command)
      if !command.isBulk { state.singleCount += 1 }
      return nil
    }
    if refusal == nil { state.signal() }
    return refusal
  }

  /// Why a command of the principal would be refused now; nil if it would be accepted.
  func refusal(of principal: Int64) -> StoreError? {
    state.withLock { $0.refusal(of: principal, capacity, share) }
  }

  /// The next batch, at most `batchSize` commands; nil if nothing arrived in the given time.
  func next(waitingMilliseconds: UInt64?) -> Next? {
    state.wait(milliseconds: waitingMilliseconds) { state in
      let batch = state.commands.take(atMost: batchSize)
      guard batch.isEmpty else { return .batch(batch) }
      return state.isStopping ? .stop : state.tasks.first.map(Next.task)
    }
  }

  /// Whether the batch that was taken last should end soon, because somebody waits for it with a
  /// single command.
  var isBatchAwaited: Bool { state.withLock { $0.commands.isBatchAwaited } }

  /// Charges principals for the time of their commands, and returns those that were taken and not
  /// applied to the front of the queue. The limits do not apply to these, because they were
  /// accepted before.
  func completeBatch(
    _ charges: [Int64: FairQueue.Charge], puttingBack commands: ArraySlice<QueuedCommand>
  ) {
    state.withLock { state in
      state.commands.putBack(commands)
      state.commands.charge(charges)
    }
  }

  /// The background task that continues between batches, if any.
  var task: (any BackgroundTask)? { state.withLock { $0.tasks.first } }

  /// Adds a background task; tasks run one after the other.
  func append(_ task: any BackgroundTask) throws(StoreError) {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal { return refusal }
      state.tasks.append(task)
      return nil
    }
    if let refusal { throw refusal }
    state.signal()
  }

  /// Removes a task that is complete.
  func remove(_ task: any BackgroundTask) {
    state.withLock { $0.tasks.removeAll { $0 === task } }
  }

  /// Removes and returns every task.
  func takeTasks() -> [any BackgroundTask] {
    state.withLock { state in
      defer { state.tasks = [] }
      return state.tasks
    }
  }

  /// Accepts no more commands; those that wait are still written.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
  }

  /// Refuses every command from now on with `failure`; returns those that were waiting.
  func fail(_ failure: StoreError) -> [QueuedCommand] {
    state.withLock { state in
      state.failure = failure
      state.isStopping = true
      return state.commands.takeAll()
    }
  }
}

extension WriterQueue.State {
  /// Why no command of a principal is accepted; nil if one is.
  fileprivate func refusal(
    of principal: Int64, _ capacity: Int, _ share: Int
  ) -> StoreError? {
    if let refusal { return refusal }
    guard commands.count < capacity else {
      return StoreError.reached(
        .queuedCommands, "too many commands wait to be written",
        retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
    }
    guard commands.count(of: principal) < share else {
      return StoreError.reached(
        .queuedCommands, "too many commands of this principal wait to be written",
        retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
    }
    return nil
  }

  /// Why no command is accepted; nil if commands are accepted.
  fileprivate var refusal: StoreError? {
    if let failure { return failure }
    guard isStopping else { return nil }
    return StoreError(.unavailable, "the store is closing", notProcessed: true)
  }
}

/// Long work on the writer's connection, done in slices between commit batches.
protocol BackgroundTask: AnyObject, Sendable {
  /// Does one slice of the work, outside of any transaction; returns whether all is done.
  func slice(on connection: Connection) -> Bool

  /// Called if the writer ends before the task is complete.
  func abandon(_ error: StoreError)
}
