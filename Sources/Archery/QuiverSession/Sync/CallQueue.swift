/// Runs what talks to the server one after the other, away from the caller's thread: an answer is
/// kept before the next question is asked.
actor CallQueue {
  private var last: Task<Void, Never>?
  private var unfinished: [Int: @Sendable () -> Void] = [:]
  private var count = 0

  /// Runs `body` once all that came before has ended.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    let previous = last
    let task = Task {
      await previous?.value
      return await body()
    }
    last = Task { _ = await task.value }
    count += 1
    let number = count
    unfinished[number] = { task.cancel() }
    let result = await task.value
    unfinished[number] = nil
    return result
  }

  /// Cancels all that runs or waits, and returns when it has ended.
  func cancelAll() async {
    for cancel in unfinished.values { cancel() }
    await last?.value
  }
}
