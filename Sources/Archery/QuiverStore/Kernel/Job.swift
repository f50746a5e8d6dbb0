/// A command that waits for the writer, with its types erased.
// A class, since it goes through several arrays on its way.
final class Job: Sendable {
  let options: CommandOptions
  let keepsReply: Bool
  let isBulk: Bool
  let apply: @Sendable (borrowing Transaction) throws(StoreError) -> [UInt8]
  let target: any CompletionTarget
  let completion: @Sendable (Result<[UInt8], StoreError>) -> Void

  init(
    options: CommandOptions, keepsReply: Bool, isBulk: Bool,
    apply: @escaping @Sendable (borrowing Transaction) throws(StoreError) -> [UInt8],
    target: any CompletionTarget,
    completion: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
  ) {
    self.options = options
    self.keepsReply = keepsReply
    self.isBulk = isBulk
    self.apply = apply
    self.target = target
    self.completion = completion
  }

  /// Why the command must not be begun any more; nil where it may.
  func refusal(monotonicNanoseconds now: UInt64) -> StoreError? {
    if options.cancellation?.isCancelled ?? false {
      return StoreError(.cancelled, "the call was given up", notProcessed: true)
    }
    if options.deadlineNanoseconds != 0 && options.deadlineNanoseconds <= now {
      return StoreError(
        .deadlineExceeded, "the deadline passed before the command was begun",
        notProcessed: true)
    }
    return nil
  }

  /// Hands results to their targets, one `deliver` for each target, in order.
  static func deliver(_ results: [(job: Job, result: Result<[UInt8], StoreError>)]) {
    var places: [ObjectIdentifier: Int] = [:]
    var deliveries: [(target: any CompletionTarget, completions: [@Sendable () -> Void])] = []
    for (job, result) in results {
      let completion = job.completion
      let run: @Sendable () -> Void = { completion(result) }
      let identity = ObjectIdentifier(job.target)
      if let place = places[identity] {
        deliveries[place].completions.append(run)
      } else {
        places[identity] = deliveries.count
        deliveries.append((job.target, [run]))
      }
    }
    for delivery in deliveries {
      delivery.target.deliver(delivery.completions)
    }
  }
}
