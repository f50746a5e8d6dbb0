/// A command that waits for the writer, with its types erased.
// A class, because it passes through several arrays.
final class QueuedCommand: Sendable {
  let options: CommandOptions
  /// When it was submitted; 0: its phases are not observed.
  let submittedNanoseconds: UInt64
  let keepsReply: Bool
  let isBulk: Bool
  let storesContent: Bool
  let endsPermissions: Bool
  let apply: @Sendable (borrowing Transaction) throws(StoreError) -> [UInt8]
  let target: any CompletionTarget
  let completion: @Sendable (Result<[UInt8], StoreError>) -> Void

  init(
    options: CommandOptions, submittedNanoseconds: UInt64 = 0, keepsReply: Bool, isBulk: Bool,
    storesContent: Bool, endsPermissions: Bool = false,
    apply: @escaping @Sendable (borrowing Transaction) throws(StoreError) -> [UInt8],
    target: any CompletionTarget,
    completion: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
  ) {
    self.options = options
    self.submittedNanoseconds = submittedNanoseconds
    self.keepsReply = keepsReply
    self.isBulk = isBulk
    self.storesContent = storesContent
    self.endsPermissions = endsPermissions
    self.apply = apply
    self.target = target
    self.completion = completion
  }

  /// Why the command must not start any more; nil if it may.
  func refusal(monotonicNanoseconds now: UInt64) -> StoreError? {
    if options.cancellation?.isCancelled ?? false {
      return StoreError(.cancelled, "the call was cancelled", notProcessed: true)
    }
    if options.deadlineNanoseconds != 0 && options.deadlineNanoseconds <= now {
      return StoreError(
        .deadlineExceeded, "the deadline passed before the command started", notProcessed: true)
    }
    return nil
  }

  /// A command with its result.
  typealias Completed = (command: QueuedCommand, result: Result<[UInt8], StoreError>)

  /// Delivers results to their targets in order, with one `deliver` for each target.
  static func deliver(_ results: [Completed]) {
    var places: [ObjectIdentifier: Int] = [:]
    var deliveries: [(target: any CompletionTarget, completions: [@Sendable () -> Void])] = []
    for (command, result) in results {
      let completion = command.completion
      let run: @Sendable () -> Void = { completion(result) }
      let identity = ObjectIdentifier(command.target)
      if let place = places[identity] {
        deliveries[place].completions.append(run)
      } else {
        places[identity] = deliveries.count
        deliveries.append((command.target, [run]))
      }
    }
    for delivery in deliveries {
      delivery.target.deliver(delivery.completions)
    }
  }
}
