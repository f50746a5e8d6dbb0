import QuiverClient

extension OfflineSession {
  /// Runs sync cycles: at once, at each wake-up, and after an idle interval; after a failure only
  /// when the back-off has ended.
  ///
  /// Ends when `stream`, which `wakeups` feeds, ends, when the task is cancelled, and when `sync`
  /// returns nil.
  static func syncLoop(
    _ limits: SessionLimits, _ wakeups: ChangeSignal, _ stream: SessionChanges,
    sync: @Sendable () async -> SyncReport?
  ) async {
    var failures = 0
    var iterator = stream.makeAsyncIterator()
    while !Task.isCancelled {
      guard let report = await sync() else { return }
      if let error = report.error {
        let delay =
          error.isTransient
          ? limits.backoff.delay(after: failures, pushBack: limits.pushBack(report.pushBack))
          : limits.longestRetryDelay
        failures += 1
        guard (try? await Task.sleep(for: delay)) != nil else { return }
      } else {
        failures = 0
        // Cancelling a read would end the stream permanently, so the timer sends through the
        // stream.
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
