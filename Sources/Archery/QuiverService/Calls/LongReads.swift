import Dispatch
import QuiverStore
import Synchronization

/// Reads that no shard may wait for, on a few threads of their own.
///
/// Those of one principal run one after the other, and principals take turns, so that nobody waits
/// for all that somebody else has asked for. What was given up while it waited is left out.
final class LongReads: Sendable {
  private let queue: DispatchQueue
  private let state = Mutex(State())

  /// Reads that run at once.
  private static let threads = 2
  /// Reads of one principal, and of all, that may wait.
  static let waitingPerPrincipal = 256
  private static let waitingCount = 4_096

  /// In place of a principal, for what runs once at a time whoever asks.
  static let everybody: Int64 = 0

  private typealias Job = @Sendable () -> Void

  private struct State {
    var waiting: [Int64: [Job]] = [:]
    var waitingCount = 0
    /// Principals with something that waits and nothing that runs, in the order of their turns.
    var turns: [Int64] = []
    var busy: Set<Int64> = []
    var threads = 0

    /// The next read and whose it is; nil where none may run.
    mutating func next() -> (principal: Int64, job: Job)? {
      guard !turns.isEmpty else { return nil }
      let principal = turns.removeFirst()
      guard var jobs = waiting[principal], !jobs.isEmpty else { return nil }
      let job = jobs.removeFirst()
      waiting[principal] = jobs.isEmpty ? nil : jobs
      waitingCount -= 1
      busy.insert(principal)
      return (principal, job)
    }

    mutating func ended(_ principal: Int64) {
      busy.remove(principal)
      if waiting[principal] != nil { turns.append(principal) }
    }
  }

  init(_ label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

  /// Runs `body` in the principal's turn.
  ///
  /// RESOURCE_EXHAUSTED where too many of its reads wait already, CANCELLED where the task was
  /// given up before its turn came.
  func run<Result: Sendable>(
    of principal: Int64, _ body: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let cancellation = CommandCancellation()
    let result: Swift.Result<Result, StoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let refusal = append(principal) {
          guard !cancellation.isCancelled else {
            let error = StoreError(.cancelled, "the call was given up", notProcessed: true)
            return continuation.resume(returning: .failure(error))
          }
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

  /// Puts a read in its line, or says why not.
  private func append(_ principal: Int64, _ job: @escaping Job) -> StoreError? {
    let (refusal, isShort) = state.withLock { state -> (StoreError?, Bool) in
      guard state.waitingCount < Self.waitingCount,
        state.waiting[principal]?.count ?? 0 < Self.waitingPerPrincipal
      else {
        let error = StoreError(
          .resourceExhausted, "too many long reads wait; try again when some have ended",
          notProcessed: true)
        return (error, false)
      }
      let isFirst = state.waiting[principal] == nil
      state.waiting[principal, default: []].append(job)
      state.waitingCount += 1
      if isFirst, !state.busy.contains(principal) { state.turns.append(principal) }
      guard state.threads < Self.threads else { return (nil, false) }
      state.threads += 1
      return (nil, true)
    }
    if isShort { queue.async { self.work() } }
    return refusal
  }

  private func work() {
    var last: Int64?
    while true {
      let next = state.withLock { state -> (principal: Int64, job: Job)? in
        if let last { state.ended(last) }
        let next = state.next()
        if next == nil { state.threads -= 1 }
        return next
      }
      guard let next else { return }
      next.job()
      last = next.principal
    }
  }
}
