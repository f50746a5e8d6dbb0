/// The commands that wait for the writer, in the order in which they came.
final class WriterQueue: Sendable {
  private let state = Monitor(State())
  private let capacity: Int
  private let groupSize: Int

  fileprivate struct State {
    var jobs: [Job] = []
    var head = 0
    var singleCount: UInt64 = 0
    /// The next slices of long works, one for each that waits for its turn.
    var slices: [Job] = []
    var workCount = 0
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

  init(capacity: Int, groupSize: Int) {
    self.capacity = capacity
    self.groupSize = max(1, groupSize)
  }

  /// How many commands wait.
  var count: Int { state.withLock { $0.jobs.count - $0.head } }

  /// How many commands came so far that are none of a bulk.
  var singleCount: UInt64 { state.withLock { $0.singleCount } }

  /// Whether a command waits that is none of a bulk.
  var hasSingle: Bool {
    state.withLock { state in state.jobs[state.head...].contains { !$0.isBulk } }
  }

  /// How many slices of long works wait.
  var sliceCount: Int { state.withLock { $0.slices.count } }

  /// Puts a command in the queue, or says why not.
  func append(_ job: Job) -> StoreError? {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal { return refusal }
      guard state.jobs.count - state.head < capacity else {
        return StoreError(
          .resourceExhausted, "too many commands wait to be written", notProcessed: true)
      }
      state.jobs.append(job)
      if !job.isBulk { state.singleCount += 1 }
      return nil
    }
    if refusal == nil { state.signal() }
    return refusal
  }

  /// What waits, at most a group of it and one slice of long work behind; nil when nothing came in
  /// the time.
  func next(waitingMilliseconds: UInt64?) -> Next? {
    state.wait(milliseconds: waitingMilliseconds) { state in
      var group = state.takeWaiting(atMost: groupSize)
      if !state.slices.isEmpty { group.append(state.slices.removeFirst()) }
      guard group.isEmpty else { return .group(group) }
      return state.isStopping ? .stop : state.chores.first.map(Next.chore)
    }
  }

  /// Makes room for one more long work, or says why not; `endWork` gives it back.
  func beginWork() -> StoreError? {
    state.withLock { state in
      if let refusal = state.refusal { return refusal }
      guard state.workCount < StoreLimits.slicedWorks else {
        return StoreError(
          .resourceExhausted, "too much long work is on its way; try again later",
          notProcessed: true)
      }
      state.workCount += 1
      return nil
    }
  }

  /// A long work has ended.
  func endWork() {
    state.withLock { $0.workCount -= 1 }
  }

  /// Puts the next slice of a long work in its queue, or says why not.
  func append(slice: Job) -> StoreError? {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal { return refusal }
      state.slices.append(slice)
      return nil
    }
    if refusal == nil { state.signal() }
    return refusal
  }

  /// The chore that goes on between groups, if there is one.
  var chore: (any Chore)? { state.withLock { $0.chores.first } }

  /// Lets the writer do a chore, one after the other.
  func append(_ chore: any Chore) throws(StoreError) {
    let refusal = state.withLock { state -> StoreError? in
      if let refusal = state.refusal { return refusal }
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
      let waiting = Array(state.jobs[state.head...]) + state.slices
      state.jobs.removeAll()
      state.slices.removeAll()
      state.head = 0
      return waiting
    }
  }
}

extension WriterQueue.State {
  /// Why nothing is taken any more; nil where it is.
  fileprivate var refusal: StoreError? {
    if let failure { return failure }
    guard isStopping else { return nil }
    return StoreError(.unavailable, "the store is closing", notProcessed: true)
  }

  fileprivate mutating func takeWaiting(atMost count: Int) -> [Job] {
    guard head < jobs.count else { return [] }
    let end = min(jobs.count, head + count)
    let group = Array(jobs[head..<end])
    head = end
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 2 * count {
      jobs.removeFirst(head)
      head = 0
    }
    return group
  }
}
