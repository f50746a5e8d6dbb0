import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverStore

/// One import of weight entries: reads and compares on threads of long reads, and writes in short
/// commands, so that commands of other callers do not wait for a whole file.
struct WeightImport {
  let caller: CommandCaller
  /// The key, the deadline and the cancellation of the call.
  let options: CommandOptions
  let commands: CommandCalls
  let readings: ReadScheduler

  /// How often the import starts again because the log was changed during it.
  private static let attempts = 5
  private static let shortestPause = Duration.milliseconds(10)
  private static let longestPause = Duration.seconds(30)

  /// Imports a text; returns the encoded response.
  func run(_ csv: [UInt8]) async throws(StoreError) -> [UInt8] {
    let reading = try await readings.run(of: .principal(caller.principal)) {
      WeightCSV.read(csv)
    }
    guard reading.badLines.count == 0 else {
      var response = ImportWeightsResponse()
      response.badLines = reading.badLines.shown.map(BadImportLine.init)
      response.badLineCount = reading.badLines.count
      return response.serializedBytes()
    }
    for _ in 1..<Self.attempts {
      do throws(StoreError) {
        return try await add(reading.entries)
      } catch {
        guard error.code == .aborted else { throw error }
      }
    }
    return try await add(reading.entries)
  }

  /// Adds what is not stored yet. Throws `aborted` if the log was changed meanwhile; nothing is
  /// added then.
  private func add(_ entries: [WeightEntryContent]) async throws(StoreError) -> [UInt8] {
    let (store, principal) = (commands.store, caller.principal)
    var comparison = try await readings.run(of: .principal(principal)) {
      () throws(StoreError) in
      try store.compareWeights(entries, principal: principal)
    }
    guard !comparison.isShort else {
      return try await commands.perform(
        ImportWeightEntries(comparison), options, message: Self.response)
    }
    var importID: Int64?
    do throws(StoreError) {
      try await stage(comparison.missing[...], &importID)
      comparison = try await current(comparison)
      guard let importID else { return [] }
      let reply = try await commands.perform(
        DecideWeightImport(importID, comparison), options, message: Self.response)
      try await end(importID)
      return reply
    } catch {
      // An import that was decided is completed, whatever happens to its call.
      if let importID { try? await end(importID) }
      throw error
    }
  }

  /// The comparison, if it is still right.
  private func current(
    _ comparison: WeightComparison
  ) async throws(StoreError) -> WeightComparison {
    let store = commands.store
    return try await readings.run(of: .principal(caller.principal)) { () throws(StoreError) in
      var comparison = comparison
      guard try store.isCurrent(&comparison) else {
        throw StoreError(
          .aborted, "the weight log was changed during the import; try again", notProcessed: true)
      }
      return comparison
    }
  }

  /// Stores the entries, hidden from readers.
  private func stage(
    _ entries: ArraySlice<WeightComparison.Missing>, _ importID: inout Int64?
  ) async throws(StoreError) {
    var bounded = options
    bounded.idempotency = nil
    var pace = BulkPace(commands.store)
    var rest = entries
    while !rest.isEmpty {
      let began = ContinuousClock.now
      do throws(StoreError) {
        let outcome = try await commands.perform(StageWeightEntries(rest, of: importID), bounded)
        importID = outcome.importID
        rest = rest.dropFirst(outcome.storedCount)
      } catch {
        guard importID != nil, let wait = error.retryAfterMilliseconds, wait > 0 else {
          throw error
        }
        try? await Task.sleep(for: .milliseconds(wait))
        continue
      }
      try? await pace.rest(after: ContinuousClock.now - began)
    }
  }

  /// Moves the staged entries into the log if the import was decided, and removes them if not.
  ///
  /// It is repeated while the store has no room for it, and while the database that several servers
  /// share is away: an error of it does not begin the import again, which was decided. If the store
  /// closes before that, it completes when the store is opened again.
  private func end(_ importID: Int64) async throws(StoreError) {
    var pace = BulkPace(commands.store)
    var pause = Self.shortestPause
    while true {
      let began = ContinuousClock.now
      do throws(StoreError) {
        if try await commands.perform(EndWeightImport(importID), by: caller) { return }
        pause = Self.shortestPause
        try? await pace.rest(after: ContinuousClock.now - began)
      } catch {
        let isAway = [.unavailable, .aborted, .deadlineExceeded].contains(error.code)
        guard
          error.code == .resourceExhausted
            || (isAway && commands.store.isShared && commands.store.isOpen)
        else { throw error }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  @Sendable private static func response(_ outcome: WeightImportOutcome) -> ImportWeightsResponse {
    var response = ImportWeightsResponse()
    response.added = UInt32(clamping: outcome.added)
    response.unchanged = UInt32(clamping: outcome.unchanged)
    return response
  }
}
