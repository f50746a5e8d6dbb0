import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Logbook`.
struct LogbookService {
  let commands: CommandCalls
  let watches: WatchAdmission
  /// Reads over all that a principal has logged.
  let longReads = ReadScheduler(.long)
  let importTurns = ImportTurns()

  var routes: [Route] {
    [
      .responding(Logbook.createWeightEntry, createWeightEntry),
      .reading(Logbook.getWeightEntry, commands, getWeightEntry),
      .responding(Logbook.updateWeightEntry, updateWeightEntry),
      .responding(Logbook.deleteWeightEntry, deleteWeightEntry),
      .responding(Logbook.restoreWeightEntry, restoreWeightEntry),
      .reading(Logbook.listWeightEntries, commands, listWeightEntries),
      .readingOwn(Logbook.getWeightSections, commands, on: longReads, getWeightSections),
      .asynchronous(Logbook.getWeightChart, getWeightChart),
      .responding(Logbook.setWeightPlan, setWeightPlan),
      .reading(Logbook.getWeightPlan, commands, getWeightPlan),
      .responding(Logbook.deleteWeightPlan, deleteWeightPlan),
      .asynchronous(Logbook.getMilestones, getMilestones),
      .responding(Logbook.importWeights, importWeights),
      .asynchronous(Logbook.exportWeights, exportWeights),
      .streamResponding(Logbook.watchWeights, watchWeights),
      .bidirectional(Logbook.importSets, importSets),
      .responding(Logbook.createSet, createSet),
      .reading(Logbook.getSet, commands, getSet),
      .responding(Logbook.updateSet, updateSet),
      .responding(Logbook.deleteSet, deleteSet),
      .asynchronous(Logbook.listSets, listSets),
      .asynchronous(Logbook.listExercises, listExercises),
      .readingOwn(Logbook.getLiftSeries, commands, on: longReads, getLiftSeries),
      .asynchronous(Logbook.getNearestLift, getNearestLift),
      .synchronous(Logbook.compareFormulas, compareFormulas),
      .asynchronous(Logbook.exportSets, exportSets),
      .asynchronous(Logbook.getTrainingLog, getTrainingLog),
      .streamResponding(Logbook.watchTrainingLog, watchTrainingLog),
    ]
  }

  init(_ commands: CommandCalls, _ watches: WatchAdmission) {
    self.commands = commands
    self.watches = watches
  }

  /// One read on the calling thread.
  func read<Result>(
    _ body: (borrowing Snapshot) throws(StoreError) -> Result
  ) throws -> Result {
    try commands.store.read(body)
  }

  /// One read of a principal's that may take long.
  func longRead<Result: Sendable>(
    of principal: Int64,
    _ body: @escaping @Sendable (borrowing Snapshot) throws(StoreError) -> Result
  ) async throws -> Result {
    let store = commands.store
    do throws(StoreError) {
      return try await longReads.run(of: .principal(principal)) { () throws(StoreError) in
        try store.read(body)
      }
    } catch {
      throw RPCError(error)
    }
  }

  /// The civil day of an instant in a zone; nil for an unknown zone.
  static let dayOfInstant: DayOfInstant = { zone, milliseconds in
    (try? CivilZone(zone))?.day(ofMilliseconds: milliseconds)
  }
}

extension QuiverRules.WeightUnit {
  /// The unit that a request must name in `field`.
  static func given(
    _ unit: QuiverAPI.WeightUnit, field: String
  ) throws -> QuiverRules.WeightUnit {
    guard let unit = QuiverRules.WeightUnit(rawValue: unit.rawValue) else {
      throw RPCError.invalid(field, "must be pound or kilogram")
    }
    return unit
  }

  /// The unit that something is to be shown in: the one asked for, that of the profile, or pounds.
  static func shown(
    _ unit: QuiverAPI.WeightUnit, _ snapshot: borrowing Snapshot, principal: Int64
  ) throws(StoreError) -> QuiverRules.WeightUnit {
    if let unit = QuiverRules.WeightUnit(rawValue: unit.rawValue) { return unit }
    let profile = try snapshot.principal(id: principal)
    return profile.units == .metric ? .kilogram : .pound
  }

  /// Throws for a number that is no unit; unspecified is none.
  static func check(_ unit: QuiverAPI.WeightUnit, field: String = "unit") throws {
    if unit != .unspecified { _ = try given(unit, field: field) }
  }

  var message: QuiverAPI.WeightUnit { QuiverAPI.WeightUnit(rawValue: rawValue) }
}
