extension OfflineSession {
  /// Comes into step at once, at each wake-up, and from time to time; after a failure only when the
  /// back-off is over.
  ///
  /// Ends when `stream`, which `wakeups` feeds, does, when the task is cancelled, and when `sync`
  /// answers nil.
  static func syncLoop(
    _ limits: SessionLimits, _ wakeups: ChangeSignal, _ stream: SessionChanges,
    sync: @Sendable () async -> SyncReport?
  ) async {
    var backoff = Backoff(limits)
    var iterator = stream.makeAsyncIterator()
    while !Task.isCancelled {
      guard let report = await sync() else { return }
      if let error = report.error {
        let delay =
          error.isTransient
          ? backoff.failed(pushBack: report.pushBack) : limits.longestRetryDelay
        guard (try? await Task.sleep(for: delay)) != nil else { return }
      } else {
        backoff.succeeded()
        // A stream ends for good where its reader is cancelled, so the time comes by the stream.
        let timer = Task { [weak wakeups] in
          try await Task.sleep(for: limits.idleInterval)
          wakeups?.send([.outbox])
        }
        defer { timer.cancel() }
        guard await iterator.next() != nil else { return }
      }
    }
  }
}
