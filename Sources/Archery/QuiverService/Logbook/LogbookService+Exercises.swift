import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func listExercises(
    _ request: ListExercisesRequest, _ call: CallContext
  ) async throws -> ListExercisesResponse {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      let query = try Self.query(
        request.unit, request.leaveOutLowConfidence, snapshot, principal: principal)
      let page = try snapshot.exercises(
        principal: principal, scope: "\(query.unit) \(query.leavesOutLowConfidence)",
        pageSize: request.pageSize, pageToken: request.pageToken)
      var response = ListExercisesResponse()
      for record in page.items {
        var exercise = Exercise()
        exercise.name = record.name.text
        exercise.setCount = record.setCount
        exercise.record = try snapshot.recordLift(
          exercise: record.id, query, principal: principal
        ).map { LiftPoint($0, in: query.unit) }
        exercise.latest = try snapshot.latestLift(
          exercise: record.id, query, principal: principal
        ).map { LiftPoint($0, in: query.unit) }
        response.exercises.append(exercise)
      }
      response.nextPageToken = page.nextPageToken
      response.unit = query.unit.message
      return response
    }
  }

  func getLiftSeries(
    _ request: GetLiftSeriesRequest, _ call: CallContext
  ) throws -> GetLiftSeriesResponse {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    let window = try Self.window(request)
    guard [.unspecified, .oldestFirst, .newestFirst].contains(request.order) else {
      throw RPCError.invalid("order", "must be oldest or newest first")
    }
    return try read { (snapshot) throws(StoreError) in
      let query = try Self.query(
        request.unit, request.leaveOutLowConfidence, snapshot, principal: principal)
      let found = try snapshot.liftSeries(
        of: request.exercise, window, query, principal: principal)
      var response = GetLiftSeriesResponse()
      response.points = found.days.map { LiftPoint($0, in: query.unit) }
      if request.order == .newestFirst { response.points.reverse() }
      response.record = found.record.map { LiftPoint($0, in: query.unit) }
      response.latest = found.latest.map { LiftPoint($0, in: query.unit) }
      response.unit = query.unit.message
      return response
    }
  }

  func getNearestLift(
    _ request: GetNearestLiftRequest, _ call: CallContext
  ) async throws -> LiftPoint {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    guard CivilDate.dayRange.contains(request.day) else {
      throw RPCError.invalid("day", "must be a day of the years 1 to 9999")
    }
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      let query = try Self.query(
        request.unit, request.leaveOutLowConfidence, snapshot, principal: principal)
      return LiftPoint(
        try snapshot.nearestLift(
          of: request.exercise, to: request.day, query, principal: principal), in: query.unit)
    }
  }

  func compareFormulas(
    _ request: CompareFormulasRequest, _ call: CallContext
  ) throws -> CompareFormulasResponse {
    let unit = try QuiverRules.WeightUnit.given(request.unit, field: "unit")
    guard unit.liftRange.contains(request.weight) else {
      throw RPCError.invalid(
        "weight", "must be from 0 to \(PlainDecimal.text(unit.liftRange.upperBound))")
    }
    let repetitions = Int32(clamping: request.repetitions)
    var response = CompareFormulasResponse()
    for formula in QuiverRules.OneRepMaxFormula.allCases {
      guard let value = formula.value(weight: request.weight, repetitions: repetitions) else {
        throw RPCError.invalid(
          "repetitions",
          "must be from 1 to \(QuiverRules.OneRepMaxFormula.maximumRepetitions)")
      }
      var estimate = OneRepMaxEstimate()
      estimate.formula = QuiverAPI.OneRepMaxFormula(rawValue: formula.rawValue)
      estimate.oneRepMax = value
      response.estimates.append(estimate)
    }
    response.lowConfidence = repetitions > QuiverRules.OneRepMaxFormula.confidentRepetitions
    return response
  }

  private static func query(
    _ unit: QuiverAPI.WeightUnit, _ leavesOut: Bool, _ snapshot: borrowing Snapshot,
    principal: Int64
  ) throws(StoreError) -> Snapshot.LiftQuery {
    Snapshot.LiftQuery(
      unit: try QuiverRules.WeightUnit.shown(unit, snapshot, principal: principal),
      leavesOutLowConfidence: leavesOut)
  }

  private static func window(
    _ request: GetLiftSeriesRequest
  ) throws -> Snapshot.LiftWindow {
    if request.daysBack != 0 {
      guard request.last == 0 else {
        throw RPCError.invalid("days_back", "must not be given beside last; name one of them")
      }
      return .days(Int32(clamping: request.daysBack))
    }
    return .last(
      request.last == 0 ? LiftSeries.narrowWindow : Int(clamping: request.last))
  }
}
