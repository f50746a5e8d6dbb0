import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire

extension LogbookService {
  func getWeightSections(
    _ request: GetWeightSectionsRequest, _ call: CallContext
  ) throws -> GetWeightSectionsResponse {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    let span = try Self.span(request.span, otherwise: MovingAverage.logbookSpan)
    let filter = try WeightFilter.given(request.filter)
    let month = try Self.month(request)
    return try read { (snapshot) throws(StoreError) in
      var response = GetWeightSectionsResponse()
      let unit = try QuiverRules.WeightUnit.shown(
        request.unit, snapshot, principal: principal)
      let query = WeightSectionQuery(
        unit: unit, average: .exponential(span: span), filter: filter)
      if let month {
        let section = try snapshot.weightSection(month, query, principal: principal)
        response.sections = section.map { [QuiverAPI.WeightSection($0)] } ?? []
      } else {
        let found = try snapshot.weightSections(
          query, principal: principal, pageSize: request.pageSize, pageToken: request.pageToken)
        response.sections = found.page.map(QuiverAPI.WeightSection.init)
        response.nextPageToken = found.nextPageToken
      }
      response.unit = unit.message
      if response.sections.isEmpty {
        let hasEntries = try snapshot.weighingDay(before: .max, principal: principal) != nil
        response.empty = hasEntries ? .nothingMatches : .noEntries
      }
      return response
    }
  }

  func getWeightChart(
    _ request: GetWeightChartRequest, _ call: CallContext
  ) async throws -> GetWeightChartResponse {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    let average = try Self.average(request)
    let days = try Self.days(request.fromDay, request.toDay)
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      let unit = try QuiverRules.WeightUnit.shown(
        request.unit, snapshot, principal: principal)
      let page = try snapshot.weightChart(
        days, in: unit, average, principal: principal, pageSize: request.pageSize,
        pageToken: request.pageToken)
      var response = GetWeightChartResponse()
      response.points = page.items.map(WeightPoint.init)
      response.nextPageToken = page.nextPageToken
      response.unit = unit.message
      return response
    }
  }

  func setWeightPlan(
    _ request: SetWeightPlanRequest, _ call: CallContext, _ responder: Responder<WeightPlan>
  ) throws {
    let caller = try call.storeCaller()
    guard let plan = request.plan else { throw RPCError.invalid("plan", "must be given") }
    let unit = try QuiverRules.WeightUnit.given(plan.unit, field: "plan.unit")
    let command = try SetWeightPlan(
      MilestonePlan(
        unit: unit, startThousandths: plan.startThousandths,
        goalThousandths: plan.goalThousandths, stepThousandths: plan.stepThousandths,
        startDay: plan.startDay), revision: plan.revision)
    commands.submit(
      command, by: caller, call, responder
    ) { WeightPlan($0) }
  }

  func getWeightPlan(
    _ request: GetWeightPlanRequest, _ call: CallContext
  ) throws -> WeightPlan {
    let principal = try call.storeCaller().principal
    let plan = try read { (snapshot) throws(StoreError) in
      try snapshot.weightPlan(principal: principal)
    }
    guard let plan else { throw RPCError(.notFound, "there is no weight plan") }
    return WeightPlan(plan)
  }

  func deleteWeightPlan(
    _ request: DeleteWeightPlanRequest, _ call: CallContext,
    _ responder: Responder<DeleteWeightPlanResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DeleteWeightPlan(revision: request.revision), by: caller, call, responder
    ) { _ in DeleteWeightPlanResponse() }
  }

  func getMilestones(
    _ request: GetMilestonesRequest, _ call: CallContext
  ) async throws -> GetMilestonesResponse {
    let principal = try call.storeCaller().principal
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      GetMilestonesResponse(try snapshot.milestones(principal: principal))
    }
  }

  private static func span(_ span: UInt32, otherwise: Int32) throws -> Int32 {
    if span == 0 { return otherwise }
    let spans = MovingAverage.spans
    guard let span = Int32(exactly: span), spans.contains(span) else {
      throw RPCError.invalid("span", "must be from \(spans.lowerBound) to \(spans.upperBound)")
    }
    return span
  }

  private static func average(_ request: GetWeightChartRequest) throws -> MovingAverage {
    let span = try span(request.span, otherwise: MovingAverage.chartSpan)
    switch request.method {
    case .unspecified, .exponential: return .exponential(span: span)
    case .timeAware: return .timeAware(span: span)
    case .hackersDiet:
      guard request.span == 0 else {
        throw RPCError.invalid("span", "must not be given for the Hacker's Diet, which has none")
      }
      return .hackersDiet
    default:
      throw RPCError.invalid("method", "must be exponential, time-aware or the Hacker's Diet")
    }
  }

  private static func month(
    _ request: GetWeightSectionsRequest
  ) throws -> CivilMonth? {
    if request.year == 0, request.month == 0 { return nil }
    guard let month = CivilMonth(year: request.year, month: request.month) else {
      let isYear = (1...9_999).contains(request.year)
      throw RPCError.invalid(
        isYear ? "month" : "year", isYear ? "must be from 1 to 12" : "must be from 1 to 9999")
    }
    guard request.pageToken.isEmpty else {
      throw RPCError.invalid("page_token", "must not be given beside a month")
    }
    return month
  }

  /// The days from one to another, which may be left out.
  static func days(
    _ first: Int32?, _ last: Int32?
  ) throws -> ClosedRange<Int32> {
    let all = CivilDate.dayRange
    let first = first ?? all.lowerBound
    let last = last ?? all.upperBound
    guard all.contains(first) else {
      throw RPCError.invalid("from_day", "must be a day of the years 1 to 9999")
    }
    guard all.contains(last), last >= first else {
      throw RPCError.invalid("to_day", "must be a day of the years 1 to 9999, not before from_day")
    }
    return first...last
  }
}

extension WeightFilter {
  fileprivate static func given(_ filter: WeightLogFilter?) throws -> WeightFilter {
    guard let filter else { return WeightFilter() }
    for (place, weekday) in filter.weekdays.enumerated() where !(1...7).contains(weekday) {
      throw RPCError.invalid("filter.weekdays[\(place)]", "must be from 1, Sunday, to 7, Saturday")
    }
    return WeightFilter(
      withNotes: filter.withNotes, milestones: filter.milestones,
      weekdays: Set(filter.weekdays))
  }
}

extension WeightPoint {
  init(_ point: WeightChartPoint) {
    self.init()
    day = point.day
    meanThousandths = point.mean
    averageThousandths = point.average
  }
}

extension GetMilestonesResponse {
  init(_ record: MilestonesRecord) {
    self.init()
    plan = WeightPlan(record.plan)
    milestones = record.crossings.map { crossing in
      var milestone = WeightMilestone()
      milestone.thousandths = crossing.thousandths
      milestone.entry = crossing.entry.map(WeightEntry.init)
      return milestone
    }
    nextThousandths = record.crossings.first { $0.entry == nil }?.thousandths ?? 0
    switch record.prediction {
    case .reached(let day): predictedDay = day
    case .none(let reason): noPrediction = NoPrediction(rawValue: reason.rawValue)
    }
  }
}
