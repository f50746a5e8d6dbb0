package import QuiverMetrics
import Synchronization

/// Runs reads that may wait for the disk or take long on dedicated threads, so that no event loop
/// waits for them.
///
/// Owners take turns. Each has at most `Limits.threadsPerOwner` reads running and
/// `Limits.waitingPerOwner` waiting. A read whose call has ended is skipped if it waits, and its
/// statement is interrupted if it runs. Any thread may use it.
package final class ReadScheduler: Sendable {
  /// The owner of a read.
  package enum Owner: Hashable, Sendable {
    case principal(Int64)
    /// The spectators of an event at an address.
    case spectators(Int64, String)
    /// A caller that is not known yet, by its address.
    case address(String)
    /// The server itself: work that runs once at a time, for any caller.
    case server
  }

  package struct Limits: Sendable {
    /// Reads that run at once.
    package var threads: Int
    /// Reads of one owner that run at once.
    package var threadsPerOwner: Int
    /// Reads that may wait.
    package var waiting: Int
    /// Reads of one owner that may wait.
    package var waitingPerOwner: Int
    /// The limit that this is.
    var ownerLimit = StoreLimit.waitingReadsPerOwner
    /// The priority of the threads.
    package var priority = DedicatedThread.Priority.normal

    /// Reads that are short unless the disk is slow.
    package static let short = Limits(
      threads: StoreLimits.readThreads, threadsPerOwner: StoreLimits.readThreadsPerOwner,
      waiting: StoreLimits.waitingReads, waitingPerOwner: StoreLimits.waitingReadsPerOwner)

    /// Reads of principals of whom many wait.
    package static let crowded = Limits(
      threads: StoreLimits.crowdedReadThreads, threadsPerOwner: 1,
      waiting: StoreLimits.waitingReads, waitingPerOwner: StoreLimits.waitingReadsPerOwner,
      priority: .low)

    /// Reads that are long by nature.
    package static let long = Limits(
      threads: StoreLimits.longReadThreads, threadsPerOwner: 1,
      waiting: StoreLimits.waitingReads, waitingPerOwner: StoreLimits.waitingLongReadsPerOwner,
      ownerLimit: .waitingLongReadsPerOwner, priority: .low)
  }

  /// The cancellation of the read that runs on this thread.
  @TaskLocal static var cancellation: CommandCancellation?

  private let limits: Limits
  private let times: Histogram?
  private let state = Monitor(State())

  /// - Parameter times: counts how long reads take, in nanoseconds; nil: they are not counted.
  package init(_ limits: Limits, times: Histogram? = nil) {
    precondition(limits.threads > 0 && limits.threadsPerOwner > 0, "Reads need a thread.")
    self.limits = limits
    self.times = times
  }

  /// How many reads wait.
  package var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// How many threads there are, and how many of these wait for a read.
  var threadCounts: (all: Int, idle: Int) { state.withLock { ($0.threads, $0.idleThreads) } }

  /// Runs `body` in the owner's turn, with nil, or with the reason why it must not read: it was
  /// cancelled, or the scheduler has stopped. Returns why the read is refused, if it is; `body` is
  /// not called then.
  package func submit(
    of owner: Owner, _ cancellation: CommandCancellation,
    _ body: @escaping @Sendable (StoreError?) -> Void
  ) -> StoreError? {
    let read = Read(cancellation: cancellation, body: body)
    let (refusal, needsThread) = state.withLock { state -> (StoreError?, Bool) in
      if let refusal = state.append(read, of: owner, limits) { return (refusal, false) }
      // A thread that was signalled is idle until it has the lock.
      guard state.waitingCount > state.idleThreads, state.threads < limits.threads else {
        return (nil, false)
      }
      state.threads += 1
      return (nil, true)
    }
    guard refusal == nil else { return refusal }
    if needsThread { startThread() } else { state.signal() }
    return nil
  }

  /// Runs `body` in the owner's turn.
  ///
  /// Throws RESOURCE_EXHAUSTED if too many reads wait, CANCELLED if the task was cancelled before
  /// its turn.
  package func run<Result: Sendable>(
    of owner: Owner, _ body: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let cancellation = CommandCancellation()
    let result: Swift.Result<Result, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let refusal = submit(of: owner, cancellation) { refusal in
          if let refusal { return continuation.resume(returning: .failure(refusal)) }
          continuation.resume(
            returning: Swift.Result { () throws(StoreError) in try body() })
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  /// Refuses the reads that wait and all later ones. Those that run end by themselves.
  package func stop() {
    let reads = state.withLock { state in
      state.isStopped = true
      return state.takeAll()
    }
    state.broadcast()
    for read in reads { read.body(State.stopped) }
  }

  private func startThread() {
    do throws(StoreError) {
      try DedicatedThread.start(limits.priority) { self.work() }
    } catch {
      // Other threads take the reads; without any they are refused.
      let reads = state.withLock { state in
        state.threads -= 1
        return state.threads == 0 ? state.takeAll() : []
      }
      for read in reads { read.body(error) }
    }
  }

  private func work() {
    var last: Owner?
    while let turn = next(after: last) {
      if turn.read.cancellation.isCancelled {
        turn.read.body(StoreError(.cancelled, "the call was cancelled", notProcessed: true))
      } else {
        let start = StoreClock.system.monotonicNanoseconds()
        Self.$cancellation.withValue(turn.read.cancellation) { turn.read.body(nil) }
        times?.observe(StoreClock.system.monotonicNanoseconds() &- start)
      }
      last = turn.owner
    }
  }

  /// Waits for the next read; nil if the thread must end.
  private func next(after last: Owner?) -> Turn? {
    var last = last
    var isIdle = false
    let turn = state.wait(milliseconds: StoreLimits.idleReadThreadMilliseconds) { state -> Turn?? in
      if let owner = last { state.ended(owner, limits) }
      last = nil
      if let turn = state.next(limits) {
        if isIdle { state.idleThreads -= 1 }
        return turn
      }
      if !isIdle { state.idleThreads += 1 }
      isIdle = true
      return state.isStopped ? .some(nil) : nil
    }
    if let turn, let turn { return turn }
    return state.withLock { state in
      state.idleThreads -= 1
      let turn = state.next(limits)
      if turn == nil { state.threads -= 1 }
      return turn
    }
  }
}

extension ReadScheduler {
  private struct Read: Sendable {
    let cancellation: CommandCancellation
    let body: @Sendable (StoreError?) -> Void
  }

  private struct Turn {
    let owner: Owner
    let read: Read
  }

  /// The reads of one owner; those before `head` were taken.
  private struct Reads {
    var list: [Read] = []
    var head = 0
    var running = 0
    /// Whether the owner is among the turns.
    var hasTurn = false
    var count: Int { list.count - head }

    mutating func take() -> Read {
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

  private struct State {
    var owners: [Owner: Reads] = [:]
    /// The owners of which a read may start, in the order of their turns.
    var turns: [Owner] = []
    var firstTurn = 0
    var waitingCount = 0
    var threads = 0
    /// Threads that wait for a read.
    var idleThreads = 0
    var isStopped = false

    static let stopped = StoreError(.unavailable, "the store is closing", notProcessed: true)

    /// Adds a read, or returns why it is refused.
    mutating func append(_ read: Read, of owner: Owner, _ limits: Limits) -> StoreError? {
      if isStopped { return Self.stopped }
      guard waitingCount < limits.waiting else {
        return StoreError.reached(
          .waitingReads, "too many reads wait; try again later",
          retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
      }
      var reads = owners.removeValue(forKey: owner) ?? Reads()
      defer { owners[owner] = reads }
      guard reads.count < limits.waitingPerOwner else {
        return StoreError.reached(
          limits.ownerLimit, "too many reads of this principal wait; try again later",
          retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds)
      }
      reads.list.append(read)
      waitingCount += 1
      giveTurn(to: owner, &reads, limits)
      return nil
    }

    /// The next read, which is running from now on; nil if none may start.
    mutating func next(_ limits: Limits) -> Turn? {
      guard firstTurn < turns.count else { return nil }
      let owner = turns[firstTurn]
      firstTurn += 1
      if firstTurn > turns.count / 2 {
        turns.removeFirst(firstTurn)
        firstTurn = 0
      }
      guard var reads = owners.removeValue(forKey: owner) else { return nil }
      reads.hasTurn = false
      let read = reads.take()
      waitingCount -= 1
      reads.running += 1
      giveTurn(to: owner, &reads, limits)
      owners[owner] = reads
      return Turn(owner: owner, read: read)
    }

    /// A read of the owner has ended.
    mutating func ended(_ owner: Owner, _ limits: Limits) {
      guard var reads = owners.removeValue(forKey: owner) else { return }
      reads.running -= 1
      giveTurn(to: owner, &reads, limits)
      if reads.count > 0 || reads.running > 0 { owners[owner] = reads }
    }

    /// Removes and returns the reads that wait.
    mutating func takeAll() -> [Read] {
      var taken: [Read] = []
      for (owner, reads) in owners {
        taken += reads.list[reads.head...]
        owners[owner] = reads.running > 0 ? Reads(running: reads.running) : nil
      }
      turns = []
      firstTurn = 0
      waitingCount = 0
      return taken
    }

    private mutating func giveTurn(to owner: Owner, _ reads: inout Reads, _ limits: Limits) {
      guard !reads.hasTurn, reads.count > 0, reads.running < limits.threadsPerOwner else { return }
      reads.hasTurn = true
      turns.append(owner)
    }
  }
}
