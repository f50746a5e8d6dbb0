/// The commands that wait for a worker (``PostgresWorkers``).
///
/// Commands of one principal run one after the other, in their order; those of different principals
/// run at the same time. The order between principals, the limits and the refusals are those of
/// ``WriterQueue``. Commands of nobody, which have the principal 0, have no order.
final class WorkerQueue: Sendable {
  private let state = Monitor(State())
  let capacity: Int
  private let share: Int

  fileprivate struct State {
    /// The next command of each principal of which none runs.
    var ready = FairQueue()
    /// The commands behind the one of the principal that is ready or runs.
    var held: [Int64: Held] = [:]
    var heldCount = 0
    var runningCount = 0
    var singleCount: UInt64 = 0
    var isStopping = false

    var count: Int { ready.count + heldCount }
  }

  /// The commands of one principal; those before `head` were taken.
  fileprivate struct Held {
    var list: [QueuedCommand] = []
    var head = 0
    var count: Int { list.count - head }

    mutating func take() -> QueuedCommand? {
      guard head < list.count else { return nil }
      defer {
        head += 1
        if head > list.count / 2 {
          list.removeFirst(head)
          head = 0
        }
      }
      return list[head]
    }
  }

  init(capacity: Int) {
    self.capacity = capacity
    share = StoreLimits.commandShare(of: capacity)
  }

  /// How many commands wait.
  var count: Int { state.withLock { $0.count } }

  /// How many commands have arrived that are not bulk commands.
  var singleCount: UInt64 { state.withLock { $0.singleCount } }

  /// Adds a command, or returns why it is refused.
  func append(_ command: QueuedCommand) -> StoreError? {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal(of: command.options.caller.principal, capacity, share) {
        return refusal
      }
      state.append(command)
      return nil
    }
    if refusal == nil { state.signal() }
    return refusal
  }

  /// Why a command of the principal would be refused now; nil if it would be accepted.
  func refusal(of principal: Int64) -> StoreError? {
    state.withLock { $0.refusal(of: principal, capacity, share) }
  }

  /// The next command, for which ``completed(_:nanoseconds:)`` must be called; nil if the queue has
  /// stopped and all commands have been taken.
  func next() -> QueuedCommand? {
    let next = state.wait { state -> QueuedCommand?? in
      if let command = state.ready.take(atMost: 1).first {
        state.runningCount += 1
        return .some(command)
      }
      // Those that run may have others behind them.
      return state.isStopping && state.runningCount == 0 ? .some(nil) : nil
    }
    return next ?? nil
  }

  /// A command has ended after so many nanoseconds: the next one of its principal may run. The
  /// thread that calls it must call ``next()`` afterwards.
  func completed(_ command: QueuedCommand, nanoseconds: UInt64) {
    let principal = command.options.caller.principal
    let isStopping = state.withLock { state in
      state.runningCount -= 1
      state.ready.charge([principal: FairQueue.Charge(count: 1, nanoseconds: nanoseconds)])
      guard principal > 0 else { return state.isStopping }
      if let next = state.held[principal]?.take() {
        state.heldCount -= 1
        state.ready.append(next)
      } else {
        state.held[principal] = nil
      }
      return state.isStopping
    }
    // The caller takes the next command itself. The other threads wait for the last one of a queue
    // that stops.
    if isStopping { state.broadcast() }
  }

  /// Accepts no more commands; those that wait are still run.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
  }
}

extension WorkerQueue.State {
  fileprivate mutating func append(_ command: QueuedCommand) {
    if !command.isBulk { singleCount += 1 }
    let principal = command.options.caller.principal
    guard principal > 0 else { return ready.append(command) }
    guard held[principal] != nil else {
      held[principal] = WorkerQueue.Held()
      return ready.append(command)
    }
    held[principal]?.list.append(command)
    heldCount += 1
  }

  /// Why no command of a principal is accepted; nil if one is.
  fileprivate func refusal(
    of principal: Int64, _ capacity: Int, _ share: Int
  ) -> StoreError? {
    guard !isStopping else {
      return StoreError(.unavailable, "the store is closing", notProcessed: true)
    }
    guard count < capacity else {
      return StoreError.reached(
        .queuedCommands, "too many commands wait to be written",
        retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
    }
    guard ready.count(of: principal) + (held[principal]?.count ?? 0) < share else {
      return StoreError.reached(
        .queuedCommands, "too many commands of this principal wait to be written",
        retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
    }
    return nil
  }
}
