/// The commands that wait for the writer, in the order in which they came.
final class WriterQueue: Sendable {
  private let state = Monitor(State())
  private let capacity: Int

  private struct State {
    var jobs: [Job] = []
    var head = 0
    var chores: [any Chore] = []
    var isStopping = false
    var failure: StoreError?
  }

  /// What the writer does next.
  enum Next {
    case group([Job])
    /// Nobody waits: the chore may go on.
    case chore(any Chore)
    case stop
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// How many commands wait.
  var count: Int { state.withLock { $0.jobs.count - $0.head } }

  /// Puts a command in the queue, or says why not.
  func append(_ job: Job) -> StoreError? {
    let refusal = state.withLock { state -> StoreError? in
      if let failure = state.failure { return failure }
      if state.isStopping {
        return StoreError(.unavailable, "the store is closing", notProcessed: true)
      }
      guard state.jobs.count - state.head < capacity else {
        return StoreError(
          .resourceExhausted, "too many commands wait to be written", notProcessed: true)
      }
      state.jobs.append(job)
      return nil
    }
    if refusal == nil { state.signal() }
    return refusal
  }

  /// What waits, at most a group of it; nil when nothing came in the time.
  func next(waitingMilliseconds: UInt64?) -> Next? {
    state.wait(milliseconds: waitingMilliseconds) { state in
      guard state.head < state.jobs.count else {
        return state.isStopping ? .stop : state.chores.first.map(Next.chore)
      }
      let end = min(state.jobs.count, state.head + StoreLimits.commandsPerGroup)
      let group = Array(state.jobs[state.head..<end])
      state.head = end
      if state.head == state.jobs.count {
        state.jobs.removeAll(keepingCapacity: true)
        state.head = 0
      } else if state.head >= 2 * StoreLimits.commandsPerGroup {
        state.jobs.removeFirst(state.head)
        state.head = 0
      }
      return .group(group)
    }
  }

  /// The chore that goes on between groups, if there is one.
  var chore: (any Chore)? { state.withLock { $0.chores.first } }

  /// Lets the writer do a chore, one after the other.
  func append(_ chore: any Chore) throws(StoreError) {
    let refusal = state.withLock { state -> StoreError? in
      if let failure = state.failure { return failure }
      if state.isStopping {
        return StoreError(.unavailable, "the store is closing", notProcessed: true)
      }
      state.chores.append(chore)
      return nil
    }
    if let refusal { throw refusal }
    state.signal()
  }

  /// Takes a chore that is done out.
  func remove(_ chore: any Chore) {
    state.withLock { $0.chores.removeAll { $0 === chore } }
  }

  /// Takes every chore out.
  func takeChores() -> [any Chore] {
    state.withLock { state in
      defer { state.chores = [] }
      return state.chores
    }
  }

  /// Lets what waits be written, and takes nothing more.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
  }

  /// Refuses everything from now on; answers what was waiting.
  func fail(_ failure: StoreError) -> [Job] {
    state.withLock { state in
      state.failure = failure
      state.isStopping = true
      let waiting = Array(state.jobs[state.head...])
      state.jobs.removeAll()
      state.head = 0
      return waiting
    }
  }
}
