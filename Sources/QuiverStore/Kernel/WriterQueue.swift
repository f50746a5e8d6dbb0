/// The commands that wait for the writer, in the order in which they came.
final class WriterQueue: Sendable {
  private let state = Monitor(State())
  private let capacity: Int

  private struct State {
    var jobs: [Job] = []
    var head = 0
    var isStopping = false
    var failure: StoreError?
  }

  /// What the writer does next.
  enum Next {
    case group([Job])
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
      guard state.head < state.jobs.count else { return state.isStopping ? .stop : nil }
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
