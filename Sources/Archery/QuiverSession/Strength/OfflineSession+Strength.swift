import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Strength sets from the server.
extension OfflineSession {
  /// Fetches all exercises, and stores them for use without a connection.
  func fetchExercises(
    _ store: LocalStore, in unit: QuiverRules.WeightUnit
  ) async throws(SessionError) {
    var request = ListExercisesRequest()
    request.unit = QuiverAPI.WeightUnit(rawValue: unit.rawValue)
    request.pageSize = 500
    var found = ListExercisesResponse()
    repeat {
      let page = try await call(Logbook.listExercises, request)
      found.exercises += page.exercises
      request.pageToken = page.nextPageToken
    } while try goesOn(request.pageToken, found.exercises.count)
    let bytes = found.serializedBytes()
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.exercisesName(unit), bytes, fetchedAt: WallClock.nowMilliseconds(), key: .strength)
    }
  }

  /// The exercises that were fetched last; nil if there are none.
  func exercises(
    in unit: QuiverRules.WeightUnit
  ) async throws(SessionError) -> (exercises: [StrengthExercise], fetchedAt: Date)? {
    try await store().read { (transaction) throws(SessionError) in
      guard let (bytes, fetchedAt) = try transaction.answer(Self.exercisesName(unit)),
        let found = try? ListExercisesResponse(serializedBytes: bytes)
      else { return nil }
      let exercises = found.exercises.map { exercise in
        StrengthExercise(
          name: exercise.name, setCount: exercise.setCount, record: exercise.record?.liftDay,
          latest: exercise.latest?.liftDay)
      }
      return (exercises, WallClock.date(fetchedAt))
    }
  }

  /// The daily maxima of the long window, oldest first, and the record; without a connection those
  /// that were fetched last.
  func strengthSeries(
    of name: String, in unit: QuiverRules.WeightUnit
  ) async throws(SessionError) -> (days: [LiftDay], record: LiftDay?) {
    var request = GetLiftSeriesRequest()
    request.exercise = name
    request.unit = QuiverAPI.WeightUnit(rawValue: unit.rawValue)
    request.last = UInt32(clamping: LiftSeries.wideWindow)
    let wanted = request
    let answerName = Self.seriesName(unit)
    let failure = await load { (store) throws(SessionError) in
      let found = try await self.call(Logbook.getLiftSeries, wanted).serializedBytes()
      try await store.write { (transaction) throws(SessionError) in
        try transaction.keepAnswer(
          answerName, found, fetchedAt: WallClock.nowMilliseconds(), key: .strength)
      }
    }
    let known = try await store().read { (transaction) throws(SessionError) in
      try transaction.answer(answerName).flatMap {
        try? GetLiftSeriesResponse(serializedBytes: $0.0)
      }
    }
    if let failure {
      guard failure.isTransient, known?.latest?.set?.exercise == name else { throw failure }
    }
    return (known?.points.compactMap(\.liftDay) ?? [], known?.record?.liftDay)
  }

  private static func exercisesName(_ unit: QuiverRules.WeightUnit) -> String {
    "exercises \(unit.symbol)"
  }

  private static func seriesName(_ unit: QuiverRules.WeightUnit) -> String {
    "lift series \(unit.symbol)"
  }
}

extension LiftPoint {
  /// The daily maximum as a value of the rules; nil if it is not valid for them.
  fileprivate var liftDay: LiftDay? {
    guard let set, let name = ExerciseName(set.exercise),
      let unit = QuiverRules.WeightUnit(rawValue: set.unit.rawValue)
    else { return nil }
    return LiftDay(
      day: day, oneRepMax: oneRepMax,
      set: QuiverRules.LiftSet(
        day: set.day, exercise: name, sets: Int32(clamping: set.sets ?? 0),
        repetitions: Int32(clamping: set.repetitions), weight: set.weight, unit: unit))
  }
}
