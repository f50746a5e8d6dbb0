import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// A running import of a strength log: reads lines, and stores their sets in groups, hidden from
/// readers.
///
/// While a group is being written the next one is read. An import belongs to one call.
// Sendable because the one task of its call touches it, and the readings that it waits for.
final class LiftImport: @unchecked Sendable {
  private let caller: CommandCaller
  private let commands: CommandCalls
  private let readings: ReadScheduler
  private let isLenient: Bool
  private let replaces: Bool
  private let byteCount: Int64

  private var reader: LiftLineReader
  private var importID: Int64?
  private var series: [ExerciseName: Int64] = [:]
  private var waiting: [QuiverRules.LiftSet] = []
  /// The stored sets that lines were matched with; what is stored is not written again.
  private var matches = LiftMatches()
  private var setCount: Int64 = 0
  /// ``setCount`` when progress was last reported.
  private var reportedSetCount: Int64 = 0
  private var storedCount: Int64 = 0
  /// The group that is being written.
  private var underway: (group: ArraySlice<QuiverRules.LiftSet>, task: AppendTask)?
  private var pace: BulkPace

  /// Bytes of some hundred lines, which are read in some tenths of a millisecond.
  private static let byteCountPerStep = 8_192

  static let longestStartWait = Duration.seconds(2)
  private static let shortestStartPause = Duration.milliseconds(10)
  private static let longestStartPause = Duration.milliseconds(200)

  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(30)

  private typealias AppendTask = Task<(outcome: AppendLifts.Outcome, took: Duration), any Error>

  init(
    _ options: ImportOptions, _ caller: CommandCaller, _ commands: CommandCalls,
    _ readings: ReadScheduler
  ) throws {
    try QuiverRules.WeightUnit.check(options.unit, field: "options.unit")
    guard [.unspecified, .merge, .replace].contains(options.mode) else {
      throw RPCError.invalid("options.mode", "must be merge or replace")
    }
    guard options.byteCount >= 0 else {
      throw RPCError.invalid("options.byte_count", "must not be negative")
    }
    self.caller = caller
    self.commands = commands
    self.readings = readings
    pace = BulkPace(commands.store)
    isLenient = options.lenient
    replaces = options.mode == .replace
    byteCount = options.byteCount
    reader = LiftLineReader(
      unit: QuiverRules.WeightUnit(rawValue: options.unit.rawValue) ?? .pound)
  }

  /// A strict import with an invalid line stores nothing, so no more sets are stored.
  private var isLost: Bool { !isLenient && reader.badLines.count > 0 }

