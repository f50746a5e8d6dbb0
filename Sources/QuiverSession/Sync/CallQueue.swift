/// Runs what talks to the server one after the other, away from the caller's thread: an answer is
/// kept before the next question is asked.
actor CallQueue {
  private var last: Task<Void, Never>?

  /// Runs `body` once all that came before has ended.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    let previous = last
    let task = Task {
      await previous?.value
      return await body()
    }
    last = Task { _ = await task.value }
    return await task.value
  }
}
