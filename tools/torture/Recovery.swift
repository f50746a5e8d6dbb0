import QuiverStore

/// Checks a store after a crash: the history explains it, also after sending operations again.
struct Recovery {
  var directory: String
  var events: [History.Event]

  /// Opens and checks the store, sends every open operation and the latest acknowledged ones again,
  /// and checks once more.
  func findings() throws -> [String] {
    var checker = HistoryChecker(events)
    do {
      let store = try Store(Self.configuration(directory))
      let found = try checker.check(store)
      store.close()
      guard found.isEmpty else { return found }
    } catch let error as StoreError {
      return ["the store does not open: \(error)"]
    }
    let acknowledged = events.compactMap { event -> Int64? in
      if case .done(let number, _) = event { number } else { nil }
    }
    let history = History()
    // Each open number is its own run, because earlier ones may leave gaps.
    for number in checker.openNumbers + acknowledged.suffix(5) {
      let run = WriterRun(directory: directory, numbers: [number])
      let ending = try run.run(history)
      guard ending == .closed else {
        return ["operation \(number) cannot be sent again: \(ending)"]
      }
    }
    return try again(history.events)
  }

  /// Opens and checks the store; the next run sends open operations again.
  static func check(_ directory: String, _ events: [History.Event]) throws -> [String] {
    var checker = HistoryChecker(events)
    do {
      let store = try Store(Self.configuration(directory))
      defer { store.close() }
      return try checker.check(store)
    } catch let error as StoreError {
      return ["the store does not open: \(error)"]
    }
  }

  /// A configuration whose reads may take as long as those of verification: a check reads all rows.
  private static func configuration(_ directory: String) -> StoreConfiguration {
    var configuration = StoreConfiguration(directory: directory)
    configuration.readMilliseconds = StoreLimits.verificationMilliseconds
    return configuration
  }

  private func again(_ more: [History.Event]) throws -> [String] {
    let open = HistoryChecker(events).openNumbers.filter { Operation($0).kind != .failure }
    let done = Set(
      more.compactMap { event -> Int64? in
        if case .done(let number, _) = event { number } else { nil }
      })
    var findings = open.filter { !done.contains($0) && Operation($0).kind != .update }
      .map { "operation \($0) was sent again and not acknowledged" }
    var checker = HistoryChecker(events + more)
    let store = try Store(Self.configuration(directory))
    findings += try checker.check(store).map { "sent again: \($0)" }
    store.close()
    return findings
  }
}
