/// Runs calls to the server one after the other: a reply is stored before the next request is sent.
actor CallQueue {
  private var last: Task<Void, Never>?
  private var unfinished: [Int: @Sendable () -> Void] = [:]
  private var count = 0

  /// Runs `body` after all earlier ones have ended.
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

  /// Cancels everything that runs or waits, and returns when it has ended.
  func cancelAll() async {
    for cancel in unfinished.values { cancel() }
    await last?.value
  }
}
