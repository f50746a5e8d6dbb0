import QuiverClient

extension OfflineSession {
  /// Runs sync cycles: at once, at each wake-up, and when the session was idle for a while; after a
  /// failure only when the back-off is over.
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
        // A cancelled read would end the stream for good, so the timer also sends through it.
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