  /// Begins the import.
  ///
  /// It waits up to ``longestStartWait`` while the principal has another import: the server may
  /// still be abandoning the import of a connection that was lost a moment ago. Throws
  /// `failedPrecondition` if the other import continues.
  func begin() async throws {
    let start = ContinuousClock.now
    var pause = Self.shortestStartPause
    while importID == nil {
      do throws(StoreError) {
        importID = try await commands.perform(BeginLiftImport(replaces: replaces), by: caller)
      } catch {
        guard error.code == .failedPrecondition, .now - start < Self.longestStartWait else {
          throw error
        }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestStartPause)
      }
    }
    // That was none of the others' commands.
    pace = BulkPace(commands.store)
  }

  /// Reads a chunk of the log; returns the progress if it should be reported.
  func take(_ chunk: [UInt8]) async throws -> ImportSetsResponse? {
    guard !chunk.isEmpty else { return nil }
    try await read { reader, sets in
      var rest = chunk[...]
      while !rest.isEmpty {
        reader.read(Array(rest.prefix(Self.byteCountPerStep)), into: &sets)
        rest = rest.dropFirst(Self.byteCountPerStep)
        Processor.yield()
      }
    }
    let hasStored = try await store(atLeast: StoreLimits.setsPerImportBatch)
    // Lines whose sets are stored already are progress too.
    let isNews = setCount - reportedSetCount >= Int64(StoreLimits.setsPerImportBatch)
    guard hasStored || (isNews && !isLost) else { return nil }
    reportedSetCount = setCount
    return progress
  }

  /// Makes what was imported readable, unless it is a strict import with bad lines.
  func end() async throws -> ImportSetsResponse {
    try await read { reader, sets in reader.finish(into: &sets) }
    var result = ImportResult()
    if isLost {
      await abandon()
    } else if let importID {
      _ = try await store(atLeast: 1)
      try await land()
      // A task of its own has no part in the shard, which what is double would keep busy.
      let outcome = try await Task { try await self.finish(importID) }.value
      result.kept = true
      result.added = outcome.added
      result.unchanged = setCount - outcome.added
      result.removed = outcome.removed
      self.importID = nil
    }
    result.lineCount = reader.lineCount
    result.setCount = setCount
    result.badLines = reader.badLines.shown.map(BadImportLine.init)
    result.badLineCount = reader.badLines.count
    var response = progress
    response.result = result
    return response
  }

  /// Gives it up, if it has not ended: nothing of it stays.
  func abandon() async {
    _ = await underway?.task.result
    underway = nil
    guard let importID else { return }
    self.importID = nil
    guard let refusal = await refusal(ofAbandoning: importID) else { return }
    guard isPassing(refusal) else { return }
    // It keeps its owner from another one, so that it is tried until it is done.
    Task {
      var pause = Self.shortestPause
      repeat {
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
      } while await self.refusal(ofAbandoning: importID).map(self.isPassing) ?? false
    }
  }

  /// Gives the import up; why that could not be, where it could not.
  private func refusal(ofAbandoning importID: Int64) async -> StoreError? {
    do throws(StoreError) {
      try await commands.perform(AbandonLiftImport(importID), by: caller)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a refusal, as of a full queue or disk, passes. A store that closes gives up all
  /// imports when it is opened again; a database that servers share may be away for a while.
  private func isPassing(_ refusal: StoreError) -> Bool {
    refusal.code != .unavailable || (commands.store.isShared && commands.store.isOpen)
  }

  private var progress: ImportSetsResponse {
    var progress = ImportSetsResponse()
    progress.readByteCount = reader.byteCount
    progress.lineCount = reader.lineCount
    progress.badLineCount = reader.badLines.count
    progress.storedSetCount = isLost ? 0 : storedCount
    progress.byteCount = byteCount
    return progress
  }

  /// Reads lines on the thread of long reads, since a chunk may have many.
  private func read(
    _ body: @escaping @Sendable (inout LiftLineReader, inout [QuiverRules.LiftSet]) -> Void
  ) async throws(StoreError) {
    try await readings.run(of: .principal(caller.principal)) { () throws(StoreError) in
      let before = self.waiting.count
      body(&self.reader, &self.waiting)
      self.setCount += Int64(self.waiting.count - before)
      if self.isLost {
        self.waiting.removeAll()
      } else if !self.replaces {
        try self.matches.removeStored(
          from: &self.waiting, after: before, principal: self.caller.principal,
          in: self.commands.store)
      }
    }
  }

  /// Stores groups while there are as many sets; answers whether it stored one.
  private func store(atLeast least: Int) async throws -> Bool {
    guard waiting.count >= least, importID != nil else { return false }
    var rest = waiting[...]
    while rest.count >= least {
      let group = rest.prefix(nextCount(atMost: StoreLimits.setsPerImportBatch))
      rest = rest.dropFirst(group.count)
      try await land()
      append(group)
    }
    waiting = Array(rest)
    return true
  }

  /// How many sets the next command writes or removes.
  private func nextCount(atMost most: Int) -> Int {
    pace.rowCount(
      fewest: StoreLimits.setsPerImportStep, mostShared: StoreLimits.setsPerSharedBatch, most: most)
  }

  /// Starts the write of a group.
  private func append(_ group: ArraySlice<QuiverRules.LiftSet>) {
    guard let importID else { return }
    let command = AppendLifts(
      Array(group), of: importID, series: series, storedCount: storedCount)
    let (commands, caller) = (commands, caller)
    let task: AppendTask = Task {
      let began = ContinuousClock.now
      let outcome = try await commands.perform(command, by: caller)
      return (outcome, ContinuousClock.now - began)
    }
    underway = (group, task)
  }

  /// Waits until the group that is being written is stored. A group that ended early for others is
  /// completed by further writes.
  private func land() async throws {
    while let (group, task) = underway {
      underway = nil
      guard let (outcome, took) = try await appended(by: task) else {
        append(group)
        continue
      }
      series.merge(outcome.series) { $1 }
      storedCount += Int64(outcome.storedCount)
      pace.note(rows: outcome.storedCount, nanoseconds: outcome.nanoseconds)
      try await pace.rest(after: took)
      let rest = group.dropFirst(outcome.storedCount)
      if !rest.isEmpty { append(rest) }
    }
  }

  /// The result of a group; nil if it was refused and the time has passed after which it can be
  /// sent again: an import that is faster than its principal may write waits.
  private func appended(by task: AppendTask) async throws -> (
    outcome: AppendLifts.Outcome, took: Duration
  )? {
    do {
      return try await task.value
    } catch let error as StoreError {
      guard error.code == .resourceExhausted, let wait = error.retryAfterMilliseconds, wait >= 0
      else { throw error }
      try await Task.sleep(for: .milliseconds(max(wait, 1)))
      return nil
    }
  }

  private func finish(_ importID: Int64) async throws(StoreError) -> FinishLiftImport.Outcome {
    let (commands, caller) = (commands, caller)
    try await commands.perform(BeginImportEnd(importID), by: caller)
    if !replaces && !matches.isComplete { try await dropDoubles(importID) }
    let contents = try await readings.run(of: .principal(caller.principal)) {
      () throws(StoreError) in
      try commands.store.contents(ofImport: importID)
    }
    return try await commands.perform(FinishLiftImport(importID, contents), by: caller)
  }

  /// Takes out what is stored already, of the days that were too many to match.
  private func dropDoubles(_ importID: Int64) async throws(StoreError) {
    let (commands, caller, matches) = (commands, caller, matches)
    var place: ImportedPlace? = .start
    while let from = place {
      let (ids, next) = try await readings.run(of: .principal(caller.principal)) {
        () throws(StoreError) in
        try commands.store.doubleLifts(
          of: importID, principal: caller.principal, from: from, after: matches)
      }
      var rest = ids[...]
      while !rest.isEmpty {
        let group = Array(rest.prefix(nextCount(atMost: StoreLimits.setsPerSharedBatch)))
        let began = ContinuousClock.now
        try await commands.perform(DropImportedLifts(group, of: importID), by: caller)
        // The call may have been cancelled; the import ends all the same.
        try? await pace.rest(after: ContinuousClock.now - began)
        rest = rest.dropFirst(group.count)
      }
      place = next
    }
  }
}
