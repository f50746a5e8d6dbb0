import Synchronization

/// Work that is too long for one command, as an import or a rebuilding: done in slices, each of
/// them committed, with the commands of others between two slices.
///
/// Earlier slices stay where a later one fails or the process ends, so what a work does must be
/// whole after each slice, and go on from what is stored when it is begun again.
package protocol SlicedWork: Sendable {
  associatedtype Reply: Sendable

  /// Does a little more, `StoreLimits.rowsPerSlice` rows or about a millisecond, and answers the
  /// reply once all is done.
  ///
  /// It may run again from the same state, when the group around it could not be kept.
  mutating func slice(in transaction: borrowing Transaction) throws(StoreError) -> Reply?
}

extension Store {
  /// Does a work, slice by slice, and answers its reply when the last one is on the disk.
  ///
  /// A group of commands takes one slice with it, and where nobody waits slices follow one another.
  /// The deadline and the task's cancellation are looked at before each slice. What fails before
  /// the first slice was committed certainly had no effect. Idempotency keys do not go with it.
  package func work<W: SlicedWork>(
    _ work: W, _ options: CommandOptions
  ) async throws(StoreError) -> W.Reply {
    precondition(options.idempotency == nil, "A work answers a value, which no key can keep.")
    var options = options
    let cancellation = options.cancellation ?? CommandCancellation()
    options.cancellation = cancellation
    let run = WorkRun(work, options, on: writer.queue)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        run.begin { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }
}

/// One work on its way: the slice that waits or runs, and what comes after it.
private final class WorkRun<W: SlicedWork>: CompletionTarget {
  private let queue: WriterQueue
  private let options: CommandOptions
  private let state: Mutex<State>

  private struct State: Sendable {
    /// As the latest committed slice left it.
    var work: W
    /// What the slice that is not yet committed came to.
    var following: (work: W, reply: W.Reply?)?
    var hasCommitted = false
    var ended: @Sendable (Result<W.Reply, StoreError>) -> Void = { _ in }
  }

  init(_ work: W, _ options: CommandOptions, on queue: WriterQueue) {
    self.queue = queue
    self.options = options
    state = Mutex(State(work: work))
  }

  func begin(_ ended: @escaping @Sendable (Result<W.Reply, StoreError>) -> Void) {
    if let refusal = queue.beginWork() { return ended(.failure(refusal)) }
    state.withLock { $0.ended = ended }
    appendSlice()
  }

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions { completion() }
  }

  private func appendSlice() {
    let job = QueuedCommand(
      options: options, keepsReply: false, isBulk: false, storesContent: true,
      apply: { (transaction) throws(StoreError) in
        try transaction.checkCallerIsActive()
        var work = self.state.withLock { $0.work }
        let reply = try work.slice(in: transaction)
        self.state.withLock { $0.following = (work, reply) }
        return []
      },
      target: self, completion: { self.sliceEnded($0) })
    if let refusal = queue.append(slice: job) { end(.failure(refusal)) }
  }

  private func sliceEnded(_ result: Result<[UInt8], StoreError>) {
    if case .failure(let error) = result { return end(.failure(error)) }
    let reply = state.withLock { state -> W.Reply? in
      guard let following = state.following else { return nil }
      state.work = following.work
      state.following = nil
      state.hasCommitted = true
      return following.reply
    }
    if let reply { end(.success(reply)) } else { appendSlice() }
  }

  private func end(_ result: Result<W.Reply, StoreError>) {
    queue.endWork()
    let (ended, hasCommitted) = state.withLock { ($0.ended, $0.hasCommitted) }
    guard case .failure(let error) = result, hasCommitted, error.notProcessed else {
      return ended(result)
    }
    ended(.failure(StoreError(error.code, error.message, field: error.field)))
  }
}
